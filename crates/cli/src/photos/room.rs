//! Room for the pixels of photos that are decoded side by side: all of them together take no more than was said.
//!
//! One photo may take 200 MB, and each thread decodes one: without this, four huge ones that lie beside each other would take four times
//! as much.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// So many bytes of memory, handed out to those that decode.
pub struct Room {
    most: u64,
    taken: Mutex<u64>,
    freed: Condvar,
    /// Held by the one that waits for room: who needs much is not passed by those that need little, again and again.
    door: Mutex<()>,
}

impl Room {
    /// Room for so many bytes.
    pub fn new(most: u64) -> Self {
        Self { most, taken: Mutex::default(), freed: Condvar::new(), door: Mutex::default() }
    }

    /// Waits until there are so many bytes left, and has them until what is returned is dropped. Who needs more than there is has all of
    /// it.
    pub fn take(&self, bytes: u64) -> Taken<'_> {
        let bytes = bytes.min(self.most);
        let door = unpoisoned(self.door.lock());
        let mut taken = unpoisoned(self.taken.lock());
        while *taken + bytes > self.most {
            taken = unpoisoned(self.freed.wait(taken));
        }
        *taken += bytes;
        drop(door);
        Taken { room: self, bytes }
    }
}

/// Bytes that are taken.
pub struct Taken<'a> {
    room: &'a Room,
    bytes: u64,
}

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        *unpoisoned(self.room.taken.lock()) -= self.bytes;
        self.room.freed.notify_all();
    }
}

/// A decoder that panicked has given its bytes back all the same.
fn unpoisoned<'a, T>(lock: Result<MutexGuard<'a, T>, PoisonError<MutexGuard<'a, T>>>) -> MutexGuard<'a, T> {
    lock.unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn no_more_is_taken_than_there_is_and_everybody_gets_in() {
        let (room, now, most) = (Room::new(100), AtomicU64::new(0), AtomicU64::new(0));
        thread::scope(|scope| {
            for thread in 0..4 {
                let (room, now, most) = (&room, &now, &most);
                scope.spawn(move || {
                    for turn in 0..200 {
                        // Nothing, little, half, all, and more than there is.
                        let bytes = [0, 10, 50, 100, 1_000][(thread + turn) % 5];
                        let taken = room.take(bytes);
                        most.fetch_max(
                            now.fetch_add(taken.bytes, Ordering::SeqCst) + taken.bytes,
                            Ordering::SeqCst,
                        );
                        thread::yield_now();
                        now.fetch_sub(taken.bytes, Ordering::SeqCst);
                    }
                });
            }
        });
        assert_eq!((now.into_inner(), most.into_inner()), (0, 100));
    }

    #[test]
    fn what_a_decoder_that_panics_had_comes_back() {
        let room = Room::new(100);
        let broken = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let _taken = room.take(100);
            std::panic::resume_unwind(Box::new("broken"));
        }));
        assert!(broken.is_err());
        drop(room.take(100));
    }
}
