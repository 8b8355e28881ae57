//! Walks over small trees.

use super::*;
use crate::cli::config::{Request, texts};

struct Tree(tempfile::TempDir);

impl Tree {
    fn new(files: &[&str]) -> Self {
        let tree = Self(tempfile::tempdir().unwrap());
        for file in files {
            tree.put(file, "");
        }
        tree
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn put(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn settings(&self) -> WalkSettings {
        let cwd = self.0.path();
        let mut request = Request::default();
        request.options.extend_exclude = Some(texts(["skip"]));
        let configurations = Configurations::new(cwd, &request).unwrap();
        WalkSettings {
            cwd: cwd.to_path_buf(),
            run: configurations.without_file().run,
            configurations,
        }
    }

    fn find(&self, paths: &[&str]) -> Found {
        self.find_with(paths, &self.settings())
    }

    fn find_with(&self, paths: &[&str], settings: &WalkSettings) -> Found {
        let paths: Vec<_> = paths.iter().map(|path| self.path(path)).collect();
        find(&paths, settings, &|_, _, _| true)
    }
}

fn names(found: &Found) -> Vec<String> {
    let shown = |source: &Source| source.shown.to_string_lossy().into_owned();
    found.sources.iter().map(shown).collect()
}

#[test]
fn a_folder_gives_its_python_files_in_path_order_without_the_excluded() {
    let tree = Tree::new(&[
        "b.py",
        "a/z.py",
        "a.py",
        "w.pyw",
        "stub.pyi",
        "x.txt",
        ".hidden/h.py",
        ".venv/v.py",
        "build/b.py",
        "pkg/skip/s.py",
        "pkg/__pycache__/p.py",
        "dir.py/good.py",
    ]);
    let found = tree.find(&[""]);
    let expected = [
        ".hidden/h.py",
        "a/z.py",
        "a.py",
        "b.py",
        "dir.py/good.py",
        "w.pyw",
    ];
    assert_eq!(names(&found), expected);
    assert!(found.problems.is_empty());
}

#[test]
fn a_root_inside_an_excluded_folder_is_walked() {
    let tree = Tree::new(&["build/proj/src/m.py", "build/proj/build/m.py"]);
    assert_eq!(names(&tree.find(&["build/proj"])), ["build/proj/src/m.py"]);
    assert_eq!(names(&tree.find(&["build"])), ["build/proj/src/m.py"]);
}

#[test]
fn gitignore_files_count_outside_a_repository_unless_told_otherwise() {
    let tree = Tree::new(&["gen/g.py", "m.py"]);
    tree.put(".gitignore", "gen/\n");
    assert_eq!(names(&tree.find(&[""])), ["m.py"]);
    assert_eq!(names(&tree.find(&["gen/g.py"])), ["gen/g.py"]);
    let mut settings = tree.settings();
    settings.run.respect_gitignore = false;
    assert_eq!(
        names(&tree.find_with(&[""], &settings)),
        ["gen/g.py", "m.py"]
    );
}

#[test]
fn a_given_file_is_taken_whatever_its_name_unless_forced() {
    let tree = Tree::new(&["skip/script", "m.py"]);
    assert_eq!(names(&tree.find(&["skip/script"])), ["skip/script"]);
    let mut settings = tree.settings();
    settings.run.force_exclude = true;
    assert_eq!(
        names(&tree.find_with(&["skip/script", "m.py"], &settings)),
        ["m.py"]
    );
    assert!(names(&tree.find_with(&["skip"], &settings)).is_empty());
}

#[test]
fn a_file_given_several_times_is_taken_once() {
    let tree = Tree::new(&["sub/a.py", "other/b.py"]);
    let found = tree.find(&["sub/a.py", "./sub/a.py", "other/../sub/a.py", "sub", ""]);
    assert_eq!(names(&found), ["other/b.py", "sub/a.py"]);
}

#[test]
fn a_missing_path_is_a_problem_and_the_others_are_found() {
    let tree = Tree::new(&["m.py"]);
    let found = tree.find(&["gone.py", "m.py"]);
    assert_eq!(names(&found), ["m.py"]);
    assert!(
        found.problems[0]
            .to_string()
            .contains("gone.py: there is no such file")
    );
}

#[cfg(unix)]
mod links_and_pipes {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn links_to_files_are_followed_once_and_links_to_folders_are_not() {
        let tree = Tree::new(&["z/real.py", "outside/o.py", "skip/hidden.py"]);
        symlink(tree.path("z/real.py"), tree.path("alias.py")).unwrap();
        symlink(tree.path("skip/hidden.py"), tree.path("link.py")).unwrap();
        symlink(tree.path("z"), tree.path("folder")).unwrap();
        symlink(tree.path(""), tree.path("z/loop")).unwrap();
        let found = tree.find(&[""]);
        assert_eq!(names(&found), ["link.py", "outside/o.py", "z/real.py"]);
        assert_eq!(names(&tree.find(&["alias.py"])), ["alias.py"]);
        assert_eq!(names(&tree.find(&["alias.py", "z/real.py"])), ["z/real.py"]);
        assert_eq!(names(&tree.find(&["folder"])), ["folder/real.py"]);
    }

    #[test]
    fn pipes_and_broken_links_are_passed_by_in_a_walk_and_named_when_given() {
        let tree = Tree::new(&["m.py"]);
        symlink("nowhere", tree.path("broken.py")).unwrap();
        let pipe = tree.path("pipe.py");
        let made = std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap();
        assert!(made.success());
        let found = tree.find(&[""]);
        assert_eq!(names(&found), ["m.py"]);
        assert!(found.problems.is_empty());
        let found = tree.find(&["broken.py", "pipe.py"]);
        let problems: Vec<String> = found.problems.iter().map(ToString::to_string).collect();
        assert!(problems[0].contains("broken.py: it is a link that leads nowhere"));
        assert!(problems[1].contains("pipe.py: it is neither a file nor a folder"));
    }
}
