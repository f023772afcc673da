//! What may come later than the rest of a program.

use std::cell::OnceCell;
use std::fmt;

use futures::future::LocalBoxFuture;

/// Fetches something once it is wanted.
pub type Load<T> = fn() -> LocalBoxFuture<'static, Result<T, NotLoaded>>;

/// Something that is here, or comes when it is first asked for. A program that is loaded often keeps apart what few calls
/// need; everywhere else all of it is here.
pub struct Part<T> {
    here: OnceCell<T>,
    load: Option<Load<T>>,
}

impl<T: Clone> Part<T> {
    /// What is here.
    pub fn here(part: T) -> Self {
        Self { here: OnceCell::from(part), load: None }
    }

    /// What `load` gives, the first time that it can.
    pub fn later(load: Load<T>) -> Self {
        Self { here: OnceCell::new(), load: Some(load) }
    }

    /// It, if it is here by now.
    pub fn peek(&self) -> Option<&T> {
        self.here.get()
    }

    /// It, fetched if it is not here.
    ///
    /// # Errors
    /// When it cannot be had now. The next call tries again.
    pub async fn get(&self) -> Result<T, NotLoaded> {
        match (self.here.get(), self.load) {
            (Some(part), _) => Ok(part.clone()),
            (None, Some(load)) => {
                let part = load().await?;
                Ok(self.here.get_or_init(|| part).clone())
            }
            (None, None) => Err(NotLoaded),
        }
    }
}

/// A part of the program could not be fetched. Nothing was done, and the next call tries again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotLoaded;

impl fmt::Display for NotLoaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("A part of the tool server could not be loaded, so nothing was done. Is there a network? Call again")
    }
}

impl std::error::Error for NotLoaded {}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use futures::FutureExt;
    use futures::executor::block_on;

    use super::*;

    thread_local! {
        static ASKED: Cell<u32> = const { Cell::new(0) };
    }

    /// Cannot be had the first time.
    fn at_the_second_try() -> LocalBoxFuture<'static, Result<u32, NotLoaded>> {
        ASKED.set(ASKED.get() + 1);
        let asked = ASKED.get();
        async move { if asked == 1 { Err(NotLoaded) } else { Ok(asked) } }.boxed_local()
    }

    #[test]
    fn what_could_not_be_had_is_tried_again_and_then_kept() {
        let part = Part::later(at_the_second_try);
        assert_eq!(part.peek(), None);
        assert_eq!(block_on(part.get()), Err(NotLoaded));
        assert_eq!(part.peek(), None);
        for _ in 0..2 {
            assert_eq!(block_on(part.get()), Ok(2));
        }
        assert_eq!((part.peek(), ASKED.get()), (Some(&2), 2));
    }

    #[test]
    fn what_is_here_is_not_fetched() {
        let part = Part::here("here");
        assert_eq!(part.peek(), Some(&"here"));
        assert_eq!(block_on(part.get()), Ok("here"));
    }
}
