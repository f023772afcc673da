//! One at a time, in the order of arrival: an async mutex for a single thread.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    future::poll_fn,
    task::{Poll, Waker},
};

/// The gate. Whoever holds a [`Turn`] is alone inside.
#[derive(Default)]
pub(crate) struct Gate {
    line: RefCell<Line>,
}

#[derive(Default)]
struct Line {
    next: u64,
    /// Everybody inside (the first) and waiting (the others), by ticket.
    tickets: BTreeMap<u64, Option<Waker>>,
}

/// A place in the line; leaving it (also by being cancelled) lets the next one in.
pub(crate) struct Turn<'a> {
    gate: &'a Gate,
    ticket: u64,
}

impl Gate {
    /// Waits for everybody who came before.
    pub async fn enter(&self) -> Turn<'_> {
        let ticket = {
            let mut line = self.line.borrow_mut();
            let ticket = line.next;
            line.next += 1;
            line.tickets.insert(ticket, None);
            ticket
        };
        let turn = Turn { gate: self, ticket };
        poll_fn(|cx| {
            let mut line = self.line.borrow_mut();
            if line.tickets.keys().next() == Some(&ticket) {
                return Poll::Ready(());
            }
            line.tickets.insert(ticket, Some(cx.waker().clone()));
            Poll::Pending
        })
        .await;
        turn
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        let next = {
            let mut line = self.gate.line.borrow_mut();
            line.tickets.remove(&self.ticket);
            line.tickets.values().next().cloned().flatten()
        };
        if let Some(waker) = next {
            waker.wake();
        }
    }
}
