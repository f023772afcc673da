//! The queue that jobs go through: in this process here, and what carries them elsewhere later (a work queue of NATS JetStream, a table)
//! is another [`Queue`].
//!
//! A job that was taken is held, and a hold expires: whoever took it may have died. So a job may be given twice, and what must not
//! happen twice is told apart by [`Job::id`].

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use agent::Clock;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::prompts::PromptSpec;

/// A conversation that is to be played, with all that it takes: whoever has it needs no file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Job {
    /// [`crate::job_name`]: unique in a batch.
    pub id: String,
    /// The file that the scenario was read from, for people.
    pub file: Arc<str>,
    /// The scenario as JSON. Repetitions share it.
    pub scenario: Arc<str>,
    /// Which repetition, from 1.
    pub repeat: u32,
    /// The prompts that the scenario names, where they are not those that are always there.
    #[serde(default)]
    pub prompts: Arc<BTreeMap<String, PromptSpec>>,
}

/// A job that was taken.
#[derive(Clone, Debug, PartialEq)]
pub struct Held {
    /// The job.
    pub job: Job,
    /// How often it was given, this time included: from 1.
    pub attempt: u32,
    /// By what the queue knows this hold. Another hold of the same job has another one.
    pub receipt: String,
}

/// What a queue has to give.
#[derive(Clone, Debug, PartialEq)]
pub enum Taken {
    /// A job, held.
    Held(Box<Held>),
    /// Nothing now: what is left is held by others, and comes back where they do not end it.
    Later,
    /// Nothing any more.
    Over,
}

/// Why a queue did not do what it was told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueueError {
    /// The hold expired or was given up: somebody else may have the job. What was made of it is theirs to say.
    #[error("the job is not held any more")]
    NotHeld,
    /// The queue cannot be reached, in a sentence.
    #[error("the queue: {0}")]
    Unreachable(String),
}

/// A queue of jobs.
#[async_trait(?Send)]
pub trait Queue {
    /// Takes the next job and holds it for so long, in milliseconds.
    ///
    /// # Errors
    /// [`QueueError::Unreachable`].
    async fn take(&self, hold_ms: u64) -> Result<Taken, QueueError>;

    /// Holds it for so long from now on.
    ///
    /// # Errors
    /// [`QueueError::NotHeld`], [`QueueError::Unreachable`].
    async fn extend(&self, receipt: &str, hold_ms: u64) -> Result<(), QueueError>;

    /// It is done, and is never given again. Its result is kept before this is called.
    ///
    /// # Errors
    /// As [`Self::extend`].
    async fn done(&self, receipt: &str) -> Result<(), QueueError>;

    /// It was not done. It is given again, after all others.
    ///
    /// # Errors
    /// As [`Self::extend`].
    async fn failed(&self, receipt: &str) -> Result<(), QueueError>;
}

/// A queue in this process.
pub struct InProcess {
    waiting: RefCell<VecDeque<(Job, u32)>>,
    held: RefCell<BTreeMap<String, HeldUntil>>,
    clock: Rc<dyn Clock>,
    receipts: Cell<u64>,
}

struct HeldUntil {
    job: Job,
    attempt: u32,
    until_ms: i64,
}

impl InProcess {
    /// A queue of these jobs, in this order.
    #[must_use]
    pub fn new(jobs: impl IntoIterator<Item = Job>, clock: Rc<dyn Clock>) -> Self {
        Self {
            waiting: RefCell::new(jobs.into_iter().map(|job| (job, 0)).collect()),
            held: RefCell::default(),
            clock,
            receipts: Cell::default(),
        }
    }

    /// What was held for too long waits again.
    fn expire(&self) {
        let now_ms = self.clock.now_ms();
        let mut held = self.held.borrow_mut();
        let expired: Vec<String> = held
            .iter()
            .filter(|(_, held)| held.until_ms <= now_ms)
            .map(|(receipt, _)| receipt.clone())
            .collect();
        for receipt in expired {
            if let Some(HeldUntil { job, attempt, .. }) = held.remove(&receipt) {
                self.waiting.borrow_mut().push_back((job, attempt));
            }
        }
    }

    fn until(&self, hold_ms: u64) -> i64 {
        self.clock.now_ms().saturating_add(i64::try_from(hold_ms).unwrap_or(i64::MAX))
    }

    fn release(&self, receipt: &str) -> Result<HeldUntil, QueueError> {
        self.expire();
        self.held.borrow_mut().remove(receipt).ok_or(QueueError::NotHeld)
    }
}

#[async_trait(?Send)]
impl Queue for InProcess {
    async fn take(&self, hold_ms: u64) -> Result<Taken, QueueError> {
        self.expire();
        let next = self.waiting.borrow_mut().pop_front();
        let Some((job, given)) = next else {
            return Ok(if self.held.borrow().is_empty() { Taken::Over } else { Taken::Later });
        };
        self.receipts.set(self.receipts.get() + 1);
        let (receipt, attempt) = (self.receipts.get().to_string(), given + 1);
        let held = HeldUntil { job: job.clone(), attempt, until_ms: self.until(hold_ms) };
        self.held.borrow_mut().insert(receipt.clone(), held);
        Ok(Taken::Held(Box::new(Held { job, attempt, receipt })))
    }

    async fn extend(&self, receipt: &str, hold_ms: u64) -> Result<(), QueueError> {
        self.expire();
        let until_ms = self.until(hold_ms);
        let mut held = self.held.borrow_mut();
        held.get_mut(receipt).ok_or(QueueError::NotHeld)?.until_ms = until_ms;
        Ok(())
    }

    async fn done(&self, receipt: &str) -> Result<(), QueueError> {
        self.release(receipt).map(drop)
    }

    async fn failed(&self, receipt: &str) -> Result<(), QueueError> {
        let HeldUntil { job, attempt, .. } = self.release(receipt)?;
        self.waiting.borrow_mut().push_back((job, attempt));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SimulatedTime;

    fn jobs(count: u32) -> Vec<Job> {
        let job = |repeat| Job {
            id: crate::job_name("a", repeat),
            file: "a.yaml".into(),
            scenario: "{}".into(),
            repeat,
            prompts: Arc::default(),
        };
        (1..=count).map(job).collect()
    }

    async fn held(queue: &dyn Queue, hold_ms: u64) -> Held {
        match queue.take(hold_ms).await.unwrap() {
            Taken::Held(held) => *held,
            other => panic!("{other:?}"),
        }
    }

    /// What every queue keeps to.
    async fn contract(make: impl Fn(Vec<Job>, Rc<dyn Clock>) -> Box<dyn Queue>, time: &SimulatedTime) {
        let clock = || Rc::new(time.clone()) as Rc<dyn Clock>;
        assert_eq!(make(vec![], clock()).take(1_000).await, Ok(Taken::Over));

        // Each is given once, in order, and is over once it is done.
        let queue = make(jobs(2), clock());
        let (one, two) = (held(&*queue, 1_000).await, held(&*queue, 1_000).await);
        assert_eq!((one.job.id.as_str(), two.job.id.as_str(), one.attempt), ("a#1", "a#2", 1));
        assert_eq!(queue.take(1_000).await, Ok(Taken::Later));
        queue.done(&one.receipt).await.unwrap();
        assert_eq!(queue.done(&one.receipt).await, Err(QueueError::NotHeld));
        assert_eq!(queue.take(1_000).await, Ok(Taken::Later));

        // What failed is given again, under another receipt.
        queue.failed(&two.receipt).await.unwrap();
        let again = held(&*queue, 1_000).await;
        assert_eq!((again.job.id.as_str(), again.attempt), ("a#2", 2));
        assert_eq!(queue.done(&two.receipt).await, Err(QueueError::NotHeld));

        // A hold that is extended lasts, one that is not expires, and whoever had it learns so.
        time.sleep(900).await;
        queue.extend(&again.receipt, 1_000).await.unwrap();
        time.sleep(900).await;
        assert_eq!(queue.take(1_000).await, Ok(Taken::Later));
        time.sleep(200).await;
        let third = held(&*queue, 1_000).await;
        assert_eq!((third.job.id.as_str(), third.attempt), ("a#2", 3));
        assert_eq!(queue.extend(&again.receipt, 1).await, Err(QueueError::NotHeld));
        assert_eq!(queue.done(&again.receipt).await, Err(QueueError::NotHeld));
        assert_eq!(queue.failed(&again.receipt).await, Err(QueueError::NotHeld));
        queue.done(&third.receipt).await.unwrap();
        assert_eq!(queue.take(1_000).await, Ok(Taken::Over));
    }

    #[test]
    fn the_queue_in_this_process_keeps_to_the_contract() {
        let time = SimulatedTime::at(0);
        time.run(contract(|jobs, clock| Box::new(InProcess::new(jobs, clock)), &time)).unwrap();
    }
}
