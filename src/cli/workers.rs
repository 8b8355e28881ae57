//! Work on many items by a few threads with large stacks, with results in the items' order.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// The parser recurses, and long chains such as `a + a + …` are valid Python. Only what is used of
/// a stack takes memory.
const STACK_SIZE: usize = 256 * 1024 * 1024;

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
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let work = |sender: mpsc::Sender<(usize, R)>| {
        while let Some((index, item)) = claim(items, &next) {
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
        let mut waiting = BTreeMap::new();
        let mut turn = 0;
        for (index, result) in receiver {
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&turn) {
                take(result);
                turn += 1;
            }
        }
        Ok(())
    })
}

fn claim<'a, T>(items: &'a [T], next: &AtomicUsize) -> Option<(usize, &'a T)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    Some((index, items.get(index)?))
}

fn thread_count(items: usize) -> usize {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    cores.min(items)
}

#[cfg(test)]
mod tests {
    use super::*;
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
