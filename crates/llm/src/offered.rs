//! Which tools of a request go along, where there are more than the wire takes: OpenAI's take 128 ("array too long" else, and the
//! whole request is refused), and who speaks like it is no more generous.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use protocol::{BETWEEN, Message, ModelRequest, ToolSpec};

use crate::dialect::is_at;
use crate::{Endpoint, Wire, is_local};

/// The most tools that OpenAI's wires take.
const MOST: usize = 128;

impl Endpoint {
    /// The tools of a request that the endpoint is not told of, because it takes no more of them.
    #[must_use]
    pub fn left_out(&self, request: &ModelRequest) -> Vec<Arc<ToolSpec>> {
        let kept = self.kept(request);
        let tools = request.tools.iter().enumerate();
        tools
            .filter(|(at, _)| kept.as_ref().is_some_and(|kept| !kept.contains(at)))
            .map(|(_, tool)| Arc::clone(tool))
            .collect()
    }

    /// The request with no more tools than the endpoint takes.
    pub(crate) fn within_most<'a>(&self, request: &'a ModelRequest) -> Cow<'a, ModelRequest> {
        let Some(kept) = self.kept(request) else { return Cow::Borrowed(request) };
        let tools = kept.into_iter().filter_map(|at| request.tools.get(at).cloned()).collect();
        Cow::Owned(ModelRequest { tools, ..request.clone() })
    }

    /// The places of those that go along; none where all do.
    ///
    /// Our own come first, then those that this conversation has called, then of each server elsewhere its first, its second
    /// and so on: a large one does not crowd out a small one. Calling one changes nothing about which they are.
    fn kept(&self, request: &ModelRequest) -> Option<BTreeSet<usize>> {
        // A server on this machine reads as many as fit into its window. DeepSeek counts in either wire.
        let has_end = match self.wire {
            Wire::AnthropicMessages => is_at(&self.base_url, "deepseek.com"),
            Wire::OpenAiChat | Wire::OpenAiResponses => !is_local(&self.base_url),
        };
        if !has_end || request.tools.len() <= MOST {
            return None;
        }
        let called: BTreeSet<&str> = request
            .messages
            .iter()
            .flat_map(|message| match &**message {
                Message::Assistant { tool_calls, .. } => tool_calls.as_slice(),
                _ => &[],
            })
            .map(|call| call.name.as_str())
            .collect();
        let mut of_server: BTreeMap<&str, usize> = BTreeMap::new();
        let ranked = request.tools.iter().enumerate().map(|(at, tool)| match tool.name.split_once(BETWEEN) {
            None => (0, 0, at),
            Some((server, _)) => {
                let place = of_server.entry(server).or_default();
                *place += 1;
                (if called.contains(tool.name.as_str()) { 1 } else { 2 }, *place, at)
            }
        });
        let mut ranked: Vec<(u8, usize, usize)> = ranked.collect();
        order::sort(&mut ranked);
        Some(ranked.into_iter().take(MOST).map(|(.., at)| at).collect())
    }
}

/// What a person is told of them.
pub(crate) fn said_of(left_out: &[Arc<ToolSpec>]) -> String {
    let names: Vec<&str> = left_out.iter().map(|tool| tool.name.as_str()).collect();
    format!(
        "This model takes {MOST} tools at most, so {} left out: {}.",
        if names.len() == 1 { "one is" } else { "some are" },
        names.join(", ")
    )
}
