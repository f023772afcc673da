//! Time that passes when nothing else can happen: a conversation of an hour takes as long as its work does, and twice the same is twice
//! the same time.

use std::cell::{Cell, RefCell};
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Waker};

use agent::Clock;
use async_trait::async_trait;
use futures::task::ArcWake;
use jiff::Timestamp;
use jiff::civil::DateTime;

/// When a conversation begins whose scenario does not say so: a Friday.
pub const STARTS_AT: &str = "2026-01-02T09:00:00";

/// Simulated time. It stands still while there is work, then jumps to the next thing that is due. Clones are the same time.
#[derive(Clone, Default)]
pub struct SimulatedTime(Rc<Inner>);

#[derive(Default)]
struct Inner {
    now_ms: Cell<i64>,
    sleepers: RefCell<Vec<(i64, Waker)>>,
}

/// Nothing goes on and nothing is due: what was waited for never comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("nothing goes on, and nothing is waited for that a time would bring")]
pub struct Stuck;

impl SimulatedTime {
    /// Time that begins then, in Unix milliseconds.
    #[must_use]
    pub fn at(now_ms: i64) -> Self {
        let time = Self::default();
        time.0.now_ms.set(now_ms);
        time
    }

    /// Runs work to its end, letting time jump.
    ///
    /// # Errors
    /// [`Stuck`].
    pub fn run<T>(&self, work: impl Future<Output = T>) -> Result<T, Stuck> {
        let mut work = Box::pin(work);
        let flag = Arc::new(Flag(AtomicBool::new(true)));
        let waker = futures::task::waker(Arc::clone(&flag));
        let mut cx = Context::from_waker(&waker);
        loop {
            while flag.0.swap(false, Ordering::Relaxed) {
                if let Poll::Ready(value) = work.as_mut().poll(&mut cx) {
                    return Ok(value);
                }
            }
            self.jump()?;
        }
    }

    /// One step of [`Self::run`] for an executor of somebody else's: time jumps to the next thing that is due.
    ///
    /// # Errors
    /// [`Stuck`].
    pub fn jump(&self) -> Result<(), Stuck> {
        let due_ms = self.0.sleepers.borrow().iter().map(|(due_ms, _)| *due_ms).min().ok_or(Stuck)?;
        self.0.now_ms.set(self.0.now_ms.get().max(due_ms));
        let (due, later): (Vec<_>, Vec<_>) =
            self.0.sleepers.take().into_iter().partition(|(at_ms, _)| *at_ms <= due_ms);
        self.0.sleepers.replace(later);
        due.into_iter().for_each(|(_, waker)| waker.wake());
        Ok(())
    }
}

#[async_trait(?Send)]
impl Clock for SimulatedTime {
    fn now_ms(&self) -> i64 {
        self.0.now_ms.get()
    }

    async fn sleep(&self, ms: u64) {
        let due_ms = self.now_ms().saturating_add(i64::try_from(ms).unwrap_or(i64::MAX));
        Sleep { time: self.clone(), due_ms }.await;
    }
}

struct Sleep {
    time: SimulatedTime,
    due_ms: i64,
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        if self.time.now_ms() >= self.due_ms {
            return Poll::Ready(());
        }
        self.time.0.sleepers.borrow_mut().push((self.due_ms, cx.waker().clone()));
        Poll::Pending
    }
}

struct Flag(AtomicBool);

impl ArcWake for Flag {
    fn wake_by_ref(arc_self: &Arc<Self>) {
        arc_self.0.store(true, Ordering::Relaxed);
    }
}

/// A time as records have it: ISO 8601 in UTC with microseconds, without a letter for the zone (S2-30).
#[must_use]
pub fn iso(at_ms: i64) -> String {
    let civil = Timestamp::from_millisecond(at_ms).unwrap_or(Timestamp::UNIX_EPOCH).to_string();
    let (seconds, fraction) = match civil.trim_end_matches('Z').split_once('.') {
        Some((seconds, fraction)) => (seconds.to_owned(), fraction.to_owned()),
        None => (civil.trim_end_matches('Z').to_owned(), String::new()),
    };
    format!("{seconds}.{fraction:0<6}")
}

/// The moment of a civil time in UTC, in Unix milliseconds.
///
/// # Errors
/// When it is no date with a time: what would be one.
pub fn moment(civil: &str) -> Result<i64, String> {
    let read: Result<DateTime, _> = civil.parse();
    let zoned = read.and_then(|civil| civil.to_zoned(jiff::tz::TimeZone::UTC));
    zoned
        .map(|zoned| zoned.timestamp().as_millisecond())
        .map_err(|_| format!("“{civil}” is no time: write it as {STARTS_AT}"))
}

/// The civil time and the weekday of a moment in UTC, as a model is told them.
pub(crate) fn civil(at_ms: i64) -> (String, String) {
    let at = Timestamp::from_millisecond(at_ms).unwrap_or(Timestamp::UNIX_EPOCH);
    let zoned = at.to_zoned(jiff::tz::TimeZone::UTC);
    (zoned.strftime("%Y-%m-%dT%H:%M%:z").to_string(), zoned.strftime("%A").to_string())
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use super::*;

    #[test]
    fn time_jumps_to_what_is_due_and_what_never_comes_is_said() {
        let time = SimulatedTime::at(1_000);
        let slept = time.run(async {
            futures::join!(time.sleep(3_600_000), async {
                time.sleep(5).await;
                assert_eq!(time.now_ms(), 1_005);
            });
            time.now_ms()
        });
        assert_eq!(slept, Ok(3_601_000));
        assert_eq!(time.run(pending::<()>()), Err(Stuck));
    }

    /// S2-30: the golden turn's time has six digits after the second.
    #[test]
    fn times_are_written_with_microseconds() {
        assert_eq!(iso(1_750_961_232_088), "2025-06-26T18:07:12.088000");
        assert_eq!(iso(moment(STARTS_AT).unwrap()), "2026-01-02T09:00:00.000000");
        assert_eq!(civil(moment(STARTS_AT).unwrap()), ("2026-01-02T09:00+00:00".into(), "Friday".into()));
        assert!(moment("tomorrow").is_err());
    }
}
