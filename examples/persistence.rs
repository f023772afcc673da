//! A conversation that is saved and goes on: as JSON in a file, and as a log that is appended to before anything is
//! acted on. The tools are no part of either; whoever loads it brings them.

use agent::{AgentConfig, AgentState, Driver, Ports};
use std::rc::Rc;
use terminal::{BuiltIn, FileLog, Todos, ports};

const INSTRUCTIONS: &str = "You keep to-dos.";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let work = async {
        let saved = folder.path().join("conversation.json");
        let kept = folder.path().join("conversations");
        {
            let (log, _) = FileLog::open(&kept, false)?;
            let new = AgentState::new(log.id(), AgentConfig::new(INSTRUCTIONS), []);
            let ports = Ports { log: Rc::new(log), ..ports(BuiltIn, Todos::open(folder.path()).await?) };
            let state = Driver::new(ports).0.run_turn(new, "Add buy milk").await;
            std::fs::write(&saved, state.to_json()?)?;
        }
        // Another day, from the log.
        let (log, entries) = FileLog::open(&kept, true)?;
        let logged = AgentState::from_entries(log.id(), AgentConfig::new(INSTRUCTIONS), entries);
        // And from the file.
        let state = AgentState::from_json(&std::fs::read_to_string(&saved)?, [])?;
        println!(
            "from the log and from the file: {} and {} entries",
            logged.entries.len(),
            state.entries.len()
        );
        let ports = Ports { log: Rc::new(log), ..ports(BuiltIn, Todos::open(folder.path()).await?) };
        let state = Driver::new(ports).0.run_turn(state, "Mark it as complete").await;
        println!("{}", state.answer().unwrap_or_default());
        Ok(())
    };
    tokio::task::LocalSet::new().run_until(work).await
}
