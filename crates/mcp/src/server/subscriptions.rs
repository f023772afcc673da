//! Who listens for what changes.
//!
//! A listener's queue never grows: the same notification twice is once, so a client that does not read costs one entry for each
//! thing it asked for.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::task::{Context, Poll, Waker};

use futures::stream::Stream;
use serde_json::{Value, json};

use super::sessions::Sessions;
use crate::rpc::RpcError;

/// What a server tells who listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notification {
    /// There are other tools.
    Tools,
    /// There are other prompts.
    Prompts,
    /// There are other resources.
    Resources,
    /// These resources have changed; addresses.
    Updated(Vec<String>),
    /// Any of the resources may have changed, and which there are.
    Anything,
}

/// One thing to tell one listener.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Notice {
    Method(&'static str),
    Updated(String),
}

/// What a listener asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Wants {
    pub tools: bool,
    pub prompts: bool,
    pub resources: bool,
    pub uris: Vec<String>,
}

/// Whose listener it is.
pub(super) enum Whose {
    /// A `subscriptions/listen`, by the request's id.
    Request { id: Value, wants: Wants },
    /// A session's stream: what it subscribed to is looked up each time.
    Session(String),
}

struct Listener {
    whose: Whose,
    queue: RefCell<VecDeque<Notice>>,
    waker: RefCell<Option<Waker>>,
    is_over: Cell<bool>,
}

impl Listener {
    fn tell(&self, notice: Notice) {
        let mut queue = self.queue.borrow_mut();
        if !queue.contains(&notice) {
            queue.push_back(notice);
        }
        drop(queue);
        self.wake();
    }

    fn end(&self) {
        self.is_over.set(true);
        self.wake();
    }

    fn wake(&self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

/// More streams are not open at the same time: each notification is looked at for each of them.
const MOST: usize = 256;

/// All listeners. Who goes away is forgotten with the next notification.
#[derive(Default)]
pub(super) struct Subscriptions {
    listeners: RefCell<Vec<Weak<Listener>>>,
    /// The server is about to go: who begins to listen now hears the end at once.
    is_over: Cell<bool>,
}

impl Subscriptions {
    /// A stream of notifications; after the end, `last` once.
    ///
    /// # Errors
    /// There are as many streams as there may be. One that has ended counts until its client lets go of it.
    pub(super) fn listen(
        &self,
        whose: Whose,
        first: Option<String>,
        last: Option<String>,
    ) -> Result<Listening, RpcError> {
        let mut listeners = self.listeners.borrow_mut();
        listeners.retain(|listener| listener.strong_count() > 0);
        if listeners.len() >= MOST {
            let why = format!(
                "{MOST} streams are open here, and no more can be: close one, or ask now and then instead"
            );
            return Err(RpcError::internal(why));
        }
        if let Whose::Session(id) = &whose {
            // A message goes to one stream of a session only: to its newest.
            for other in listeners.iter().filter_map(Weak::upgrade) {
                if matches!(&other.whose, Whose::Session(other) if other == id) {
                    other.end();
                }
            }
        }
        let listener = Rc::new(Listener {
            whose,
            queue: RefCell::default(),
            waker: RefCell::default(),
            is_over: Cell::new(self.is_over.get()),
        });
        listeners.push(Rc::downgrade(&listener));
        Ok(Listening { listener, first, last })
    }

    pub(super) fn publish(&self, notification: &Notification, sessions: &Sessions) {
        let listeners: Vec<_> = {
            let mut listeners = self.listeners.borrow_mut();
            listeners.retain(|listener| listener.strong_count() > 0);
            listeners.iter().filter_map(Weak::upgrade).collect()
        };
        for listener in listeners {
            let subscribed;
            let (wants, uris): (_, &[String]) = match &listener.whose {
                Whose::Request { wants, .. } => (Some(wants), &wants.uris),
                Whose::Session(id) => {
                    subscribed = sessions.subscriptions(id);
                    (None, &subscribed)
                }
            };
            let wants = |pick: fn(&Wants) -> bool| wants.is_none_or(pick);
            match notification {
                Notification::Tools if wants(|wants| wants.tools) => {
                    listener.tell(Notice::Method("notifications/tools/list_changed"));
                }
                Notification::Prompts if wants(|wants| wants.prompts) => {
                    listener.tell(Notice::Method("notifications/prompts/list_changed"));
                }
                Notification::Resources if wants(|wants| wants.resources) => {
                    listener.tell(Notice::Method("notifications/resources/list_changed"));
                }
                Notification::Tools | Notification::Prompts | Notification::Resources => {}
                Notification::Anything => {
                    if wants(|wants| wants.resources) {
                        listener.tell(Notice::Method("notifications/resources/list_changed"));
                    }
                    uris.iter().for_each(|uri| listener.tell(Notice::Updated(uri.clone())));
                }
                Notification::Updated(changed) => {
                    for uri in uris.iter().filter(|uri| changed.iter().any(|changed| is_of(changed, uri))) {
                        listener.tell(Notice::Updated(uri.clone()));
                    }
                }
            }
        }
    }

    /// Ends all listeners, those that come later too.
    pub(super) fn end(&self) {
        self.is_over.set(true);
        self.listeners.take().iter().filter_map(Weak::upgrade).for_each(|listener| listener.end());
    }

    /// Whether anybody listens.
    pub(super) fn has_listeners(&self) -> bool {
        self.listeners.borrow().iter().any(|listener| listener.strong_count() > 0)
    }

    /// Whether somebody listens to a session.
    pub(super) fn is_heard(&self, id: &str) -> bool {
        self.listeners.borrow().iter().filter_map(Weak::upgrade).any(|listener| {
            matches!(&listener.whose, Whose::Session(of) if of == id) && !listener.is_over.get()
        })
    }

    /// Ends the listeners of a session.
    pub(super) fn end_session(&self, id: &str) {
        for listener in self.listeners.borrow().iter().filter_map(Weak::upgrade) {
            if matches!(&listener.whose, Whose::Session(of) if of == id) {
                listener.end();
            }
        }
    }
}

/// Whether a change of one address is news for who looks at another: it is the same, or the same with a query.
fn is_of(changed: &str, subscribed: &str) -> bool {
    subscribed.split('?').next() == Some(changed) || subscribed == changed
}

/// One listener's stream.
pub(super) struct Listening {
    listener: Rc<Listener>,
    first: Option<String>,
    last: Option<String>,
}

impl Stream for Listening {
    type Item = String;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<String>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(first));
        }
        if let Some(notice) = self.listener.queue.borrow_mut().pop_front() {
            return Poll::Ready(Some(message(&self.listener.whose, notice)));
        }
        if self.listener.is_over.get() {
            return Poll::Ready(self.last.take());
        }
        self.listener.waker.replace(Some(context.waker().clone()));
        Poll::Pending
    }
}

fn message(whose: &Whose, notice: Notice) -> String {
    let (method, mut params) = match notice {
        Notice::Method(method) => (method, json!({})),
        Notice::Updated(uri) => ("notifications/resources/updated", json!({ "uri": uri })),
    };
    if let Whose::Request { id, .. } = whose {
        params["_meta"] = json!({ super::modern::SUBSCRIPTION_KEY: id });
    }
    json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string()
}
