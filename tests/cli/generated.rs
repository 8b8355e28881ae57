//! `--generate`: a shell really completes, and the manual page is one for `groff`.

use std::fs::File;
use std::io::ErrorKind;
use std::process::{Command, Output, Stdio};

use crate::project::{Project, Ran};

/// What bash offers for the last of `words`; `None` when there is no bash.
fn bash_completes(words: &[&str]) -> Option<Vec<String>> {
    let project = Project::with(&[]);
    let script = project.run(&["--generate", "completion-bash"]);
    assert_eq!((script.code, script.stderr.as_str()), (Some(0), ""));
    project.put("completion.bash", script.stdout.as_bytes());
    // As readline does it: the words, then the function with program, word and the one before.
    let ask = r#"source completion.bash || exit
        function=$(complete -p hoist-namedtuple | sed -n 's/.* -F \([^ ]*\) .*/\1/p')
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        "$function" hoist-namedtuple "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}""#;
    let mut command = Command::new("bash");
    command.args([
        "--norc",
        "--noprofile",
        "-c",
        ask,
        "bash",
        "hoist-namedtuple",
    ]);
    let output = run_if_there(command.args(words).current_dir(project.root()))?;
    let ran = Ran::of(output);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    Some(ran.stdout.lines().map(str::to_owned).collect())
}

/// The output of a command, or `None` when the machine does not have its program.
fn run_if_there(command: &mut Command) -> Option<Output> {
    let output = command.output();
    let is_missing = matches!(&output, Err(error) if error.kind() == ErrorKind::NotFound);
    (!is_missing).then(|| output.unwrap())
}

#[test]
fn bash_completes_options_values_and_rules() {
    for (words, wanted) in [
        (&["--out"][..], "--output-format"),
        (&["--out"], "--output-file"),
        (&["--fix", "--unsafe"], "--unsafe-fixes"),
        (&["--color", "ne"], "never"),
        (&["--generate", "completion-z"], "completion-zsh"),
        (&["src", "--select", "HNT0"], "HNT001"),
    ] {
        let Some(offered) = bash_completes(words) else {
            return;
        };
        assert!(
            offered.iter().any(|word| word == wanted),
            "{words:?}: {offered:?}"
        );
        let last = words.last().unwrap();
        assert!(
            offered.iter().all(|word| word.starts_with(last)),
            "{words:?}: {offered:?}"
        );
    }
}

#[test]
fn groff_has_nothing_against_the_manual_page() {
    let project = Project::with(&[]);
    let page = project.run(&["--generate", "man"]);
    assert_eq!((page.code, page.stderr.as_str()), (Some(0), ""));
    assert!(page.stdout.starts_with(".ie "), "{page:?}");
    project.put("page.1", page.stdout.as_bytes());
    let mut command = Command::new("groff");
    command.args(["-man", "-ww", "-Tutf8", "page.1"]);
    let Some(output) = run_if_there(command.current_dir(project.root())) else {
        return;
    };
    let ran = Ran::of(output);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(ran.stdout.contains("User Commands"), "{ran:?}");
}

#[test]
fn what_is_generated_is_all_that_is_done() {
    let project = Project::with(&[("m.py", b"def (:\n")]);
    project
        .run(&["--generate", "fish"])
        .fails_with(&["--generate", "completion-fish"]);
    project
        .run(&["--generate", "man", "--list-rules"])
        .fails_with(&["--generate", "--list-rules"]);
    let ran = project.run(&["--generate", "completion-fish", "m.py"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_pipe_that_nobody_reads_is_quiet() {
    let project = Project::with(&[]);
    project.put("reader.sh", b"exit 0\n");
    for what in ["completion-zsh", "man"] {
        let mut reader = Command::new("sh")
            .arg(project.path("reader.sh"))
            .stdin(Stdio::piped())
            .spawn()
            .unwrap();
        let pipe = reader.stdin.take().unwrap();
        reader.wait().unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_hoist-namedtuple"))
            .args(["--generate", what])
            .stdout(Stdio::from(pipe))
            .stderr(File::create(project.path("stderr")).unwrap())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{what}");
        assert_eq!(
            std::fs::read(project.path("stderr")).unwrap(),
            b"",
            "{what}"
        );
    }
}
