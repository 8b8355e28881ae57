//! Several reports at once, and the files that they go to.

use std::fs;

use super::{ALL, BROKEN, THREE, run, sarif};
use crate::project::{Project, Ran};

fn entries(project: &Project) -> Vec<String> {
    let names = fs::read_dir(project.root()).unwrap();
    let mut names: Vec<String> = names
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn several_formats_are_written_in_one_run() {
    let project = Project::with(&[("a.py", THREE.as_bytes()), ("b.py", BROKEN)]);
    let alone: Vec<String> = ALL.map(|format| run(&project, format).stdout).into();
    let mut args = vec!["--output-format".to_owned(), "github".to_owned()];
    for format in ALL {
        args.extend([
            "--output-format".to_owned(),
            format!("{format}=out.{format}"),
        ]);
    }
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let ran = project.run(&args);
    assert_eq!((ran.code, &ran.stdout), (Some(2), &alone[4]));
    for (format, alone) in ALL.iter().zip(alone) {
        let file = project.path(&format!("out.{format}"));
        assert_eq!(fs::read_to_string(file).unwrap(), alone, "{format}");
    }
    assert_eq!(entries(&project).len(), 2 + ALL.len());
}

#[test]
fn reports_in_files_leave_stdout_to_nothing_and_stderr_to_the_summary() {
    let project = Project::with(&[("a.py", THREE.as_bytes())]);
    let ran = project.run(&["--output-format", "sarif=report.sarif"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
    assert!(
        ran.stderr.starts_with("Found 3 findings in 1 of 1 file.\n"),
        "{ran:?}"
    );
    sarif::valid(&fs::read_to_string(project.path("report.sarif")).unwrap());
    let ran = project.run(&["--diff", "--output-format", "sarif=report.sarif"]);
    assert!(ran.stdout.starts_with("--- a/a.py\n"), "{ran:?}");
    assert!(ran.stderr.starts_with("Found 3 findings"), "{ran:?}");
}

#[test]
fn an_output_file_is_for_the_format_that_names_none() {
    let project = Project::with(&[("a.py", THREE.as_bytes())]);
    let args = [
        "--output-format",
        "concise",
        "--output-format",
        "json=b",
        "--output-file",
        "a",
    ];
    assert_eq!(project.run(&args).stdout, "");
    let text = |name: &str| fs::read_to_string(project.path(name)).unwrap();
    assert!(text("a").starts_with("a.py:5:12: HNT001 "));
    assert!(text("b").starts_with("[\n  {"));
}

#[test]
fn what_cannot_be_is_a_usage_error_before_anything_is_read() {
    let project = Project::with(&[("a.py", THREE.as_bytes())]);
    let both = ["--output-format", "json", "--output-format", "sarif"];
    project.run(&both).fails_with(&["`json`", "`sarif=FILE`"]);
    let same = [
        "--output-format",
        "json=out",
        "--output-format",
        "sarif=./out",
    ];
    project.run(&same).fails_with(&["./out", "same file"]);
    project
        .run(&["--output-format", "json=a.py"])
        .fails_with(&["a.py is a Python file"]);
    project
        .run(&["--output-format", "xml=a"])
        .fails_with(&["xml", "junit"]);
    assert_eq!(entries(&project), ["a.py"]);
}

#[cfg(unix)]
#[test]
fn a_report_does_not_overwrite_a_program_through_a_link() {
    let project = Project::with(&[("a.py", THREE.as_bytes()), ("tool", THREE.as_bytes())]);
    std::os::unix::fs::symlink("a.py", project.path("report")).unwrap();
    project
        .run(&["--output-file", "report"])
        .fails_with(&["Python file"]);
    project
        .run(&["--output-file", "./tool", "tool"])
        .fails_with(&["to be checked"]);
    assert_eq!(fs::read_to_string(project.path("a.py")).unwrap(), THREE);
}

#[test]
fn a_report_that_cannot_be_written_does_not_stop_the_others() {
    let project = Project::with(&[("a.py", THREE.as_bytes())]);
    let formats = [
        "github",
        "json=no/such/folder",
        "sarif=report.sarif",
        "junit=no/folder",
    ];
    let args = formats.map(|format| ["--output-format", format]).concat();
    let ran = project.run(&args);
    ran.fails_with(&[
        "error: no/such/folder: the report could not be written",
        "error: no/folder: the report could not be written",
    ]);
    assert_eq!(ran.stdout.lines().count(), 3);
    sarif::valid(&fs::read_to_string(project.path("report.sarif")).unwrap());
}

#[cfg(unix)]
#[test]
fn a_report_may_go_to_a_device_or_a_pipe() {
    let project = Project::with(&[("a.py", THREE.as_bytes())]);
    let wanted = run(&project, "gitlab").stdout;
    let ran = project.run(&["--output-format", "gitlab=/dev/stdout"]);
    assert_eq!((ran.code, &ran.stdout), (Some(1), &wanted));
    let ran = project.run(&["--output-format", "gitlab=/dev/stderr"]);
    assert!(ran.stderr.starts_with(&wanted), "{ran:?}");
    let fifo = project.path("fifo");
    let made = std::process::Command::new("mkfifo")
        .arg(&fifo)
        .status()
        .unwrap();
    assert!(made.success());
    let reader = std::thread::spawn(move || fs::read_to_string(fifo).unwrap());
    let ran = project.run(&["--output-format", "gitlab=fifo"]);
    assert_eq!((ran.code, reader.join().unwrap()), (Some(1), wanted));
}

#[cfg(target_os = "linux")]
#[test]
fn stdout_by_its_path_keeps_what_it_holds() {
    let project = Project::with(&[("a.py", THREE.as_bytes())]);
    project.put("log", b"before\n");
    let log = fs::File::options()
        .append(true)
        .open(project.path("log"))
        .unwrap();
    let status = std::process::Command::new(env!("CARGO_BIN_EXE_hoist-namedtuple"))
        .args([
            "--output-format",
            "concise",
            "--output-format",
            "json=/dev/stdout",
        ])
        .current_dir(project.root())
        .stdout(log)
        .stderr(std::process::Stdio::null())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(1));
    let log = fs::read_to_string(project.path("log")).unwrap();
    assert!(log.starts_with("before\na.py:5:12: HNT001 "), "{log}");
    assert!(log.ends_with("\n]\n"), "{log}");
}

#[cfg(unix)]
#[test]
fn the_name_of_a_report_may_be_no_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let project = Project::with(&[("a.py", THREE.as_bytes())]);
    let mut command = project.command();
    command
        .arg("--output-format")
        .arg(OsStr::from_bytes(b"json=a\xff,b=c"));
    assert_eq!(Ran::of(command.output().unwrap()).code, Some(1));
    assert!(
        project
            .root()
            .join(OsStr::from_bytes(b"a\xff,b=c"))
            .is_file()
    );
}
