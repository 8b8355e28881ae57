//! How far a long run is, on a terminal.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A run that takes no longer shows nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the line is drawn anew.
const TICK: Duration = Duration::from_millis(100);

/// A line on stderr that counts the files done. It shows when stderr is a terminal and the run
/// takes over a second, and is gone at the end.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: ProgressBar,
    /// Its end tells the waiting thread that the run is over.
    _running: mpsc::Sender<()>,
}

impl Progress {
    /// A line that never shows unless it `is_wanted`.
    pub(crate) fn new(is_wanted: bool) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_style(style("{spinner} Looking for files"));
        let (running, over) = mpsc::channel::<()>();
        if is_wanted {
            let bar = bar.clone();
            thread::spawn(move || {
                if over.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    bar.enable_steady_tick(TICK);
                }
            });
        }
        Self {
            bar,
            _running: running,
        }
    }

    /// Says how many files there are, and how many of them are not done yet.
    pub(crate) fn found(&self, files: usize, left: usize) {
        self.bar
            .set_style(style("{spinner} Checked {pos} of {len} files"));
        self.bar
            .set_length(u64::try_from(files).unwrap_or(u64::MAX));
        let done = files.saturating_sub(left);
        self.bar
            .set_position(u64::try_from(done).unwrap_or(u64::MAX));
    }

    /// Counts one file as done.
    pub(crate) fn advance(&self) {
        self.bar.inc(1);
    }

    /// Takes the line away for good.
    pub(crate) fn end(&self) {
        self.bar.finish_and_clear();
    }

    /// Runs `print`, which writes to the terminal, with the line out of the way.
    pub(crate) fn aside(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }
}

/// A template without colours; one that is wrong leaves the default style.
fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_templates_are_valid() {
        for template in [
            "{spinner} Looking for files",
            "{spinner} Checked {pos} of {len} files",
        ] {
            assert!(ProgressStyle::with_template(template).is_ok());
        }
    }

    #[test]
    fn files_are_counted() {
        let progress = Progress::new(false);
        progress.found(5, 2);
        progress.advance();
        let mut printed = false;
        progress.aside(|| printed = true);
        assert!(printed);
        assert_eq!(
            (progress.bar.position(), progress.bar.length()),
            (4, Some(5))
        );
    }
}
