//! Files of many megabytes, and of one line: `--max-file-size`, and no time without end.

use std::time::Duration;

use super::*;

const TOO_LARGE: &str =
    "the most that is checked. Raise that with --max-file-size, or leave it out with --exclude.";

#[test]
fn the_largest_size_is_an_option_and_a_key() {
    let bytes = SITE.as_bytes();
    let size = bytes.len();
    let project = Project::with(&[("m.py", bytes)]);
    let one_less = format!("{}b", size - 1);
    let ran = project.run(&["--fix", "--max-file-size", &one_less, "m.py"]);
    let error = format!(
        "error: m.py: it is larger than {} bytes, {TOO_LARGE}\n",
        size - 1
    );
    assert_eq!((ran.code, ran.stderr), (Some(2), error.clone()));
    assert_eq!(fs::read(project.path("m.py")).unwrap(), bytes);
    let key = format!("max-file-size={one_less}");
    assert_eq!(project.run(&["--config", &key, "m.py"]).stderr, error);
    project.put(
        "hoist-namedtuple.toml",
        format!("max-file-size = '{}'\n", size - 1).as_bytes(),
    );
    assert_eq!(project.run(&["."]).stderr, error);
    let ran = project.run(&["--fix", "--max-file-size", &size.to_string(), "."]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn the_key_counts_in_the_working_folder_only() {
    let project = Project::with(&[("sub/m.py", SITE.as_bytes())]);
    project.put("sub/hoist-namedtuple.toml", b"max-file-size = '1'\n");
    assert_eq!(project.run(&["."]).code, Some(1));
    let shown = project
        .run(&["--show-settings", "--max-file-size", "1G"])
        .stdout;
    assert!(shown.contains("max-file-size = \"1 GiB\"\n"), "{shown}");
}

#[test]
fn what_is_no_size_is_told() {
    let project = Project::with(&[]);
    for (value, error) in [
        (
            "64MX",
            "it is no size. Give a whole number of bytes, or one with a unit, such as 500k, 64MiB or 1GB.",
        ),
        ("0", "it must be between 1 byte and 2 GiB, such as 64MiB."),
        ("3G", "it must be between 1 byte and 2 GiB, such as 64MiB."),
    ] {
        let ran = project.run(&["--max-file-size", value]);
        let start =
            format!("error: invalid value '{value}' for '--max-file-size <SIZE>': {error}\n");
        assert!(ran.stderr.starts_with(&start), "{ran:?}");
        assert_eq!(ran.code, Some(2));
        let key = format!("max-file-size='{value}'");
        let ran = project.run(&["--config", &key]);
        let error = format!("error: --config {key}: `{value}` is wrong here: {error}\n");
        assert_eq!((ran.code, ran.stderr), (Some(2), error));
    }
}

#[test]
fn standard_input_obeys_and_is_echoed_whole_under_fix() {
    let project = Project::with(&[]);
    let text = format!("{SITE}{}", "# more\n".repeat(100_000));
    let run = |args: &[&str]| {
        let mut command = project.command();
        command.args(args).args(["--max-file-size", "1k", "-"]);
        Ran::of(command.write_stdin(text.as_bytes()).output().unwrap())
    };
    let error = format!("error: <stdin>: it is larger than 1 KiB, {TOO_LARGE}\n");
    let ran = run(&["--fix"]);
    assert_eq!((ran.code, ran.stderr), (Some(2), error.clone()));
    assert!(ran.stdout == text);
    for args in [&[][..], &["--diff"]] {
        let ran = run(args);
        assert_eq!(
            (ran.code, ran.stdout.as_str(), ran.stderr),
            (Some(2), "", error.clone())
        );
    }
}

#[cfg(unix)]
#[test]
fn standard_input_without_end_is_read_up_to_the_limit() {
    let project = Project::with(&[]);
    let zero = fs::File::open("/dev/zero").unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_hoist-namedtuple"));
    command
        .args(["--max-file-size", "1M", "-"])
        .current_dir(project.root())
        .stdin(zero);
    let ran = Ran::of(command.output().unwrap());
    assert_eq!(
        ran.stderr,
        format!("error: <stdin>: it is larger than 1 MiB, {TOO_LARGE}\n")
    );
}

#[cfg(unix)]
#[test]
fn a_file_of_holes_is_not_searched() {
    let project = Project::with(&[("good.py", SITE.as_bytes())]);
    fs::File::create(project.path("bad.py"))
        .unwrap()
        .set_len(1 << 42)
        .unwrap();
    // To search it would take an hour.
    let mut command = project.command();
    command.args(["--fix", "."]).timeout(Duration::from_mins(5));
    let ran = Ran::of(command.output().unwrap());
    let error = format!("error: bad.py: it is larger than 32 MiB, {TOO_LARGE}\n");
    assert_eq!(
        ran.stderr,
        error + "Found 1 finding in 1 of 2 files.\n  1 fixed\n"
    );
}

#[test]
fn a_line_of_twenty_megabytes_is_checked() {
    let text = format!("{SITE}x = '{}'\n", "long ".repeat(4 << 20));
    assert!(text.len() > 20_000_000);
    fixed(text.as_bytes());
}

#[test]
fn a_million_tokens_on_a_line_are_checked() {
    fixed(format!("{SITE}x = [{}]\n", "1, ".repeat(500_000)).as_bytes());
    fixed(format!("{SITE}{}\n", "x = 1; ".repeat(20_000)).as_bytes());
    let call = "f = lambda a: namedtuple('P', 'x')(a); ";
    let import = "from collections import namedtuple\n";
    let around = "x = 1; ".repeat(5_000);
    fixed(format!("{import}{around}{call}{around}\n").as_bytes());
}

#[test]
fn thousands_of_definitions_of_one_name_are_checked() {
    let import = "from collections import namedtuple\nf = lambda a: namedtuple('P', 'x')(a)\n";
    for definition in [
        "def g(): pass\n",
        "@overload\ndef g(): ...\n",
        "class G: pass\n",
    ] {
        fixed(format!("{import}{}", definition.repeat(4_000)).as_bytes());
    }
}
