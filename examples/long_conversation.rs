//! A conversation that outgrows its window: the model sees at most 20 messages, what was before them in short, and
//! what it was asked to remember word for word. The log keeps it all.

use agent::{AgentConfig, AgentState, ContextPolicy, Driver, EntryBody, window};
use terminal::{BuiltIn, Todos, ports};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let work = async {
        let todos = Todos::open(folder.path()).await?;
        let (mut driver, _) = Driver::new(ports(BuiltIn, todos));
        let config = AgentConfig {
            context: ContextPolicy { max_messages: Some(20), ..ContextPolicy::default() },
            ..AgentConfig::new("You keep to-dos.")
        };
        let mut state = AgentState::new("long", config, []);
        state = driver.run_turn(state, "Remember that the spare key is with Anna.").await;
        for day in 1..=30 {
            state = driver.run_turn(state, format!("Add water plant {day}")).await;
        }
        let folds: Vec<&str> = state
            .entries
            .iter()
            .filter_map(|entry| match &entry.body {
                EntryBody::Compacted(compaction) => Some(compaction),
                _ => None,
            })
            .map(|compaction| {
                if compaction.summary.text().contains("the spare key is with Anna") { "kept" } else { "lost" }
            })
            .collect();
        println!("{} entries, {} messages for the model", state.entries.len(), window(&state).len());
        println!("folded {} times, the fact was {folds:?}", folds.len());
        Ok(())
    };
    tokio::task::LocalSet::new().run_until(work).await
}
