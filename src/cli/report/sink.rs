//! Sinks: a report in each wanted format, and the bytes that it came to so far.

use std::io;
use std::mem;
use std::path::{Path, PathBuf};

use super::emitter::{self, Emitter};
use super::escapes::{self, Escape};
use super::root::Root;
use super::{Findings, Trouble};
use crate::cli::output::Output;
use crate::cli::problem::Problem;
use crate::rule::Registry;

/// All reports of a run.
pub(crate) struct Sinks {
    root: Root,
    sinks: Vec<Sink>,
}

/// One report.
struct Sink {
    emitter: Box<dyn Emitter>,
    /// Where its bytes go at the end; to a stream, as they come, without one.
    file: Option<PathBuf>,
    bytes: Vec<u8>,
    /// How characters are written that what reads the bytes would obey; `None` where the emitter
    /// writes none.
    escape: Option<Escape>,
}

impl Sink {
    /// Lets the emitter `write` some more, and escapes that.
    fn add(
        &mut self,
        write: impl FnOnce(&mut dyn Emitter, &mut Vec<u8>) -> io::Result<()>,
    ) -> io::Result<()> {
        let start = self.bytes.len();
        write(self.emitter.as_mut(), &mut self.bytes)?;
        if let Some(escape) = self.escape {
            let added = self.bytes.split_off(start);
            self.bytes
                .extend_from_slice(&escapes::escaped(added, escape));
        }
        Ok(())
    }
}

impl Sinks {
    /// Reports for `outputs`, of findings or, with `statistics`, of their counts.
    ///
    /// `color` is whether the stream shows colours.
    pub(crate) fn new(outputs: &[Output], statistics: bool, color: bool, root: Root) -> Self {
        let sink = |output: &Output| {
            let color = color && output.file.is_none();
            Sink {
                emitter: if statistics {
                    emitter::of_statistics(output.format)
                } else {
                    emitter::of_findings(output.format, color, &root)
                },
                file: output.file.clone(),
                bytes: Vec::new(),
                escape: escapes::of(output.format, color),
            }
        };
        Self {
            sinks: outputs.iter().map(sink).collect(),
            root,
        }
    }

    /// Begins all reports of a run whose working folder goes by `rules`.
    ///
    /// # Errors
    /// When a report cannot be made; so do the others.
    pub(crate) fn start(&mut self, rules: &'static Registry) -> io::Result<()> {
        self.each(|emitter, bytes| emitter.start(bytes, rules))
    }

    /// Takes the findings of the next file.
    pub(crate) fn findings(&mut self, findings: Findings<'_>) -> io::Result<()> {
        let Self { root, sinks } = self;
        findings.each(root, |finding| {
            sinks
                .iter_mut()
                .try_for_each(|sink| sink.add(|emitter, bytes| emitter.finding(bytes, finding)))
        })
    }

    /// Takes a file that something went wrong with.
    pub(crate) fn problem(&mut self, problem: &Problem) -> io::Result<()> {
        let place = self.root.place(&problem.path);
        let trouble = Trouble {
            problem,
            place: &place,
        };
        self.each(|emitter, bytes| emitter.trouble(bytes, &trouble))
    }

    /// Ends all reports.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.each(|emitter, bytes| emitter.finish(bytes))
    }

    /// What has come up for the stream since the last call.
    pub(crate) fn take_stream(&mut self) -> Vec<u8> {
        let mut streams = self.sinks.iter_mut().filter(|sink| sink.file.is_none());
        let sink = streams.next();
        sink.map(|sink| mem::take(&mut sink.bytes))
            .unwrap_or_default()
    }

    /// The files to write, with their bytes.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&Path, &[u8])> {
        let sinks = self.sinks.iter();
        sinks.filter_map(|sink| Some((sink.file.as_deref()?, sink.bytes.as_slice())))
    }

    fn each(
        &mut self,
        write: impl Fn(&mut dyn Emitter, &mut Vec<u8>) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut sinks = self.sinks.iter_mut();
        sinks.try_for_each(|sink| sink.add(&write))
    }
}
