//! A reader of unified diffs, by which a shown diff is held against what a fix writes.

/// What the unified diff `diff` makes of `before`.
///
/// # Panics
/// When the diff does not fit.
#[must_use]
pub fn apply(before: &[u8], diff: &[u8]) -> Vec<u8> {
    let old: Vec<&[u8]> = before.split_inclusive(|byte| *byte == b'\n').collect();
    let (mut after, mut done) = (vec![], 0);
    let mut lines = diff
        .split_inclusive(|byte| *byte == b'\n')
        .skip(2)
        .peekable();
    while let Some(line) = lines.next() {
        let Some((sign, rest)) = line.split_first() else {
            continue;
        };
        let is_last = lines.peek().is_some_and(|next| next.starts_with(b"\\"));
        let content = if is_last {
            rest.strip_suffix(b"\n").unwrap_or(rest)
        } else {
            rest
        };
        match sign {
            b'@' => {
                let start = first_row(line);
                after.extend(old[done..start].concat());
                done = start;
            }
            b'+' => after.extend(content),
            b' ' | b'-' => {
                assert_eq!(old[done], content, "the diff does not fit");
                done += 1;
                if *sign == b' ' {
                    after.extend(content);
                }
            }
            _ => {}
        }
    }
    after.extend(old[done..].concat());
    after
}

/// How many old lines stand before the hunk with that header.
fn first_row(header: &[u8]) -> usize {
    let text = std::str::from_utf8(header).expect("a header is ASCII");
    let old = text
        .split(['-', ' '])
        .nth(2)
        .expect("a header names the old lines");
    let (row, length) = old.split_once(',').unwrap_or((old, "1"));
    let row: usize = row.parse().expect("a row is a number");
    if length == "0" { row } else { row - 1 }
}
