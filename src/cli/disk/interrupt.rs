//! Ctrl-C ends the program at once, but not between a temporary file and its rename.

use std::io;
use std::sync::{PoisonError, RwLock};

/// Read by those who write a file, and written by who ends the program.
static WRITING: RwLock<()> = RwLock::new(());

/// The sentence for an error of [`wait_for_writes`].
pub(crate) const NOT_PREPARED: &str =
    "Ctrl-C could not be prepared for. Raise the limits on files and processes.";

/// Runs `write`, which an interrupt waits for.
pub(crate) fn uninterrupted<R>(write: impl FnOnce() -> R) -> R {
    let _writing = WRITING.read().unwrap_or_else(PoisonError::into_inner);
    write()
}

/// From now on Ctrl-C and `kill` end the program, as they did before, after the writes that run.
///
/// # Errors
/// When the signals cannot be watched or no thread can be started.
#[cfg(unix)]
pub(crate) fn wait_for_writes() -> io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    std::thread::Builder::new().spawn(move || {
        for signal in signals.forever() {
            let _nobody_writes = WRITING.write().unwrap_or_else(PoisonError::into_inner);
            // It ends the process; nothing is left to do should it fail.
            let _ = emulate_default_handler(signal);
        }
    })?;
    Ok(())
}

/// Elsewhere Ctrl-C may leave a temporary file behind; no file is ever half written.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub(crate) fn wait_for_writes() -> io::Result<()> {
    Ok(())
}
