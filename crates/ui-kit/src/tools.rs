//! The tools as a screen uses them: by the person's own hand, with what came of it as a note.

use std::rc::Rc;

use async_trait::async_trait;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde_json::{Value, json};
pub use toolbox::CallError;

use crate::change::outcome;
use crate::moment;
use crate::toast::Toasts;
use crate::words;

/// The way to the tools. The page has one to its worker.
#[async_trait(?Send)]
pub trait ToolCaller {
    /// Calls a tool that only reads.
    ///
    /// # Errors
    /// One sentence for a person.
    async fn read(&self, tool: &str, arguments: Value) -> Result<Value, String>;

    /// What a call of the person's own hand would do, without doing it.
    ///
    /// # Errors
    /// One sentence for a person: why it would be refused.
    async fn preview(&self, tool: &str, arguments: Value) -> Result<Value, String>;

    /// Calls a tool for the person's own hand, and says under which key. The same again soon after no answer came is the same
    /// call again: it is done once.
    async fn manually(&self, tool: &str, arguments: Value) -> (String, Result<Value, CallError>);

    /// The same under a key of the caller's, who keeps it where no answer comes.
    ///
    /// # Errors
    /// What was refused, or that no answer came.
    async fn under(&self, key: &str, tool: &str, arguments: Value) -> Result<Value, CallError>;

    /// Calls under these keys may have been under way when an earlier page ended.
    fn comes_again(&self, keys: Vec<String>);

    /// Calls a tool for the browser's own agent, which filled in a form of the page: under the rules for that tool.
    ///
    /// # Errors
    /// One sentence for the agent.
    async fn for_agent(&self, tool: &str, arguments: Value) -> Result<Value, String>;

    /// Reads a resource's text.
    ///
    /// # Errors
    /// One sentence for a person.
    async fn resource(&self, address: &str) -> Result<String, String>;
}

/// What is said after a change by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Say {
    /// The list itself shows it.
    Nothing,
    /// What happened.
    Summary,
    /// What happened, and a way back.
    SummaryWithUndo,
}

/// The tools of this page. A handle: copies are the same.
#[derive(Clone, Copy)]
pub struct Tools {
    caller: StoredValue<Rc<dyn ToolCaller>, LocalStorage>,
    toasts: Toasts,
    /// Grows whenever anyone (the chat, another tab, another client) changed something: what is shown is read again.
    pub news: RwSignal<u32>,
}

impl Tools {
    /// The tools behind a caller; what came of calls is said by `toasts`. Anyone who commits a change says so on a channel, in
    /// whatever tab or worker: it is listened to for as long as the page lives.
    #[must_use]
    pub fn start(caller: Rc<dyn ToolCaller>, toasts: Toasts) -> Self {
        let tools = Self { caller: StoredValue::new_local(caller), toasts, news: RwSignal::new(0) };
        web::channel::Channel::for_good("satchel-changes", move |_| tools.changed());
        tools
    }

    /// Those of this page.
    ///
    /// # Panics
    /// Outside the page's root component, which provides them.
    #[must_use]
    pub fn get() -> Self {
        expect_context()
    }

    /// Something may have changed: what is shown is read again.
    pub fn changed(self) {
        self.news.update(|news| *news = news.wrapping_add(1));
    }

    /// The way to the tools.
    #[must_use]
    pub fn caller(self) -> Rc<dyn ToolCaller> {
        self.caller.get_value()
    }

    /// Calls a tool that only reads.
    ///
    /// # Errors
    /// One sentence for a person.
    pub async fn read(self, tool: &str, arguments: Value) -> Result<Value, String> {
        self.caller().read(tool, arguments).await
    }

    /// What a call would do, without doing it.
    ///
    /// # Errors
    /// One sentence for a person: why it would be refused.
    pub async fn preview(self, tool: &str, arguments: Value) -> Result<Value, String> {
        self.caller().preview(tool, arguments).await
    }

    /// Runs a tool for the person's own hand. What comes of it is seen in what is shown; `say` tells whether it is said as
    /// well. `done` is told whether it worked.
    pub fn run(self, tool: &'static str, arguments: Value, say: Say, done: impl FnOnce(bool) + 'static) {
        spawn_local(async move {
            let (key, result) = self.caller().manually(tool, arguments).await;
            self.tell(key, &result, say);
            done(result.is_ok());
            self.changed();
        });
    }

    /// The same for who waits for it. True when it worked.
    pub async fn call(self, tool: &str, arguments: Value, say: Say) -> bool {
        let (key, result) = self.caller().manually(tool, arguments).await;
        self.tell(key, &result, say);
        self.changed();
        result.is_ok()
    }

    /// Says what came of a call under a key, as a note.
    pub fn tell(self, key: String, result: &Result<Value, CallError>, say: Say) {
        match (result, say) {
            (Ok(_), Say::Nothing) => {}
            (Ok(answer), Say::SummaryWithUndo) => self.toasts.say_with_undo(summary(answer), key),
            (Ok(answer), Say::Summary) => self.toasts.say_summary(summary(answer)),
            (Err(trouble), _) => self.toasts.say(told(trouble.clone())),
        }
    }

    /// Does something under a key of the caller's, with the reason as a note where it went wrong; `done` is told what came of
    /// it.
    pub fn run_under(
        self,
        key: String,
        tool: &'static str,
        arguments: Value,
        done: impl FnOnce(Result<Value, CallError>) + 'static,
    ) {
        spawn_local(async move {
            let result = self.caller().under(&key, tool, arguments).await;
            if let Err(trouble) = &result {
                self.toasts.say(told(trouble.clone()));
            }
            done(result);
            self.changed();
        });
    }

    /// Undoes one call by its key. `done` is told whether it was undone.
    pub fn undo(self, key: String, done: impl FnOnce(bool) + 'static) {
        self.run("undo", json!({ "call": key }), Say::Summary, done);
    }
}

/// Why a call by hand has no result, for the person, with what is to be thought of it where no answer came.
#[must_use]
pub fn told(error: CallError) -> String {
    match error {
        CallError::NoAnswer(why) => {
            let stop = if why.ends_with(['.', '!', '?']) { "" } else { "." };
            words::perhaps_done(&format!("{why}{stop}"))
        }
        CallError::Refused(why) => why,
    }
}

/// What a tool says it did, with its date in words.
fn summary(answer: &Value) -> String {
    outcome(answer).map(|outcome| moment::summary(outcome.summary)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{CallError, told};

    #[test]
    fn where_no_answer_came_it_is_said_that_it_may_have_been_done() {
        let said = "The tools hang. It may or may not have been done: look before you do it again.";
        assert_eq!(told(CallError::NoAnswer("The tools hang".into())), said);
        assert_eq!(told(CallError::NoAnswer("The tools hang.".into())), said);
        assert_eq!(told(CallError::Refused("There is no such list.".into())), "There is no such list.");
    }
}
