//! Work on many items by a few threads with large stacks, with results in the items' order.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZero;
use std::sync::mpsc;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The parser recurses, and long chains such as `a + a + …` are valid Python. Only what is used of
/// a stack takes memory.
const STACK_SIZE: usize = 256 * 1024 * 1024;

/// So many results may wait for an earlier one, which bounds the memory that they take.
const MOST_WAITING: usize = 256;

/// Runs `job` on each of `items` and hands the results to `take` in the order of the items.
///
/// `job` runs on other threads, `take` on this one.
///
/// # Errors
/// When no thread can be started.
pub(crate) fn in_order<T: Sync, R: Send>(
    items: &[T],
    job: impl Fn(&T) -> R + Sync,
    mut take: impl FnMut(R),
) -> io::Result<()> {
    let queue = Queue::new(items);
    let (sender, receiver) = mpsc::channel();
    let work = |sender: mpsc::Sender<(usize, R)>| {
        let _no_wait = NoWait(&queue);
        while let Some((index, item)) = queue.claim() {
            if sender.send((index, job(item))).is_err() {
                break;
            }
        }
    };
    thread::scope(|scope| {
        for started in 0..thread_count(items.len()) {
            let (sender, work) = (sender.clone(), &work);
            let builder = thread::Builder::new().stack_size(STACK_SIZE);
            match builder.spawn_scoped(scope, move || work(sender)) {
                Ok(_) => {}
                Err(error) if started == 0 => return Err(error),
                // Fewer threads do the same work.
                Err(_) => break,
            }
        }
        drop(sender);
        let _no_wait = NoWait(&queue);
        let mut waiting = BTreeMap::new();
        let mut turn = 0;
        for (index, result) in receiver {
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&turn) {
                take(result);
                turn += 1;
            }
            queue.advance(turn);
        }
        Ok(())
    })
}

/// Items that are handed out in order, none too far ahead of the first whose result is not taken.
struct Queue<'a, T> {
    items: &'a [T],
    position: Mutex<Position>,
    advanced: Condvar,
}

#[derive(Default)]
struct Position {
    /// The first item that is not handed out.
    next: usize,
    /// The first item whose result is not taken.
    turn: usize,
}

impl<'a, T> Queue<'a, T> {
    fn new(items: &'a [T]) -> Self {
        Self {
            items,
            position: Mutex::default(),
            advanced: Condvar::new(),
        }
    }

    /// The next item, with its index; waits for the results of earlier ones.
    fn claim(&self) -> Option<(usize, &'a T)> {
        let is_ahead =
            |position: &mut Position| position.next >= position.turn.saturating_add(MOST_WAITING);
        let waited = self.advanced.wait_while(self.position(), is_ahead);
        let mut position = waited.unwrap_or_else(PoisonError::into_inner);
        let index = position.next;
        position.next += 1;
        Some((index, self.items.get(index)?))
    }

    /// Tells that the results of all items before `turn` are taken.
    fn advance(&self, turn: usize) {
        let mut position = self.position();
        position.turn = position.turn.max(turn);
        drop(position);
        self.advanced.notify_all();
    }

    fn position(&self) -> MutexGuard<'_, Position> {
        self.position.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whoever is done, be it by a panic, lets nobody wait for results that do not come.
struct NoWait<'q, 'a, T>(&'q Queue<'a, T>);

impl<T> Drop for NoWait<'_, '_, T> {
    fn drop(&mut self) {
        self.0.advance(usize::MAX);
    }
}

fn thread_count(items: usize) -> usize {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    cores.min(items)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let items: Vec<u64> = (0..50).collect();
        let mut taken = Vec::new();
        let job = |item: &u64| {
            thread::sleep(Duration::from_millis((50 - item) % 7));
            *item
        };
        in_order(&items, job, |item| taken.push(item)).unwrap();
        assert_eq!(taken, items);
    }

    #[test]
    fn no_job_is_far_ahead_of_the_results_that_are_taken() {
        let items: Vec<usize> = (0..4 * MOST_WAITING).collect();
        let (started, mut most) = (AtomicUsize::new(0), 0);
        let job = |item: &usize| {
            if *item == 0 {
                thread::sleep(Duration::from_millis(50));
            }
            started.fetch_max(*item, Ordering::Relaxed)
        };
        let mut taken = 0;
        in_order(&items, job, |_| {
            most = most.max(started.load(Ordering::Relaxed) - taken);
            taken += 1;
        })
        .unwrap();
        assert_eq!(taken, items.len());
        assert!(most <= MOST_WAITING, "{most}");
    }

    #[test]
    fn nobody_waits_for_a_result_that_does_not_come() {
        let items: Vec<usize> = (0..8 * MOST_WAITING).collect();
        let panics = |job: fn(&usize), take: fn(())| {
            std::panic::catch_unwind(|| in_order(&items, job, take)).is_err()
        };
        assert!(panics(|item| assert_ne!(*item, 3, "on purpose"), drop));
        assert!(panics(|_| (), |()| panic!("on purpose")));
    }

    #[test]
    fn a_job_may_recurse_deeply() {
        #[inline(never)]
        fn depth(left: usize) -> usize {
            let room = std::hint::black_box([left; 64]);
            if left == 0 {
                room[0]
            } else {
                depth(left - 1) + 1
            }
        }
        let mut taken = 0;
        in_order(&[100_000], |item| depth(*item), |result| taken = result).unwrap();
        assert_eq!(taken, 100_000);
    }

    #[test]
    fn no_items_need_no_thread() {
        in_order(&[], |item: &u8| *item, |_| panic!("nothing to take")).unwrap();
    }
}
