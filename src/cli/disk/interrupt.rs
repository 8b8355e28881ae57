//! Ctrl-C ends the program at once, but not between a temporary file and its rename.

#[cfg(not(unix))]
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock};

/// Read by those who write a file, and written by who ends the program.
static WRITING: RwLock<()> = RwLock::new(());

/// Whether the program is about to end, so that no further write begins.
static ENDING: AtomicBool = AtomicBool::new(false);

/// The sentence for an error of [`wait_for_writes`].
pub(crate) const NOT_PREPARED: &str =
    "Ctrl-C could not be prepared for. Raise the limits on files and processes.";

/// Runs `write`, which an interrupt waits for.
pub(crate) fn uninterrupted<R>(write: impl FnOnce() -> R) -> R {
    let writing = WRITING.read().unwrap_or_else(PoisonError::into_inner);
    if ENDING.load(Ordering::SeqCst) {
        drop(writing);
        loop {
            std::thread::park();
        }
    }
    write()
}

#[cfg(unix)]
pub(crate) use unix::wait_for_writes;

#[cfg(unix)]
mod unix {
    use std::ffi::c_int;
    use std::io;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, TryLockError};
    use std::thread;
    use std::time::Duration;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::flag;
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    use super::{ENDING, WRITING};

    /// How long the writes that run are waited for: a second signal ends the program at once, and so
    /// does a disk that takes longer than thirty seconds.
    const PAUSE: Duration = Duration::from_millis(5);
    const PAUSES: usize = 6_000;

    /// From now on Ctrl-C, `kill` and a closed terminal end the program, as they did before, after the
    /// writes that run. A write beyond a limit on the size of files is an error and no end.
    ///
    /// # Errors
    /// When the signals cannot be watched or no thread can be started.
    pub(crate) fn wait_for_writes() -> io::Result<()> {
        flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
        let ignored = ignored();
        let watched = [SIGHUP, SIGINT, SIGTERM];
        let mut signals = Signals::new(watched.iter().filter(|signal| !ignored(**signal)))?;
        thread::Builder::new().spawn(move || {
            if let Some(signal) = signals.forever().next() {
                ENDING.store(true, Ordering::SeqCst);
                for _ in 0..PAUSES {
                    let is_written = !matches!(WRITING.try_write(), Err(TryLockError::WouldBlock));
                    if is_written || signals.pending().next().is_some() {
                        break;
                    }
                    thread::sleep(PAUSE);
                }
                // It ends the process; nothing is left to do should it fail.
                let _ = emulate_default_handler(signal);
            }
        })?;
        Ok(())
    }

    /// Which signals the process was started to ignore, as by `nohup`, and so does not watch
    /// (proc_pid_status(5), `SigIgn`); where the system does not tell, it may be that of `nohup`.
    fn ignored() -> impl Fn(c_int) -> bool {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status
            .lines()
            .find_map(|line| line.strip_prefix("SigIgn:"))
            .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
            .unwrap_or(1 << (SIGHUP - 1));
        move |signal| (mask >> (signal - 1)) & 1 == 1
    }
}

/// Elsewhere Ctrl-C may leave a temporary file behind; no file is ever half written.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub(crate) fn wait_for_writes() -> io::Result<()> {
    Ok(())
}
