//! One at a time, in the order of arrival: an async mutex for a single thread.

use std::{
    cell::RefCell,
    collections::VecDeque,
    future::poll_fn,
    task::{Poll, Waker},
};

/// The mutex. Whoever holds a [`Turn`] is alone inside.
#[derive(Default)]
pub(crate) struct FairMutex {
    line: RefCell<Line>,
}

#[derive(Default)]
struct Line {
    next: u64,
    /// Everybody inside (the first) and waiting (the others), by ticket.
    tickets: VecDeque<(u64, Option<Waker>)>,
}

/// A place in the line; leaving it (also by being cancelled) lets the next one in.
pub(crate) struct Turn<'a> {
    mutex: &'a FairMutex,
    ticket: u64,
}

impl FairMutex {
    /// Waits for everybody who came before.
    pub async fn enter(&self) -> Turn<'_> {
        let ticket = {
            let mut line = self.line.borrow_mut();
            let ticket = line.next;
            line.next += 1;
            line.tickets.push_back((ticket, None));
            ticket
        };
        let turn = Turn { mutex: self, ticket };
        poll_fn(|cx| {
            let mut line = self.line.borrow_mut();
            if line.tickets.front().is_some_and(|(first, _)| *first == ticket) {
                return Poll::Ready(());
            }
            if let Some((_, waker)) = line.tickets.iter_mut().find(|(number, _)| *number == ticket) {
                *waker = Some(cx.waker().clone());
            }
            Poll::Pending
        })
        .await;
        turn
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let next = {
            let mut line = self.mutex.line.borrow_mut();
            line.tickets.retain(|(ticket, _)| *ticket != self.ticket);
            line.tickets.front().and_then(|(_, waker)| waker.clone())
        };
        if let Some(waker) = next {
            waker.wake();
        }
    }
}
