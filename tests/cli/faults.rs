//! Faults of the disk: the file is as it was, the user is told what to do, and the other files are done.

use std::fs;
use std::process::{Command, Output};

use crate::project::{Project, Ran};

const SITE: &[u8] =
    b"from collections import namedtuple\n\n\ndef f(a):\n    return namedtuple('P', 'x y')(a)\n";
const PROGRAM: &str = env!("CARGO_BIN_EXE_hoist-namedtuple");

/// The files of the project's folder, with their bytes, in the order of their names.
fn files(project: &Project) -> Vec<(String, Vec<u8>)> {
    let entries = fs::read_dir(project.root())
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = entries
        .filter(|path| path.is_file())
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

/// Whether a file system may be mounted in a namespace of a process's own, and with which options for it.
fn namespace() -> Option<&'static str> {
    let works = |flags: &&&str| {
        let mount = "mount -t tmpfs none /mnt";
        let run = Command::new("unshare")
            .args([**flags, "sh", "-c", mount])
            .output();
        run.is_ok_and(|output| output.status.success())
    };
    ["-m", "-rm"].iter().find(works).copied()
}

/// Mounts a file system with `options` on the folder `disk`, has `script` run in it by a shell whose `$1` is the
/// program, and afterwards copies what the disk holds to the folder `after`; `None` where that cannot be done.
fn on_disk(project: &Project, options: &str, script: &str) -> Option<Output> {
    let Some(flags) = namespace() else {
        eprintln!("skipped: nothing can be mounted here");
        return None;
    };
    for folder in ["disk", "after"] {
        fs::create_dir(project.path(folder)).unwrap();
    }
    let script = format!(
        "mount -t tmpfs -o {options} none disk && cp -p *.py disk && cd disk || exit 99\n\
         {script}\ncode=$?\ncp -a . ../after; exit $code"
    );
    let mut command = Command::new("unshare");
    command
        .args([flags, "sh", "-c", &script, "sh", PROGRAM])
        .current_dir(project.root());
    let output = command.output().unwrap();
    assert_ne!(output.status.code(), Some(99), "{output:?}");
    Some(output)
}

/// The names in the folder `after`, and whether each holds what it held before.
fn after(project: &Project) -> Vec<(String, bool)> {
    let mut names: Vec<_> = fs::read_dir(project.path("after"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    let is_same = |name: &String| {
        let path = |folder: &str| project.path(&format!("{folder}{name}"));
        fs::read(path("after/")).unwrap() == fs::read(path("")).unwrap_or_default()
    };
    names
        .into_iter()
        .map(|name| (name.clone(), is_same(&name)))
        .collect()
}

#[track_caller]
fn says(output: Output, sentence: &str) {
    let ran = Ran::of(output);
    ran.fails_with(&[sentence, "1 left: not written"]);
    assert!(ran.stdout.starts_with("a.py:5:12: HNT001"), "{ran:?}");
}

const FIX: &str = r#""$1" --fix --isolated --output-format concise ."#;

#[test]
fn on_a_full_disk_a_file_stays() {
    let project = Project::with(&[("a.py", SITE)]);
    let script = format!("cat /dev/zero > filler 2> /dev/null\n{FIX}");
    let Some(output) = on_disk(&project, "size=64k", &script) else {
        return;
    };
    says(
        output,
        "error: a.py: there is no room for the fixed file (No space left on device (os error 28)), so the fix \
         was not written and the file is as it was. Free some space, and run again.\n",
    );
    let expected = [("a.py".to_owned(), true), ("filler".to_owned(), false)];
    assert_eq!(after(&project), expected);
}

#[test]
fn on_a_disk_that_takes_no_more_files_a_file_stays() {
    let project = Project::with(&[("a.py", SITE)]);
    // The folder and the file are all that there is room for.
    let Some(output) = on_disk(&project, "nr_inodes=2", FIX) else {
        return;
    };
    says(
        output,
        "error: a.py: there is no room for the fixed file (No space left on device (os error 28)), so the fix was not written and the \
         file is as it was.",
    );
    assert_eq!(after(&project), [("a.py".to_owned(), true)]);
}

#[test]
fn on_a_disk_that_is_only_read_a_file_stays() {
    let project = Project::with(&[("a.py", SITE)]);
    let script = format!("mount -o remount,ro none . || exit 99\n{FIX}");
    let Some(output) = on_disk(&project, "size=64k", &script) else {
        return;
    };
    says(
        output,
        "error: a.py: it is on a read-only file system, so the fix was not written. Copy the files to where they \
         can be written, or give its text on standard input (`-`), which writes no file.\n",
    );
    assert_eq!(after(&project), [("a.py".to_owned(), true)]);
}

#[test]
fn on_a_full_disk_an_old_report_and_an_old_baseline_stay() {
    let report = br#"[{"old": "report"}]"#;
    let project = Project::with(&[("a.py", SITE), ("report.py", report)]);
    for (at, arguments) in [
        "--output-format json --output-file report.py a.py",
        "--baseline report.py --write-baseline a.py",
    ]
    .iter()
    .enumerate()
    {
        if at > 0 {
            for folder in ["disk", "after"] {
                fs::remove_dir_all(project.path(folder)).unwrap();
            }
        }
        let script = format!("cat /dev/zero > filler 2> /dev/null\n\"$1\" --isolated {arguments}");
        let Some(output) = on_disk(&project, "size=64k", &script) else {
            return;
        };
        Ran::of(output).fails_with(&["report.py"]);
        let kept = after(&project);
        assert!(kept.contains(&("report.py".to_owned(), true)), "{kept:?}");
        assert_eq!(kept.len(), 3, "{kept:?}");
    }
}

#[test]
fn a_write_that_ends_half_way_leaves_the_file() {
    let large = [SITE, &b"# a line of this file\n".repeat(1_000)].concat();
    let project = Project::with(&[("a.py", &large), ("b.py", SITE)]);
    let mut command = Command::new("sh");
    // A limit on the size of files ends a write where it is reached, and without care the process.
    command
        .args(["-c", "ulimit -f 8; exec \"$@\"", "sh"])
        .args([PROGRAM, "--fix", "--output-format", "concise", "."])
        .current_dir(project.root());
    says(
        command.output().unwrap(),
        "error: a.py: there is no room for the fixed file (File too large (os error 27)), so the fix was not \
         written and the file is as it was. Free some space, and run again.\n",
    );
    let files = files(&project);
    assert_eq!(files.len(), 2, "{files:?}");
    assert_eq!(files[0], ("a.py".to_owned(), large));
    assert_ne!(files[1].1, SITE);
}

/// Runs the program where each call of a system function fails with an error; `None` where that cannot be made.
fn with_fault(project: &Project, function: &str, error: &str, only: Option<&str>) -> Option<Ran> {
    let trace = format!("trace={function}");
    let inject = format!("inject={function}:error={error}");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-o", "/dev/null", "-e", &trace, "-e", &inject]);
    if let Some(name) = only {
        command.arg("-P").arg(project.path(name));
    }
    command
        .args([PROGRAM, "--fix", "--output-format", "concise", "."])
        .current_dir(project.root());
    let output = match command.output() {
        Ok(output) => Ran::of(output),
        Err(_) => {
            eprintln!("skipped: strace is not installed");
            return None;
        }
    };
    if output.stderr.contains("ptrace") {
        eprintln!("skipped: no process can be traced here");
        return None;
    }
    Some(output)
}

#[test]
fn a_fault_at_any_step_of_a_write_leaves_the_file() {
    for (function, error, sentence) in [
        (
            "fsync",
            "EIO",
            "the fix could not be written (Input/output error (os error 5)), and the file is as it was. Check the disk and the permissions.",
        ),
        (
            "fsync",
            "ENOSPC",
            "there is no room for the fixed file (No space left on device (os error 28))",
        ),
        (
            "fsync",
            "EDQUOT",
            "there is no room for the fixed file (Disk quota exceeded (os error 122))",
        ),
        (
            "fchmod",
            "EIO",
            "the fix could not be written (Input/output error (os error 5))",
        ),
        (
            "fchmod",
            "EPERM",
            "the fix could not be written (Operation not permitted (os error 1))",
        ),
        (
            "rename,renameat,renameat2",
            "EIO",
            "the fix could not be written (Input/output error (os error 5))",
        ),
        (
            "rename,renameat,renameat2",
            "EROFS",
            "it is on a read-only file system",
        ),
        (
            "rename,renameat,renameat2",
            "EBUSY",
            "the system does not let it be replaced (Device or resource busy (os error 16)), as for a mount point",
        ),
    ] {
        let project = Project::with(&[("a.py", SITE)]);
        let Some(ran) = with_fault(&project, function, error, None) else {
            return;
        };
        ran.fails_with(&[&format!("error: a.py: {sentence}"), "1 left: not written"]);
        assert!(ran.stdout.starts_with("a.py:5:12: HNT001"), "{ran:?}");
        assert_eq!(files(&project), [("a.py".to_owned(), SITE.to_vec())]);
    }
}

#[test]
fn a_file_that_the_disk_does_not_give_is_named_and_the_others_are_fixed() {
    let project = Project::with(&[("a.py", SITE), ("b.py", SITE)]);
    let Some(ran) = with_fault(&project, "read,pread64", "EIO", Some("a.py")) else {
        return;
    };
    ran.fails_with(&[
        "error: a.py: it cannot be read (Input/output error (os error 5)). Check the path and its permissions.\n",
        "1 fixed",
    ]);
    assert_eq!(fs::read(project.path("a.py")).unwrap(), SITE);
    assert_ne!(fs::read(project.path("b.py")).unwrap(), SITE);
}

#[test]
fn a_folder_that_the_disk_does_not_list_is_named_and_the_others_are_done() {
    let project = Project::with(&[("in/a.py", SITE), ("b.py", SITE)]);
    let Some(ran) = with_fault(&project, "getdents64", "EIO", Some("in")) else {
        return;
    };
    ran.fails_with(&["in", "Input/output error (os error 5)", "1 fixed"]);
    assert_eq!(fs::read(project.path("in/a.py")).unwrap(), SITE);
    assert_ne!(fs::read(project.path("b.py")).unwrap(), SITE);
}

#[test]
fn attributes_that_the_disk_does_not_take_leave_the_file() {
    let project = Project::with(&[("a.py", SITE)]);
    let set = Command::new("python3")
        .args(["-c", "import os; os.setxattr('a.py', 'user.note', b'mine')"])
        .current_dir(project.root())
        .status();
    if !set.unwrap().success() {
        eprintln!("skipped: no extended attributes here");
        return;
    }
    for (function, error) in [
        ("fgetxattr", "EIO"),
        ("fsetxattr", "EIO"),
        ("fsetxattr", "ENOSPC"),
    ] {
        let Some(ran) = with_fault(&project, function, error, None) else {
            return;
        };
        ran.fails_with(&["error: a.py: ", "1 left: not written"]);
        assert_eq!(files(&project), [("a.py".to_owned(), SITE.to_vec())]);
    }
}

#[test]
fn a_report_with_other_names_is_refused() {
    let project = Project::with(&[("a.py", SITE)]);
    fs::hard_link(project.path("a.py"), project.path("a.json")).unwrap();
    let ran = project.run(&["--output-format", "json", "--output-file", "a.json", "a.py"]);
    ran.fails_with(&[
        "a.json: the report could not be written to it (it has 2 hard links, and its other names would change with it)",
    ]);
    assert_eq!(fs::read(project.path("a.py")).unwrap(), SITE);
}
