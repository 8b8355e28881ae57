//! `--force-exclude`: whether a given path is left out, as it would be by a walk from above.

use std::path::Path;

use super::finder::Configurations;
use crate::cli::config::patterns::Place;

/// Whether `path`, with the links above its last part resolved, is left out.
///
/// As a walk does, each folder above it is judged by the configuration of the folder that holds it.
/// They count below the highest folder that the path's own patterns, or the working folder, lie in;
/// so a project in a folder called `build` is not left out as a whole. A path outside of all these
/// is judged by its name alone.
pub(crate) fn is_excluded(path: &Path, is_dir: bool, configurations: &Configurations) -> bool {
    let Some(folder) = path.parent() else {
        return false;
    };
    let Some(own) = configurations.of(folder) else {
        return false;
    };
    let cwd = configurations.real_cwd();
    let roots = own.excludes.roots().chain([cwd]);
    let highest = roots
        .filter(|root| path.starts_with(root))
        .min_by_key(|root| root.components().count());
    let mut above: Vec<&Path> = match highest {
        Some(highest) => path
            .ancestors()
            .take_while(|ancestor| *ancestor != highest)
            .collect(),
        None => vec![path],
    };
    above.reverse();
    above.into_iter().any(|ancestor| {
        let is_path = ancestor == path;
        let place = Place {
            real: ancestor,
            cwd,
            otherwise: path.file_name().map(Path::new).filter(|_| is_path),
        };
        let holder = ancestor
            .parent()
            .and_then(|holder| configurations.of(holder));
        let holder = holder.as_deref().unwrap_or(configurations.without_file());
        holder.excludes.matches(place, is_dir || !is_path)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::config::{Request, texts};

    /// Whether `path` is left out of a run in the folder `a` that excludes `skip`.
    fn is_left_out(path: &str, is_dir: bool) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap().join("build");
        std::fs::create_dir_all(root.join("a")).unwrap();
        let mut request = Request::default();
        request.options.extend_exclude = Some(texts(["skip"]));
        let configurations = Configurations::new(&root.join("a"), &request).unwrap();
        is_excluded(&root.join(path), is_dir, &configurations)
    }

    #[test]
    fn folders_count_below_the_working_folder_only() {
        assert!(is_left_out("a/skip/m.py", false));
        assert!(is_left_out("a/x/build/m.py", false));
        assert!(is_left_out("a/skip", true));
        assert!(!is_left_out("a/m.py", false));
        assert!(!is_left_out("a", true));
    }

    #[test]
    fn a_path_outside_is_judged_by_its_name_alone() {
        assert!(is_left_out("other/skip", true));
        assert!(!is_left_out("skip/m.py", false));
    }
}
