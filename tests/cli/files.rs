//! Which files a run looks at; a file that holds a syntax error shows that it was looked at.

use crate::project::{Project, Ran};

const BROKEN: &[u8] = b"namedtuple(";

/// The files that a run reported, in the order of its errors.
fn reported(ran: &Ran) -> Vec<&str> {
    ran.stderr
        .lines()
        .filter_map(|line| line.split_once(":1:12: error: "))
        .map(|(path, _)| path)
        .collect()
}

#[test]
fn results_are_in_path_order() {
    let names: Vec<String> = (0..40).map(|n| format!("d{}/f{n:02}.py", n % 3)).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), BROKEN)).collect();
    let project = Project::with(&files);
    let mut sorted = names.clone();
    sorted.sort();
    for _ in 0..3 {
        assert_eq!(reported(&project.run(&[])), sorted);
    }
}

#[test]
fn a_project_below_a_folder_called_build_is_checked() {
    let files: &[(&str, &[u8])] = &[
        ("build/proj/src/m.py", BROKEN),
        ("build/proj/venv/v.py", BROKEN),
        ("build/proj/gen/g.py", BROKEN),
        ("build/proj/.gitignore", b"gen/\n"),
    ];
    let project = Project::with(files);
    let folder = project.path("build/proj");
    let run = |args: &[&str]| {
        Ran::of(
            project
                .command()
                .current_dir(&folder)
                .args(args)
                .output()
                .unwrap(),
        )
    };
    assert_eq!(reported(&run(&["."])), ["src/m.py"]);
    assert_eq!(reported(&run(&["gen/g.py"])), ["gen/g.py"]);
    assert_eq!(
        reported(&run(&["--no-respect-gitignore"])),
        ["gen/g.py", "src/m.py"]
    );
    assert_eq!(reported(&run(&["venv/v.py"])), ["venv/v.py"]);
    assert!(reported(&run(&["--force-exclude", "venv/v.py"])).is_empty());
    assert_eq!(
        reported(&run(&["--extend-exclude", "src", "."])),
        Vec::<&str>::new()
    );
    assert_eq!(reported(&run(&["--exclude", "src", "."])), ["venv/v.py"]);
    let absolute = folder.join("src/m.py");
    assert_eq!(reported(&run(&[absolute.to_str().unwrap()])), ["src/m.py"]);
}

#[test]
fn a_file_is_done_once_however_often_it_is_given() {
    let project = Project::with(&[("sub/a.py", BROKEN), ("other/b.py", b"")]);
    let ran = project.run(&["sub/a.py", "./sub/a.py", "other/../sub/a.py", "."]);
    assert_eq!(reported(&ran), ["sub/a.py"]);
}

#[test]
fn only_files_of_python_code_are_taken_from_a_folder() {
    let files: &[(&str, &[u8])] = &[("a.pyi", BROKEN), ("b.txt", BROKEN), ("c.pyw", BROKEN)];
    let project = Project::with(files);
    assert_eq!(reported(&project.run(&["."])), ["c.pyw"]);
    assert_eq!(reported(&project.run(&["b.txt"])), ["b.txt"]);
}
