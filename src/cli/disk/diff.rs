//! Unified diffs that `git apply` and `patch -p1` take, made from bytes.

use std::ops::Range;
use std::path::Path;

use rustc_hash::FxHashMap;
use similar::{Algorithm, DiffOp, DiffTag, capture_diff_slices, group_diff_ops};

/// How many unchanged lines stand around a change.
const CONTEXT: usize = 3;

/// The unified diff from `before` to `after` of the file shown as `path`; empty when they are equal.
///
/// Lines end at `\n` alone, so a lone `\r` is part of its line, as git has it. The names in the
/// header are `a/path` and `b/path`, quoted as git does (`core.quotePath`), with a tab behind a name
/// that holds a space; an absolute path stands without its first slash.
pub(crate) fn unified<'t>(before: &'t [u8], after: &'t [u8], path: &Path) -> Vec<u8> {
    let mut out = Vec::new();
    if before == after {
        return out;
    }
    let old: Vec<&[u8]> = before.split_inclusive(|byte| *byte == b'\n').collect();
    let new: Vec<&[u8]> = after.split_inclusive(|byte| *byte == b'\n').collect();
    let name = header_name(path);
    for (marker, side) in [("---", b'a'), ("+++", b'b')] {
        out.extend_from_slice(marker.as_bytes());
        out.push(b' ');
        out.extend_from_slice(&quoted(side, &name));
        out.push(b'\n');
    }
    let mut numbers = FxHashMap::default();
    let mut numbered = |lines: &[&'t [u8]]| -> Vec<usize> {
        let number = |line: &&'t [u8]| {
            let next = numbers.len();
            *numbers.entry(*line).or_insert(next)
        };
        lines.iter().map(number).collect()
    };
    // Patience anchors on lines that occur once, which keeps thousands of small changes linear.
    // Numbers are compared faster than lines.
    let ops = capture_diff_slices(Algorithm::Patience, &numbered(&old), &numbered(&new));
    for hunk in group_diff_ops(ops, CONTEXT) {
        write_hunk(&mut out, &hunk, &old, &new);
    }
    out
}

fn write_hunk(out: &mut Vec<u8>, hunk: &[DiffOp], old: &[&[u8]], new: &[&[u8]]) {
    let (Some(first), Some(last)) = (hunk.first(), hunk.last()) else {
        return;
    };
    let old_range = first.old_range().start..last.old_range().end;
    let new_range = first.new_range().start..last.new_range().end;
    let header = format!("@@ -{} +{} @@\n", span(&old_range), span(&new_range));
    out.extend_from_slice(header.as_bytes());
    for op in hunk {
        if op.tag() == DiffTag::Equal {
            write_lines(out, b' ', old, op.old_range());
        } else {
            write_lines(out, b'-', old, op.old_range());
            write_lines(out, b'+', new, op.new_range());
        }
    }
}

fn write_lines(out: &mut Vec<u8>, marker: u8, lines: &[&[u8]], range: Range<usize>) {
    for line in lines.get(range).unwrap_or_default() {
        out.push(marker);
        out.extend_from_slice(line);
        if !line.ends_with(b"\n") {
            out.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}

/// A range of lines as hunk headers count: from 1, and an empty one by the line before it.
fn span(range: &Range<usize>) -> String {
    match range.len() {
        0 => format!("{},0", range.start),
        1 => format!("{}", range.start + 1),
        length => format!("{},{length}", range.start + 1),
    }
}

fn header_name(path: &Path) -> Vec<u8> {
    let bytes = path.as_os_str().as_encoded_bytes();
    let mut name = bytes.strip_prefix(b"/").unwrap_or(bytes).to_vec();
    if cfg!(windows) {
        name.iter_mut()
            .filter(|byte| **byte == b'\\')
            .for_each(|byte| *byte = b'/');
    }
    name
}

/// `side/name` with git's C-style quotes where it has special or non-ASCII bytes, and a tab after
/// a name with a space, where `patch` would take the rest for a date.
fn quoted(side: u8, name: &[u8]) -> Vec<u8> {
    let mut out = vec![side, b'/'];
    let special = |byte: &u8| !(0x20..0x7f).contains(byte) || matches!(byte, b'"' | b'\\');
    if name.iter().any(special) {
        out.insert(0, b'"');
        name.iter().for_each(|byte| push_escaped(&mut out, *byte));
        out.push(b'"');
    } else {
        out.extend_from_slice(name);
    }
    if name.contains(&b' ') {
        out.push(b'\t');
    }
    out
}

fn push_escaped(out: &mut Vec<u8>, byte: u8) {
    let letter = match byte {
        0x07 => b'a',
        0x08 => b'b',
        b'\t' => b't',
        b'\n' => b'n',
        0x0b => b'v',
        0x0c => b'f',
        b'\r' => b'r',
        b'"' | b'\\' => byte,
        0x20..0x7f => return out.push(byte),
        _ => return out.extend_from_slice(format!("\\{byte:03o}").as_bytes()),
    };
    out.extend_from_slice(&[b'\\', letter]);
}

#[cfg(test)]
#[path = "diff_tests.rs"]
mod tests;
