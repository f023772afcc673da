//! What a domain shows beside its tools: MCP resources, and prompts.

use mcp::{
    CompleteIn, Notification, Prompt, PromptIn, PromptOut, Resource, ResourceContents, ResourceTemplate,
    RpcError,
};
use store::{Moment, Op, View};

/// A domain's rows as MCP resources.
pub trait Resources {
    /// Those that have a fixed address.
    fn fixed(&self) -> Vec<Resource>;

    /// Those that have an address by id or by query.
    fn templates(&self) -> Vec<ResourceTemplate>;

    /// At most `limit` rows after the one with an id, in the order of their ids, with their ids: what comes and goes
    /// meanwhile moves nothing.
    fn rows(&self, view: &View, after: Option<&str>, limit: usize) -> Vec<(String, Resource)>;

    /// The content at an address; none where it is no address of this domain, or names nothing.
    ///
    /// # Errors
    /// When what is there cannot be written.
    fn read(&self, view: &View, uri: &str) -> Result<Option<ResourceContents>, RpcError>;

    /// What of these is another one after some ops.
    fn notifications(&self, ops: &[Op]) -> Vec<Notification>;

    /// How an argument of a prompt or a template of this domain may go on.
    fn complete(&self, view: &View, request: &CompleteIn) -> Vec<String>;
}

/// A domain's prompts: what a person often asks, with what it is about attached.
pub trait Prompts {
    /// All of them.
    fn all(&self) -> Vec<Prompt>;

    /// Fills one in; none where it is not of this domain.
    ///
    /// # Errors
    /// When what is attached cannot be written.
    fn fill_in(&self, view: &View, now: &Moment, request: &PromptIn) -> Result<Option<PromptOut>, RpcError>;
}
