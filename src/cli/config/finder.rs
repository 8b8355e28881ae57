//! Which configuration holds in which folder.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use anyhow::{Result, anyhow, ensure};

use super::argument::Arguments;
use super::configuration::Configuration;
use super::file::{self, File};
use super::layer::Layer;
use super::rule_paths::{self, Registries};
use super::selection;
use super::table::Table;
use crate::cli::paths::resolved;
use crate::cli::problem::Problem;
use crate::rule::Registry;

/// What the command line says about configuration.
#[derive(Debug, Default)]
pub(crate) struct Request<'a> {
    /// The values of `--config`.
    pub(crate) config: &'a [OsString],
    /// Whether no file is read.
    pub(crate) isolated: bool,
    /// The keys that options of their own set, such as `--select`.
    pub(crate) options: Table,
    /// The values of `--rules`.
    pub(crate) rules: &'a [PathBuf],
}

/// The configurations of all folders, each file read once.
#[derive(Debug)]
pub(crate) struct Configurations {
    /// The working folder, as it is and with all links resolved.
    cwd: PathBuf,
    real_cwd: PathBuf,
    /// The keys of `--config`, which stand in place of those of every file.
    keys: Layer,
    /// The other options, which stand above them.
    options: Layer,
    /// All that the command line sets, with the words that name each; no words for options.
    given: Vec<(Option<String>, Table)>,
    /// The files of `--rules`, which add to those of each configuration.
    rule_files: BTreeSet<PathBuf>,
    registries: Registries,
    /// What holds where no file has a say.
    without_file: Arc<Configuration>,
    /// The only configuration of a run that searches for none.
    only: Option<Arc<Configuration>>,
    folders: RwLock<HashMap<PathBuf, Found>>,
    faults: Mutex<BTreeMap<PathBuf, Problem>>,
}

type Found = Result<Arc<Configuration>, Arc<Problem>>;

impl Configurations {
    /// The configurations of a run in the folder `cwd`.
    ///
    /// # Errors
    /// A fault in what the command line says, or in the file that it names.
    pub(crate) fn new(cwd: &Path, request: &Request<'_>) -> Result<Self> {
        let real_cwd = cwd.canonicalize().unwrap_or_else(|_| cwd.to_path_buf());
        let arguments = Arguments::new(request.config, &real_cwd)?;
        ensure!(
            arguments.file.is_none() || !request.isolated,
            "--isolated reads no file, so --config cannot name one. Leave one of them out."
        );
        let keys = arguments.keys;
        let options = Layer::new(&real_cwd, &request.options).map_err(|fault| fault.in_option())?;
        let rule_files = rule_files(request.rules, &real_cwd)?;
        let registries = Registries::new(cwd);
        let rules = rules(&keys, &rule_files, &registries)
            .map_err(|problem| anyhow!("{}", problem.sentence()))?;
        let without_file = Configuration::new(None, &real_cwd, &[&keys, &options], rules);
        let without_file = Arc::new(without_file);
        let named = arguments.tables.into_iter();
        let named = named.map(|(words, table)| (Some(words), table));
        let given = named.chain([(None, request.options.clone())]).collect();
        let isolated = request.isolated.then(|| Arc::clone(&without_file));
        let mut configurations = Self {
            cwd: cwd.to_path_buf(),
            real_cwd,
            keys,
            options,
            given,
            rule_files,
            registries,
            without_file,
            only: isolated,
            folders: RwLock::default(),
            faults: Mutex::default(),
        };
        if let Some(path) = arguments.file {
            let path = resolved(&path, cwd);
            let file = file::given(&path, cwd)
                .map_err(|problem| anyhow!("--config: {}", problem.sentence()))?;
            let configuration = configurations
                .with_file(file)
                .map_err(|problem| anyhow!("--config: {}", problem.sentence()))?;
            configurations.only = Some(configuration);
        }
        Ok(configurations)
    }

    /// The working folder with all links resolved.
    pub(crate) fn real_cwd(&self) -> &Path {
        &self.real_cwd
    }

    /// The configuration of the files in `folder`, a path without links.
    ///
    /// `None` when it has a fault, which [`Self::faults`] then tells.
    pub(crate) fn of(&self, folder: &Path) -> Option<Arc<Configuration>> {
        match self.find(folder) {
            Ok(configuration) => Some(configuration),
            Err(problem) => {
                let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
                faults
                    .entry(problem.path.clone())
                    .or_insert_with(|| unchecked(&problem));
                None
            }
        }
    }

    /// The configuration of the whole run: the one of `folder`, a path without links.
    ///
    /// # Errors
    /// A fault in it.
    pub(crate) fn of_run(&self, folder: &Path) -> Result<Arc<Configuration>> {
        self.find(folder)
            .map_err(|problem| anyhow!("{}", problem.sentence()))
    }

    /// Checks that the selectors of the command line match rules of `registry`, the one of the run.
    ///
    /// # Errors
    /// The first that does not.
    pub(crate) fn check_selectors(&self, registry: &Registry) -> Result<()> {
        for (words, table) in &self.given {
            selection::check(table, registry).map_err(|fault| match words {
                Some(words) => anyhow!("{words}: {}", fault.message),
                None => fault.in_option(),
            })?;
        }
        Ok(())
    }

    /// What holds where no file has a say.
    pub(crate) fn without_file(&self) -> &Configuration {
        &self.without_file
    }

    /// The faults that came up so far, in the order of the files.
    pub(crate) fn faults(&self) -> Vec<Problem> {
        let faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        faults.values().cloned().collect()
    }

    fn find(&self, folder: &Path) -> Found {
        if let Some(only) = &self.only {
            return Ok(Arc::clone(only));
        }
        if let Some(found) = self.known(folder) {
            return found;
        }
        let found = match file::in_folder(folder, &self.cwd) {
            Ok(Some(file)) => self.with_file(file).map_err(Arc::new),
            Ok(None) => match folder.parent() {
                Some(parent) => self.find(parent),
                None => Ok(Arc::clone(&self.without_file)),
            },
            Err(problem) => Err(Arc::new(problem)),
        };
        let mut folders = self.folders.write().unwrap_or_else(PoisonError::into_inner);
        // Whoever came first counts, so that all files of a folder share one configuration.
        folders.entry(folder.to_path_buf()).or_insert(found).clone()
    }

    fn known(&self, folder: &Path) -> Option<Found> {
        let folders = self.folders.read().unwrap_or_else(PoisonError::into_inner);
        folders.get(folder).cloned()
    }

    fn with_file(&self, file: File) -> Result<Arc<Configuration>, Problem> {
        let layer = file.layer.overridden_by(&self.keys);
        let root = file.path.parent().unwrap_or(&file.path);
        let layers = [&layer, &self.options];
        let rules = rules(&layer, &self.rule_files, &self.registries)?;
        file.check_selectors(rules.1, &self.cwd)?;
        let configuration = Configuration::new(Some(file.path.clone()), root, &layers, rules);
        Ok(Arc::new(configuration))
    }
}

/// The files that `--rules` names.
fn rule_files(given: &[PathBuf], cwd: &Path) -> Result<BTreeSet<PathBuf>> {
    let mut files = BTreeSet::new();
    for path in given {
        let found = rule_paths::files(&cwd.join(path));
        files.extend(found.map_err(|message| anyhow!("--rules: {message}"))?);
    }
    Ok(files)
}

/// The rule files of `layer` and those that are `given`, and the registry that holds their rules.
fn rules(
    layer: &Layer,
    given: &BTreeSet<PathBuf>,
    registries: &Registries,
) -> Result<(BTreeSet<PathBuf>, &'static Registry), Problem> {
    let mut files = layer.rule_files.clone().unwrap_or_default();
    files.extend(given.iter().cloned());
    let registry = registries.of(&files)?;
    Ok((files, registry))
}

/// The fault of a configuration somewhere in the tree.
fn unchecked(problem: &Problem) -> Problem {
    Problem {
        message: format!(
            "{} The files that it is for were not checked.",
            problem.message
        ),
        ..problem.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn tree(files: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for (name, text) in files {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        (folder, root)
    }

    #[test]
    fn folders_share_the_closest_configuration_and_it_is_read_once() {
        let (_folder, root) = tree(&[
            ("hoist-namedtuple.toml", ""),
            ("a/b/x", ""),
            ("own/pyproject.toml", "[tool.hoist-namedtuple]"),
        ]);
        let found = Configurations::new(&root, &Request::default()).unwrap();
        let of = |name: &str| found.of(&root.join(name)).unwrap();
        let top = of("a/b");
        assert_eq!(top.file, Some(root.join("hoist-namedtuple.toml")));
        assert_eq!(of("own").file, Some(root.join("own/pyproject.toml")));
        fs::remove_file(root.join("hoist-namedtuple.toml")).unwrap();
        assert!(Arc::ptr_eq(&top, &of("a")));
        assert!(Arc::ptr_eq(&top, &of("not/there")));
    }

    #[test]
    fn a_fault_is_told_once_however_many_folders_it_is_for() {
        let (_folder, root) = tree(&[("bad/hoist-namedtuple.toml", "x"), ("bad/sub/x", "")]);
        let found = Configurations::new(&root, &Request::default()).unwrap();
        assert!(found.of(&root.join("bad")).is_none());
        assert!(found.of(&root.join("bad/sub")).is_none());
        assert_eq!(found.faults().len(), 1);
        assert!(found.of_run(&root.join("bad/sub")).is_err());
    }

    #[test]
    fn without_a_search_one_configuration_holds_everywhere() {
        let (_folder, root) = tree(&[("hoist-namedtuple.toml", "x"), ("ci.toml", "")]);
        let mut request = Request {
            isolated: true,
            ..Request::default()
        };
        let found = Configurations::new(&root, &request).unwrap();
        assert_eq!(found.of(&root).unwrap().file, None);
        let config = [OsString::from("ci.toml")];
        request.config = &config;
        assert!(Configurations::new(&root, &request).is_err());
        request.isolated = false;
        let found = Configurations::new(&root, &request).unwrap();
        assert_eq!(found.of(&root).unwrap().file, Some(root.join("ci.toml")));
    }
}
