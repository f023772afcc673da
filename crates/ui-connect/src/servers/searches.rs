//! Searches of the app that a tool elsewhere answers (S4-10): the person says in the settings which tool that is, and how.
//!
//! The model goes on calling the app's own `search_hotels`. Such a call goes to the worker, which says what to call the tool elsewhere with; there;
//! and back to the worker, which reads what was found. What holds for that tool holds for the search: its rules, its limits, its key.

use std::rc::Rc;

use futures::future::LocalBoxFuture;
use leptos::prelude::*;
use mcp::client::CallResult;
use protocol::{CallKey, ToolCall, ToolResult, ToolSpec};
use serde_json::{Value, json};

use super::calls::hints;
use super::mapping::fit;
use super::{Servers, Standing, StoredServer};
use crate::parts::{NotLoaded, part};
use crate::toolbox::Toolbox;
use crate::{clock, i18n};

/// The app's tools that search.
pub const SEARCHES: [&str; 4] = ["search_hotels", "search_flights", "search_transfers", "search_web"];

/// The argument of a search by which the demo catalogue is asked all the same. Only a search that goes elsewhere has it.
const DEMO: &str = "demo";

/// Whose tool answers a search, and how.
#[derive(Clone, Debug)]
pub struct Answerer {
    /// The server.
    pub kept: StoredServer,
    /// The tool, by the server's own name for it.
    pub tool: String,
    /// How a search becomes a call of it and back, as the worker takes it.
    pub mapping: Value,
}

impl Answerer {
    /// The name by which a model calls the tool.
    #[must_use]
    pub fn name(&self) -> String {
        self.kept.name_of(&self.tool)
    }
}

/// Who of these answers a search: the person chose its tool, and both are on.
#[must_use]
pub fn answerer(all: &[StoredServer], search: &str) -> Option<Answerer> {
    all.iter().filter(|kept| kept.on).find_map(|kept| {
        let mapping = kept.searches.get(search)?;
        let tool = mapping["tool"].as_str()?;
        kept.tools.get(tool).filter(|decision| decision.on)?;
        Some(Answerer {
            kept: kept.clone(),
            tool: tool.to_owned(),
            mapping: with_source(mapping.clone(), &kept.name),
        })
    })
}

/// A mapping as the worker takes it: what is found comes from this server.
pub(super) fn with_source(mut mapping: Value, source: &str) -> Value {
    if let Value::Object(fields) = &mut mapping {
        fields.insert("source".to_owned(), source.into());
    }
    mapping
}

impl Servers {
    /// Who answers a search.
    pub(super) fn answerer(self, search: &str) -> Option<Answerer> {
        self.kept.try_with_untracked(|all| answerer(all, search))?
    }

    /// The searches that go elsewhere, each with the tool's name there.
    pub(super) fn searched_elsewhere(self) -> Vec<(String, String)> {
        let all = SEARCHES.into_iter().filter_map(|search| Some((search, self.answerer(search)?.name())));
        all.map(|(search, name)| (search.to_owned(), name)).collect()
    }

    /// Says of a search that goes elsewhere that it does: whose it is, what it may do there, and how the catalogue is asked. Gives the tool's name there.
    pub(super) fn tell_search(self, spec: &mut ToolSpec) -> Option<String> {
        if !SEARCHES.contains(&&*spec.name) {
            return None;
        }
        let found = self.answerer(&spec.name)?;
        let (tools, _) = untrack(|| self.offer(&found.kept.url));
        let tool =
            tools.iter().find(|tool| tool.name == found.tool && found.kept.standing(tool) == Standing::On);
        spec.title = i18n::server_tool_title(&spec.title, &found.kept.name);
        spec.description = i18n::search_description(&found.kept.name, &spec.description);
        // What is not there now may be there when it is called: then it is what nobody knows anything of.
        spec.hints = hints(tool.map(|tool| tool.annotations).unwrap_or_default());
        if let Some(properties) = spec.input_schema.get_mut("properties").and_then(Value::as_object_mut) {
            let about = i18n::search_demo(&found.kept.name);
            properties.insert(DEMO.to_owned(), json!({ "type": "boolean", "description": about }));
        }
        Some(found.name())
    }

    /// Answers a search by the tool elsewhere.
    pub(super) async fn search(self, toolbox: Rc<Toolbox>, call: ToolCall, key: &CallKey) -> ToolResult {
        match search_part().await {
            Ok(search) => search(self, toolbox, call, key.to_string()).await,
            Err(NotLoaded) => result(&call, Err(i18n::search_failed(i18n::PART_NOT_LOADED, &call.name))),
        }
    }

    async fn search_now(self, toolbox: Rc<Toolbox>, call: ToolCall, key: String) -> ToolResult {
        let found = self.found(&toolbox, &call, &key).await;
        result(&call, found.map_err(|words| i18n::search_failed(&words, &call.name)))
    }

    async fn found(self, toolbox: &Toolbox, call: &ToolCall, key: &str) -> Result<Value, String> {
        let by = self.answerer(&call.name).ok_or_else(i18n::server_tool_gone)?;
        let asked = json!({ "search": call.name, "arguments": call.arguments, "mapping": by.mapping });
        match self.to_ask(toolbox, &by, asked.clone()).await? {
            Ok(arguments) => {
                let data = self.asked_there(&by, arguments, key).await?;
                read_there(toolbox, asked, data)
                    .await
                    .map_err(|words| i18n::server_said(&by.kept.name, &words))
            }
            Err(known) => Ok(known),
        }
    }

    /// What to call the tool elsewhere with; or the answer, where it is known already.
    pub(super) async fn to_ask(
        self,
        toolbox: &Toolbox,
        by: &Answerer,
        asked: Value,
    ) -> Result<Result<Value, Value>, String> {
        let mut asked = at_worker(toolbox, "search_ask", asked).await?;
        let (mut arguments, answer) = (asked["arguments"].take(), asked["answer"].take());
        if !answer.is_null() {
            return Ok(Err(answer));
        }
        let (tools, _) = untrack(|| self.offer(&by.kept.url));
        if let Some(tool) = tools.iter().find(|tool| tool.name == by.tool) {
            fit(&mut arguments, &tool.input_schema);
        }
        Ok(Ok(arguments))
    }

    /// What the tool elsewhere answers, as data.
    pub(super) async fn asked_there(
        self,
        by: &Answerer,
        arguments: Value,
        key: &str,
    ) -> Result<Value, String> {
        match self.call_for_data(&by.name(), arguments, key).await {
            Ok((said, _)) if said.is_error => Err(i18n::server_said(&by.kept.name, &said.text)),
            Ok((_, data)) => Ok(data),
            Err((words, true)) => Err(i18n::perhaps_done_there(&words)),
            Err((words, false)) => Err(words),
        }
    }
}

/// What a search answers by what a tool elsewhere answered.
pub(super) async fn read_there(toolbox: &Toolbox, mut asked: Value, answer: Value) -> Result<Value, String> {
    if let Value::Object(asked) = &mut asked {
        asked.remove("again");
        asked.insert("answer".to_owned(), answer);
    }
    at_worker(toolbox, "search_answer", asked).await
}

/// Nothing is changed by it: it needs no key that says which call it is.
async fn at_worker(toolbox: &Toolbox, tool: &str, arguments: Value) -> Result<Value, String> {
    let CallResult { is_error, text, structured, .. } =
        toolbox.run_external(tool, arguments, &clock::new_id("search")).await?;
    if is_error { Err(text) } else { Ok(structured.unwrap_or_default()) }
}

fn result(call: &ToolCall, found: Result<Value, String>) -> ToolResult {
    let (call_id, name) = (call.id.clone(), call.name.clone());
    match found {
        Ok(answer) => ToolResult {
            call_id,
            name,
            is_error: false,
            content: answer.to_string(),
            structured: Some(answer),
        },
        Err(content) => ToolResult { call_id, name, is_error: true, content, structured: None },
    }
}

part! {
    servers,
    /// [`Servers::search`], with the key of the call.
    fn search_part() -> fn(Servers, Rc<Toolbox>, ToolCall, String) -> LocalBoxFuture<'static, ToolResult> {
        |servers, toolbox, call, key| Box::pin(servers.search_now(toolbox, call, key))
    }
}

/// Whether the catalogue is wanted in spite of it all. Takes the wish out, which the catalogue does not know.
pub(super) fn takes_demo(arguments: &mut Value) -> bool {
    let wish = arguments.as_object_mut().and_then(|arguments| arguments.remove(DEMO));
    wish == Some(Value::Bool(true))
}

#[cfg(test)]
mod tests {
    use mcp::ToolDef;
    use remote::ToolPin;
    use serde_json::{Value, json};

    use super::super::decisions::Decision;
    use super::{StoredServer, answerer, takes_demo};

    fn stays() -> StoredServer {
        let mut kept: StoredServer = serde_json::from_value(json!({
            "url": "https://a.example/mcp", "name": "Stays", "prefix": "stays", "on": true,
            "searches": { "search_hotels": { "tool": "find", "results": "/stays" } },
        }))
        .unwrap();
        let tool: ToolDef =
            serde_json::from_value(json!({"name": "find", "inputSchema": {"type": "object"}})).unwrap();
        kept.tools.insert("find".into(), Decision { on: true, seen: ToolPin::of(&tool) });
        kept
    }

    #[test]
    fn a_search_goes_to_a_tool_that_is_on_at_a_server_that_is_on() {
        let found = answerer(&[stays()], "search_hotels").unwrap();
        assert_eq!(found.name(), "stays__find");
        assert_eq!(found.mapping, json!({ "source": "Stays", "tool": "find", "results": "/stays" }));
        assert!(answerer(&[stays()], "search_flights").is_none());
        let off = StoredServer { on: false, ..stays() };
        assert!(answerer(&[off], "search_hotels").is_none());
        let mut off = stays();
        off.tools.get_mut("find").unwrap().on = false;
        assert!(answerer(&[off], "search_hotels").is_none());
        assert!(
            answerer(&[StoredServer { tools: Default::default(), ..stays() }], "search_hotels").is_none()
        );
    }

    #[test]
    fn the_wish_for_the_demo_is_taken_out() {
        for (mut arguments, is_wanted) in [
            (json!({ "place": "Paris", "demo": true }), true),
            (json!({ "place": "Paris", "demo": "yes" }), false),
            (json!({ "place": "Paris" }), false),
        ] {
            assert_eq!(takes_demo(&mut arguments), is_wanted);
            assert_eq!(arguments, json!({ "place": "Paris" }));
        }
        assert!(!takes_demo(&mut Value::Null));
    }
}
