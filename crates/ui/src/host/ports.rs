//! The agent's small ports as the browser has them: time, chance, and what the model is told about now.

use std::rc::Rc;

use agent::{Ids, Surroundings, TOLD_TODOS, todos_in_short};
use async_trait::async_trait;
use serde_json::json;

use crate::clock;
use crate::toolbox::{Toolbox, Why};
use crate::workspace::model::list_page;

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

/// Date, zone and the open to-dos.
pub struct HereAndNow {
    /// Where the open to-dos come from.
    pub toolbox: Rc<Toolbox>,
}

#[async_trait(?Send)]
impl Surroundings for HereAndNow {
    async fn context(&self) -> agent::Context {
        let arguments = json!({ "status": "open", "sort": "due", "limit": TOLD_TODOS });
        let listed = self.toolbox.run("todo_list", arguments, &clock::new_id("read"), Why::Do).await;
        // Without the list the model still has the tool.
        let open_todos = listed.ok().as_ref().and_then(list_page).map(|(todos, total, _)| {
            todos_in_short(todos.iter().map(|todo| (todo.title.as_str(), todo.due.as_deref())), total)
        });
        agent::Context {
            civil: clock::civil_now_and_offset(),
            weekday: clock::weekday().to_owned(),
            zone: clock::zone(),
            open_todos: open_todos.unwrap_or_default(),
        }
    }
}
