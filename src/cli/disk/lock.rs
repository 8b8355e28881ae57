//! One process at a time in a folder, as far as its file system has locks.

use std::fs::{File, TryLockError};
use std::path::Path;
use std::thread;
use std::time::Duration;

/// How often a lock is asked for that another process has, and how long it is waited in between: ten
/// seconds, in which any file is written.
const TRIES: usize = 1_000;
const PAUSE: Duration = Duration::from_millis(10);

/// Runs `job` while no other process runs one for the same folder. Where there are no locks, or another
/// process does not let go of one, it is run all the same.
pub(crate) fn locked<R>(folder: &Path, job: impl FnOnce() -> R) -> R {
    let lock = File::open(folder).ok();
    if let Some(lock) = &lock {
        for _ in 0..TRIES {
            match lock.try_lock() {
                Err(TryLockError::WouldBlock) => thread::sleep(PAUSE),
                _ => break,
            }
        }
    }
    // The lock ends with the file that has it.
    job()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn jobs_of_one_folder_run_one_by_one() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    locked(folder.path(), || {
                        most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        thread::sleep(PAUSE);
                        inside.fetch_sub(1, Ordering::SeqCst);
                    });
                });
            }
        });
        assert_eq!(most.into_inner(), 1);
    }

    #[test]
    fn a_folder_that_cannot_be_opened_is_no_hindrance() {
        assert_eq!(locked(Path::new("no/such/folder"), || 1), 1);
    }
}
