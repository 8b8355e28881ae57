//! Links, pipes, devices, and what may not be read.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt;

use super::*;

#[test]
fn links_in_a_circle_are_told_when_given_and_passed_by_in_a_walk() {
    let project = Project::with(&[("m.py", SITE), ("sub/n.txt", b"")]);
    symlink("loop.py", project.path("loop.py")).unwrap();
    symlink("b.py", project.path("a.py")).unwrap();
    symlink("a.py", project.path("b.py")).unwrap();
    symlink("..", project.path("sub/up")).unwrap();
    symlink(".", project.path("self.py")).unwrap();
    symlink("nowhere", project.path("broken.py")).unwrap();
    let ran = concise(&project, &["."]);
    assert_eq!(
        (ran.code, ran.stdout.as_str(), ran.stderr.as_str()),
        (Some(1), format!("m.py:{FINDING}").as_str(), "")
    );
    let ran = concise(
        &project,
        &["loop.py", "a.py", "broken.py", "sub/up/sub/up/m.py"],
    );
    assert_eq!(ran.code, Some(2));
    let (circle, nowhere) = (
        "it is a link that leads nowhere (Too many levels of symbolic links (os error 40)). Mend or remove it.\n",
        "it is a link that leads nowhere. Mend or remove it.\n",
    );
    if cfg!(target_os = "linux") {
        let errors =
            format!("error: loop.py: {circle}error: a.py: {circle}error: broken.py: {nowhere}");
        assert_eq!(ran.stderr, errors);
    }
    assert_eq!(ran.stdout.lines().count(), 1, "{ran:?}");
}

#[test]
fn a_file_is_done_once_through_whatever_links() {
    let project = Project::with(&[("m.py", SITE), ("sub/n.txt", b"")]);
    symlink("m.py", project.path("one.py")).unwrap();
    symlink("one.py", project.path("two.py")).unwrap();
    symlink("..", project.path("sub/up")).unwrap();
    for paths in [
        &[
            "two.py",
            "one.py",
            "m.py",
            "./m.py",
            "sub/up/two.py",
            "sub/up/m.py",
            ".",
        ][..],
        &[".", "sub/up"],
        &["m.py", "m.py"],
    ] {
        let ran = concise(&project, paths);
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (Some(1), format!("m.py:{FINDING}").as_str()),
            "{paths:?}"
        );
    }
    let ran = concise(&project, &["two.py", "one.py"]);
    assert_eq!(ran.stdout, format!("one.py:{FINDING}"));
    let ran = project.run(&["--fix", "two.py", "one.py", "sub/up/m.py"]);
    assert_eq!(ran.stderr, "Found 1 finding in 1 of 1 file.\n  1 fixed\n");
    assert!(is_fixed(&project.path("m.py")));
    for link in ["one.py", "two.py"] {
        assert!(
            fs::symlink_metadata(project.path(link))
                .unwrap()
                .is_symlink()
        );
    }
}

fn make_fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn what_is_no_file_is_told_when_given_and_passed_by_in_a_walk() {
    let project = Project::with(&[("ok.py", SITE), ("folder.py/m.py", SITE)]);
    make_fifo(&project.path("pipe.py"));
    let _socket = UnixListener::bind(project.path("socket.py")).unwrap();
    symlink("/dev/zero", project.path("zero.py")).unwrap();
    symlink("pipe.py", project.path("link.py")).unwrap();
    let both = format!("folder.py/m.py:{FINDING}ok.py:{FINDING}");
    let ran = concise(&project, &["."]);
    assert_eq!(
        (ran.code, ran.stdout, ran.stderr.as_str()),
        (Some(1), both.clone(), "")
    );
    let special = [
        "pipe.py",
        "socket.py",
        "zero.py",
        "link.py",
        "/dev/zero",
        "/dev/null",
    ];
    let ran = concise(&project, &[&special[..], &["folder.py", "ok.py"]].concat());
    let error =
        "it is neither a file nor a folder. Give a regular file, or `-` to read standard input.";
    let told: Vec<&str> = ran.stderr.lines().collect();
    // Two paths lead to the pipe, and two to the device.
    assert_eq!(
        told,
        ["pipe.py", "socket.py", "zero.py", "/dev/null"]
            .map(|path| format!("error: {path}: {error}"))
    );
    assert_eq!((ran.code, ran.stdout), (Some(2), both));
}

#[test]
fn an_ignore_file_that_cannot_be_read_at_once_keeps_a_walk_from_its_folder() {
    for name in [".gitignore", ".ignore", ".git/info/exclude"] {
        let project = Project::with(&[
            ("ok.py", SITE),
            ("sub/m.py", SITE),
            ("sub/.git/info/x", b""),
            ("sub/deep/n.py", SITE),
        ]);
        let file = format!("sub/{name}");
        make_fifo(&project.path(&file));
        let error = format!(
            "error: {file}: it is a pipe or a device. Put a regular file in its place. Nothing in its folder was checked; --no-respect-gitignore reads no such file.\n"
        );
        let ran = concise(&project, &["."]);
        assert_eq!(
            (ran.code, ran.stdout, ran.stderr),
            (Some(2), format!("ok.py:{FINDING}"), error.clone())
        );
        for path in ["sub", "sub/deep"] {
            let ran = concise(&project, &[path]);
            assert_eq!(
                (ran.code, ran.stdout.as_str(), ran.stderr),
                (Some(2), "", error.clone())
            );
        }
        assert_eq!(concise(&project, &["sub", ".", "sub/deep"]).stderr, error);
        let ran = concise(&project, &["--no-respect-gitignore", "."]);
        assert_eq!(
            (ran.code, ran.stdout.lines().count()),
            (Some(1), 3),
            "{ran:?}"
        );
        let ran = concise(&project, &["--exclude", "sub", "."]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""));
    }
}

/// A run as a user whom permissions bind: root drops to `nobody`.
fn run_bound(project: &Project, args: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hoist-namedtuple"));
    command.args(args).current_dir(project.root());
    if is_root() {
        command.uid(65_534).gid(65_534);
    }
    Ran::of(command.output().unwrap())
}

fn is_root() -> bool {
    std::os::unix::fs::MetadataExt::uid(&fs::metadata("/proc/self").unwrap()) == 0
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Whether another user may run the program from where it lies; tells when not.
fn others_may_run() -> bool {
    let program = Path::new(env!("CARGO_BIN_EXE_hoist-namedtuple"));
    let may = |path: &Path| {
        fs::metadata(path).is_ok_and(|metadata| metadata.permissions().mode() & 1 == 1)
    };
    let runs = !is_root() || program.ancestors().all(may);
    if !runs {
        println!("skipped: root is bound by no permission, and others may not run the program");
    }
    runs
}

#[test]
fn what_may_not_be_read_is_told_once_and_the_rest_is_done() {
    if !cfg!(target_os = "linux") || !others_may_run() {
        return;
    }
    let project = Project::with(&[
        ("a/m.py", SITE),
        ("a/no/n.py", SITE),
        ("b.py", SITE),
        ("c/.gitignore", b"x"),
        ("c/x/m.py", SITE),
    ]);
    set_mode(project.root(), 0o755);
    let closed = ["a/no", "b.py", "c/.gitignore"];
    closed
        .iter()
        .for_each(|path| set_mode(&project.path(path), 0));
    symlink("a/no", project.path("link")).unwrap();
    let folder = "error: a/no: it cannot be read (Permission denied (os error 13)). Check its permissions, or leave it out with --exclude.\n";
    let ignore = "error: c/.gitignore: it cannot be read (Permission denied (os error 13)). Check the path and its permissions. Nothing in its folder was checked; --no-respect-gitignore reads no such file.\n";
    let file = "error: b.py: it cannot be read (Permission denied (os error 13)). Check the path and its permissions.\n";
    for paths in [&["."][..], &[".", "a", "a/no", "./a", "link", "c", "b.py"]] {
        let ran = run_bound(
            &project,
            &[&["-q", "--output-format", "concise"], paths].concat(),
        );
        assert_eq!(
            (ran.code, ran.stdout),
            (Some(2), format!("a/m.py:{FINDING}")),
            "{paths:?}"
        );
        assert_eq!(ran.stderr, format!("{folder}{ignore}{file}"), "{paths:?}");
    }
    let ran = run_bound(&project, &["a/no/n.py"]);
    let inside = "error: a/no/n.py: it cannot be read (Permission denied (os error 13)). Check the path and its permissions.\n";
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), inside));
    closed
        .iter()
        .for_each(|path| set_mode(&project.path(path), 0o755));
}
