//! Paths and names as long as a system takes, and longer.

use super::*;

/// A folder below the project's whose path has `length` bytes, made step by step, as no system takes it
/// in one; `into` are the bytes of a file `m.py` in it.
fn deep(project: &Project, length: usize, into: &[u8]) -> String {
    let script = "
import os, sys
length, text = int(sys.argv[1]), sys.stdin.buffer.read()
path, parts = 0, []
while path < length:
    part = 'd' * (250 if length - path > 252 else length - path)
    os.mkdir(part); os.chdir(part)
    parts.append(part); path += len(part) + 1
with open('m.py', 'wb') as file:
    file.write(text)
print('/'.join(parts))
";
    let mut command = assert_cmd::Command::new("python3");
    let length = length.to_string();
    let command = command
        .args(["-c", script, &length])
        .current_dir(project.root());
    let ran = Ran::of(command.write_stdin(into).output().unwrap());
    ran.stdout.trim_end().to_owned()
}

#[test]
fn a_path_of_four_thousand_characters_is_fixed() {
    let project = Project::with(&[]);
    let room = 4_040 - project.root().canonicalize().unwrap().as_os_str().len();
    let folder = deep(&project, room, SITE);
    assert!(folder.len() > 3_900);
    let file = project.path(&format!("{folder}/m.py"));
    for args in [vec!["--fix"], vec!["--fix", &format!("{folder}/m.py")]] {
        fs::write(&file, SITE).unwrap();
        assert_eq!(
            project.run(&args).stderr,
            "Found 1 finding in 1 of 1 file.\n  1 fixed\n"
        );
        assert!(is_fixed(&file));
    }
}

#[test]
fn a_path_with_no_room_for_a_file_beside_it_stays() {
    let project = Project::with(&[]);
    let room = 4_080 - project.root().canonicalize().unwrap().as_os_str().len();
    let folder = deep(&project, room, SITE);
    let file = format!("{folder}/m.py");
    let ran = concise(&project, &["--fix"]);
    assert_eq!(fs::read(project.path(&file)).unwrap(), SITE);
    if cfg!(target_os = "linux") {
        let sentence = format!(
            "error: {file}: its path is too long for another file beside it, so the fix was not written. Run in \
             a folder further down, or give its text on standard input (`-`), which writes no file.\n"
        );
        assert!(ran.stderr.starts_with(&sentence), "{}", ran.stderr);
        assert_eq!(ran.code, Some(2));
    }
}

#[test]
fn a_path_that_the_system_does_not_take_is_told() {
    let project = Project::with(&[("m.py", SITE)]);
    deep(&project, 4_300, SITE);
    let sentence = "it, or a name in it, is longer than the system takes (File name too long (os error 36)). Run in a folder closer to it, or shorten the name.\n";
    let ran = concise(&project, &["."]);
    assert_eq!((ran.code, ran.stdout), (Some(2), format!("m.py:{FINDING}")));
    assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
    if cfg!(target_os = "linux") {
        assert!(
            ran.stderr.starts_with("error: ddd") && ran.stderr.ends_with(sentence),
            "{}",
            ran.stderr
        );
    }
    for path in ["n".repeat(300), "n/".repeat(2_500)] {
        let ran = concise(&project, &[&path, "m.py"]);
        assert_eq!((ran.code, ran.stdout), (Some(2), format!("m.py:{FINDING}")));
        if cfg!(target_os = "linux") {
            assert_eq!(ran.stderr, format!("error: {path}: {sentence}"));
        }
    }
}

#[test]
fn a_name_of_255_bytes_is_fixed() {
    let name = format!("{}.py", "n".repeat(252));
    let project = Project::with(&[(&name, SITE)]);
    assert_eq!(project.run(&["--fix"]).code, Some(0));
    assert!(is_fixed(&project.path(&name)));
    assert_eq!(fs::read_dir(project.root()).unwrap().count(), 1);
}
