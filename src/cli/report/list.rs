//! A JSON list that is written item by item, an item a line.

use std::io::{self, Write};

use serde::Serialize;

/// The list, as far as it is written.
#[derive(Debug, Default)]
pub(super) struct JsonList {
    has_items: bool,
}

impl JsonList {
    /// Writes what stands before the first item.
    pub(super) fn start(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(b"[")
    }

    /// Writes one more item.
    pub(super) fn item(&mut self, out: &mut dyn Write, item: &impl Serialize) -> io::Result<()> {
        out.write_all(if self.has_items { b",\n  " } else { b"\n  " })?;
        self.has_items = true;
        serde_json::to_writer(out, item).map_err(io::Error::from)
    }

    /// Writes what stands after the last item.
    pub(super) fn finish(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(if self.has_items { b"\n]\n" } else { b"]\n" })
    }
}
