//! Everything that a server does beyond listing and plainly calling tools, as function pointers: what only they name can lie in
//! a part of the program that comes when it is wanted.

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use serde_json::Value;

use super::legacy::In;
use super::message::Message;
use super::{Refusal, Server, legacy, others};
use crate::host::Host;
use crate::http::{HttpIn, HttpOut};

type Answer<'a> = LocalBoxFuture<'a, Result<HttpOut, Refusal>>;

/// What a [`Server`] does beyond listing and plainly calling tools in the current revision: the older ones, questions,
/// streams, tasks, resources, prompts. See [`Server::in_parts`].
pub struct Rest<H> {
    pub(super) older: for<'a> fn(&'a Server<H>, &'a HttpIn, In) -> Answer<'a>,
    pub(super) other: for<'a> fn(&'a Server<H>, &'a HttpIn, Message, &'a Value) -> Answer<'a>,
}

impl<H> Clone for Rest<H> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<H> Copy for Rest<H> {}

impl<H: Host + 'static> Rest<H> {
    /// All of it.
    #[must_use]
    pub fn here() -> Self {
        Self {
            older: |server, request, came| legacy::take(server, request, came).boxed_local(),
            other: |server, request, message, id| others::answer(server, request, message, id).boxed_local(),
        }
    }
}
