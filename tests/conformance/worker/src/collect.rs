//! Nothing is collected here: no tool of this worker keeps bytes.

use std::rc::Rc;

use mcp::Server;

use crate::hosted::Hosted;

/// As the worker's library has it; there is never anything due.
#[expect(clippy::unused_async, reason = "as the worker's library has it")]
pub(crate) async fn collect_if_due(_: &Rc<Server<Hosted>>) -> Result<(), String> {
    Ok(())
}
