//! How many messages a token may send in any minute (S4-33).

use std::collections::VecDeque;
use std::time::Duration;

const MINUTE: Duration = Duration::from_secs(60);

/// The messages of the last minute. Time comes in as an offset from any moment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Window(VecDeque<Duration>);

impl Window {
    /// Counts a message, where there is room for it.
    ///
    /// # Errors
    /// How long it takes until there is; such a message does not count.
    pub(crate) fn admit(&mut self, now: Duration, most: u32) -> Result<(), Duration> {
        while self.0.front().is_some_and(|at| *at + MINUTE <= now) {
            self.0.pop_front();
        }
        if self.0.len() >= usize::try_from(most).unwrap_or(usize::MAX) {
            return Err(self.0.front().map_or(MINUTE, |at| (*at + MINUTE).saturating_sub(now)));
        }
        self.0.push_back(now);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_slides() {
        let mut window = Window::default();
        // At second, the wait in seconds. Three in any minute.
        for (at, wait) in [(0, 0), (10, 0), (59, 0), (59, 1), (60, 0), (61, 9), (70, 0), (200, 0)] {
            let admitted = window.admit(Duration::from_secs(at), 3);
            let expected = if wait == 0 { Ok(()) } else { Err(Duration::from_secs(wait)) };
            assert_eq!(admitted, expected, "at {at} s");
        }
        assert!(Window::default().admit(Duration::ZERO, 0).is_err());
    }
}
