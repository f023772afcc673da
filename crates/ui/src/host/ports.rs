//! The agent's small ports as the browser has them: time, chance, and what the model is told about now.

use std::pin::pin;
use std::rc::Rc;

use agent::{Ids, Remembered, Surroundings, TOLD_TODOS, memories_in_short, todos_in_short};
use async_trait::async_trait;
use futures::future::{Either, join, select};
use serde_json::json;

use crate::clock;
use crate::memory::model::{Kind, found};
use crate::toolbox::{Toolbox, Why};
use crate::workspace::model::list_page;

/// How long the app's own tools may take to say what the model is told at the start, in milliseconds.
const PATIENCE_MS: u64 = 2_500;

/// The browser's clock as the agent's port.
pub struct BrowserClock;

#[async_trait(?Send)]
impl agent::Clock for BrowserClock {
    fn now_ms(&self) -> i64 {
        clock::now_ms()
    }

    async fn sleep(&self, ms: u64) {
        clock::sleep(ms).await;
    }
}

/// The browser's randomness as the agent's port.
pub struct RandomIds;

impl Ids for RandomIds {
    fn new_id(&self) -> String {
        clock::random()
    }
}

/// Date, zone, the open to-dos and what is remembered over conversations.
pub struct HereAndNow {
    /// Where those come from.
    pub toolbox: Rc<Toolbox>,
}

#[async_trait(?Send)]
impl Surroundings for HereAndNow {
    async fn context(&self) -> agent::Context {
        let arguments = json!({ "status": "open", "sort": "due", "limit": TOLD_TODOS });
        let listed =
            async { self.toolbox.run("todo_list", arguments, &clock::new_id("read"), Why::Do).await };
        // Without them the model still has the tools; and what was said is not in the log yet, so nobody waits for a worker that
        // hangs.
        let asked = pin!(join(listed, self.memories()));
        let (listed, memories) = match select(asked, pin!(clock::sleep(PATIENCE_MS))).await {
            Either::Left((told, _)) => told,
            Either::Right(((), _)) => (Err(String::new()), None),
        };
        let (memories, outside_memories) = memories.unwrap_or_default();
        let listed = listed.ok();
        let outside = listed.as_ref().is_some_and(agent::holds_outside_text);
        let open_todos = listed.as_ref().and_then(list_page).map(|(todos, total, _)| {
            todos_in_short(todos.iter().map(|todo| (todo.title.as_str(), todo.due.as_deref())), total)
        });
        agent::Context {
            civil: clock::civil_now_and_offset(),
            weekday: clock::weekday().to_owned(),
            zone: clock::zone(),
            open_todos: open_todos.unwrap_or_default(),
            memories,
            outside_memories,
            outside,
        }
    }
}

impl HereAndNow {
    /// What is remembered, in short, and apart from it what came in by a file; none where it is not to be told or cannot be
    /// read.
    async fn memories(&self) -> Option<(String, String)> {
        if !self.toolbox.remembers() {
            return None;
        }
        let key = clock::new_id("read");
        let answer = self.toolbox.run("user_memory_search", json!({}), &key, Why::Do).await.ok()?;
        let (memories, total) = found(&answer)?;
        let told = memories.iter().map(|memory| Remembered {
            text: &memory.text,
            is_preference: memory.kind == Kind::Preference,
            from_outside: memory.is_from_outside(),
        });
        Some(memories_in_short(told, total))
    }
}
