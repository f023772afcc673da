//! The agent's small ports as the browser has them: time, chance, and what the model is told about now.

use std::rc::Rc;

use agent::{Ids, Surroundings};
use async_trait::async_trait;
use serde_json::json;

use crate::clock;
use crate::toolbox::{Toolbox, Why};
use crate::workspace::model::{Todo, list_page};

/// The open to-dos a model is told about at the start of a run.
const TOLD_TODOS: u64 = 50;

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
        let open_todos =
            listed.ok().as_ref().and_then(list_page).map(|(todos, total, _)| in_short(&todos, total));
        agent::Context {
            civil: clock::civil_now_and_offset(),
            weekday: clock::weekday().to_owned(),
            zone: clock::zone(),
            open_todos: open_todos.unwrap_or_default(),
        }
    }
}

/// The to-dos, one a line.
fn in_short(todos: &[Todo], total: u64) -> String {
    let mut lines: Vec<String> = todos
        .iter()
        .map(|todo| {
            let mut line = format!("- {}", todo.title);
            if let Some(due) = &todo.due {
                line.push_str(&format!(" (due {due})"));
            }
            line
        })
        .collect();
    let more = total.saturating_sub(todos.len() as u64);
    if more > 0 {
        lines.push(format!("- and {more} more"));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::in_short;
    use crate::workspace::model::list_page;

    #[test]
    fn the_model_is_told_the_open_todos_in_short() {
        let listed = json!({"items": [
            {"id": "todo_a", "title": "Milk", "status": "open", "due": "2026-11-22"},
            {"id": "todo_b", "title": "Tea", "status": "open"},
        ], "total": 4});
        let (todos, total, _) = list_page(&listed).unwrap();
        assert_eq!(in_short(&todos, total), "- Milk (due 2026-11-22)\n- Tea\n- and 2 more");
        assert_eq!(in_short(&[], 0), "");
    }
}
