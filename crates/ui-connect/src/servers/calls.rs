//! The tools of servers for a model, and their calls.

use futures::future::{LocalBoxFuture, join_all};
use leptos::prelude::*;
use mcp::ToolDef;
use protocol::{Hints, ToolSpec};
use remote::{RemoteError, ToolAnswer, names};
use serde_json::{Map, Value, json};

use super::{Link, Servers, Standing, StoredServer, words};
use crate::i18n;
use crate::parts::{NotLoaded, part};

impl Servers {
    /// The tools that may be used now, for a model.
    pub async fn specs(self) -> Vec<ToolSpec> {
        let on: Vec<StoredServer> =
            self.kept.with_untracked(|all| all.iter().filter(|kept| kept.on).cloned().collect());
        let in_use = on.iter().filter(|kept| kept.tools.values().any(|decision| decision.on));
        let stale = in_use.filter(|kept| self.is_stale(&kept.url));
        join_all(stale.map(|kept| self.refresh_for_a_while(kept.url.clone()))).await;
        let mut specs = Vec::new();
        self.kept.with_untracked(|all| {
            for kept in all.iter().filter(|kept| kept.on) {
                let (tools, _) = untrack(|| self.offer(&kept.url));
                let used = tools.iter().filter(|tool| kept.standing(tool) == Standing::On);
                specs.extend(used.map(|tool| spec(kept, tool)));
            }
        });
        specs
    }

    /// Whose tool a name is.
    #[must_use]
    pub fn of_tool(self, name: &str) -> Option<StoredServer> {
        let prefix = names::prefix_in(name)?;
        self.kept.with_untracked(|all| all.iter().find(|kept| kept.prefix == prefix).cloned())
    }

    /// Carries out a call of a tool that may be used.
    ///
    /// # Errors
    /// A sentence for the model, and whether the call was perhaps done.
    pub async fn call(self, name: &str, arguments: Value, key: &str) -> Called {
        match call_part().await {
            Ok(call) => call(self, name.to_owned(), arguments, key.to_owned()).await,
            Err(NotLoaded) => Err((i18n::PART_NOT_LOADED.to_owned(), false)),
        }
    }

    async fn call_now(self, name: &str, arguments: Value, key: &str) -> Called {
        let (said, _) = self.call_for_data(name, arguments, key).await?;
        Ok((said.text, said.is_error))
    }

    /// The same now, and gives the answer's data as well.
    pub(super) async fn call_for_data(
        self,
        name: &str,
        arguments: Value,
        key: &str,
    ) -> Result<(ToolAnswer, Value), (String, bool)> {
        let refused = |words: String| (words, false);
        let kept = self.of_tool(name).ok_or_else(|| refused(i18n::server_tool_gone()))?;
        let (tools, _) = untrack(|| self.offer(&kept.url));
        let tool = tools
            .iter()
            .find(|tool| kept.on && kept.name_of(&tool.name) == name && kept.standing(tool) == Standing::On);
        let tool = tool.ok_or_else(|| refused(i18n::server_tool_gone()))?;
        let server = self.server(&kept.url).ok_or_else(|| refused(i18n::server_tool_gone()))?;
        let mut meta = Map::new();
        // A server that keeps a journal as ours does will not do it twice.
        meta.insert(mcp::meta::KEY.to_owned(), json!(key));
        // Whatever goes wrong before it is known what the server speaks, the call has not gone there.
        let (called, was_sent) = match server.welcome().await {
            Ok(_) => (server.call_for_data(&tool.name, arguments, meta).await, true),
            Err(error) => (Err(error), false),
        };
        match called {
            Ok(answer) => Ok(answer),
            Err(error) => {
                let is_open = was_sent && error.may_be_done();
                if matches!(error, RemoteError::Unauthorized(_) | RemoteError::SignIn(_)) {
                    self.set_link(&kept.url, Link::Locked(words::server_error(&error)));
                }
                Err((i18n::server_said(&kept.name, &error.to_string()), is_open))
            }
        }
    }
}

part! {
    servers,
    /// [`Servers::call`], with the tool's name, its arguments and the call's key.
    fn call_part() -> fn(Servers, String, Value, String) -> LocalBoxFuture<'static, Called> {
        |servers, name, arguments, key| {
            Box::pin(async move { servers.call_now(&name, arguments, &key).await })
        }
    }
}

/// What a call said and whether that is an error; or why there is no answer, and whether it was perhaps done.
type Called = Result<(String, bool), (String, bool)>;

/// A tool elsewhere as a tool of the conversation: under its server's name, and as reaching outside whatever it says.
fn spec(kept: &StoredServer, tool: &ToolDef) -> ToolSpec {
    let title = if tool.title.is_empty() { &tool.name } else { &tool.title };
    ToolSpec {
        name: kept.name_of(&tool.name),
        title: i18n::server_tool_title(title, &kept.name),
        description: i18n::server_tool_description(&kept.name, &tool.description),
        input_schema: tool.input_schema.clone(),
        hints: hints(tool.annotations),
    }
}

/// What a tool elsewhere says it may do; that it reaches outside nobody needs to say.
pub(super) fn hints(said: mcp::Hints) -> Hints {
    Hints {
        read_only: said.read_only,
        destructive: said.destructive,
        idempotent: said.idempotent,
        open_world: true,
        // It is kept there, and not told here as the person's own words.
        lasting: false,
    }
}
