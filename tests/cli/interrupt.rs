//! Ends of a process while it writes: each file is as it was or as it should be, with its mode, and what is left
//! over tells whose it is.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Instant;

use crate::project::Project;

const SITE: &[u8] =
    b"from collections import namedtuple\n\n\ndef f(a):\n    return namedtuple('P', 'x y')(a)\n";
const MODES: [u32; 4] = [0o644, 0o600, 0o755, 0o664];

/// How many files are written, and how often each signal is sent: `HOIST_NAMEDTUPLE_KILLS` says how often, with
/// thousands of files.
fn extent() -> (usize, usize) {
    match std::env::var("HOIST_NAMEDTUPLE_KILLS") {
        Ok(rounds) => (3_000, rounds.parse().unwrap()),
        Err(_) => (200, 8),
    }
}

fn name(at: usize) -> String {
    format!("f{at:04}.py")
}

fn mode(at: usize) -> u32 {
    MODES.get(at % MODES.len()).copied().unwrap()
}

/// A folder of files with a call each, and what such a file is when it is fixed.
fn files(count: usize) -> (Project, Vec<u8>) {
    let project = Project::with(&[("f.py", SITE)]);
    project.run(&["--fix", "f.py"]);
    let fixed = fs::read(project.path("f.py")).unwrap();
    fs::remove_file(project.path("f.py")).unwrap();
    (0..count).for_each(|at| restore(&project, at));
    (project, fixed)
}

fn restore(project: &Project, at: usize) {
    project.put(&name(at), SITE);
    fs::set_permissions(
        project.path(&name(at)),
        fs::Permissions::from_mode(mode(at)),
    )
    .unwrap();
}

fn start(project: &Project) -> Child {
    Command::new(env!("CARGO_BIN_EXE_hoist-namedtuple"))
        .args(["--fix", "."])
        .current_dir(project.root())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Sends the signal; whether the process ended by it, and not before it came.
fn end(mut child: Child, signal: &str) -> bool {
    let id = child.id().to_string();
    let kill = Command::new("kill").args(["-s", signal, &id]).status();
    assert!(kill.unwrap().success());
    let status = child.wait().unwrap();
    assert!(status.success() || status.signal().is_some(), "{status:?}");
    status.signal().is_some()
}

/// Checks all files, and makes those that were fixed as they were; returns how many.
#[track_caller]
fn check(project: &Project, fixed: &[u8], files: usize) -> usize {
    let mut count = 0;
    for at in 0..files {
        let path = project.path(&name(at));
        assert_eq!(
            fs::metadata(&path).unwrap().mode() & 0o7777,
            mode(at),
            "{path:?}"
        );
        let bytes = fs::read(&path).unwrap();
        if bytes != SITE {
            assert_eq!(bytes, fixed, "{path:?}");
            restore(project, at);
            count += 1;
        }
    }
    count
}

/// The names in the folder that are not of its files.
fn left_over(project: &Project) -> Vec<String> {
    let entries = fs::read_dir(project.root()).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| !name.ends_with(".py")).collect()
}

#[test]
fn a_process_that_is_ended_leaves_whole_files() {
    let (files, rounds) = extent();
    let (project, fixed) = self::files(files);
    // How long a run takes, so that each moment of one is met.
    let started = Instant::now();
    assert!(start(&project).wait().unwrap().success());
    let whole = started.elapsed();
    assert_eq!(check(&project, &fixed, files), files);
    let (mut ended, mut between) = (0, 0);
    for signal in ["INT", "TERM", "HUP", "KILL"] {
        for _ in 0..rounds {
            let child = start(&project);
            thread::sleep(whole.mul_f64(fastrand::f64()));
            ended += usize::from(end(child, signal));
            let count = check(&project, &fixed, files);
            between += usize::from(count > 0 && count < files);
            for name in left_over(&project) {
                assert_eq!(signal, "KILL", "{name}");
                let tells = name.starts_with(".hoist-namedtuple-") && name.ends_with(".tmp");
                assert!(tells, "{name}");
                fs::remove_file(project.path(&name)).unwrap();
            }
        }
    }
    let told = format!(
        "{} runs: {ended} ended by a signal, {between} between two files",
        4 * rounds
    );
    // Runs that never came to write would prove nothing.
    assert!(ended > rounds && between > 0, "{told}");
    eprintln!("{told}");
}

#[test]
fn two_processes_on_the_same_files_leave_whole_files() {
    let (files, _) = extent();
    let (project, fixed) = self::files(files);
    for mut child in [start(&project), start(&project)] {
        assert!(child.wait().unwrap().code().is_some());
    }
    assert_eq!(left_over(&project), Vec::<String>::new());
    assert_eq!(check(&project, &fixed, files), files);
}
