//! Ctrl-C while files are written: each is as it was or as it should be, and nothing is left over.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::project::Project;

const SITE: &[u8] =
    b"from collections import namedtuple\n\n\ndef f(a):\n    return namedtuple('P', 'x')(a)\n";
const FILES: usize = 300;

#[test]
fn an_interrupt_leaves_whole_files_and_no_others() {
    for signal in ["INT", "TERM"] {
        let project = Project::with(&[("f0.py", SITE)]);
        project.run(&["--fix"]);
        let fixed = fs::read(project.path("f0.py")).unwrap();
        for at in 0..FILES {
            project.put(&format!("f{at}.py"), SITE);
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_hoist-namedtuple"))
            .args(["--fix", "."])
            .current_dir(project.root())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let start = Instant::now();
        while fs::read(project.path("f0.py")).unwrap() == SITE {
            assert!(
                start.elapsed() < Duration::from_secs(60),
                "nothing is written"
            );
            thread::sleep(Duration::from_millis(1));
        }
        let kill = Command::new("kill")
            .args(["-s", signal, &child.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
        let status = child.wait().unwrap();
        // The run may have come to its end before the signal reached it.
        assert!(status.success() || status.signal().is_some(), "{status:?}");
        let entries = fs::read_dir(project.root()).unwrap();
        let names: BTreeSet<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        let expected: BTreeSet<_> = (0..FILES).map(|at| format!("f{at}.py").into()).collect();
        assert_eq!(names, expected);
        for name in names {
            let bytes = fs::read(project.root().join(&name)).unwrap();
            assert!(bytes == SITE || bytes == fixed, "{name:?} is {bytes:?}");
        }
    }
}
