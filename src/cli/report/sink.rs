//! Sinks: a report in each wanted format, and the bytes that it came to so far.

use std::io;
use std::mem;
use std::path::{Path, PathBuf};

use super::emitter::{self, Emitter};
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
}

impl Sinks {
    /// Reports for `outputs`, of findings or, with `statistics`, of their counts.
    ///
    /// `color` is whether the stream shows colours.
    pub(crate) fn new(outputs: &[Output], statistics: bool, color: bool, root: Root) -> Self {
        let sink = |output: &Output| Sink {
            emitter: if statistics {
                emitter::of_statistics(output.format)
            } else {
                emitter::of_findings(output.format, color && output.file.is_none(), &root)
            },
            file: output.file.clone(),
            bytes: Vec::new(),
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
        self.each(|sink| sink.emitter.start(&mut sink.bytes, rules))
    }

    /// Takes the findings of the next file.
    pub(crate) fn findings(&mut self, findings: Findings<'_>) -> io::Result<()> {
        let Self { root, sinks } = self;
        findings.each(root, |finding| {
            sinks
                .iter_mut()
                .try_for_each(|sink| sink.emitter.finding(&mut sink.bytes, finding))
        })
    }

    /// Takes a file that something went wrong with.
    pub(crate) fn problem(&mut self, problem: &Problem) -> io::Result<()> {
        let place = self.root.place(&problem.path);
        let trouble = Trouble {
            problem,
            place: &place,
        };
        self.each(|sink| sink.emitter.trouble(&mut sink.bytes, &trouble))
    }

    /// Ends all reports.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.each(|sink| sink.emitter.finish(&mut sink.bytes))
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

    fn each(&mut self, write: impl FnMut(&mut Sink) -> io::Result<()>) -> io::Result<()> {
        self.sinks.iter_mut().try_for_each(write)
    }
}
