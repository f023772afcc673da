//! Several messages in a row, the built-in model, and the app's own tools over files in a folder that is gone
//! afterwards. It stops at the first run that does not complete.

use agent::{AgentConfig, AgentState, Driver};
use terminal::{BuiltIn, Todos, ports};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    // The to-dos' server has work of its own to do between calls.
    let work = async {
        let todos = Todos::open(folder.path()).await?;
        let (mut driver, _) = Driver::new(ports(BuiltIn, todos));
        let messages = ["Add buy milk, call the bank", "Show all my to-dos", "Complete the first one"];
        let state = AgentState::new("errands", AgentConfig::new("You keep to-dos."), []);
        let state = driver.run_multi_turn(state, messages.map(str::to_owned)).await;
        println!("{:?} after {} entries", state.status, state.entries.len());
        println!("{}", state.answer().unwrap_or_default());
        Ok(())
    };
    tokio::task::LocalSet::new().run_until(work).await
}
