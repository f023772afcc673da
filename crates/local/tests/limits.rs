//! What the worker's script knows of the tools without starting them.

use std::collections::BTreeMap;

use futures::executor::block_on;
use mcp::Host;
use store::MemoryJournal;
use tools::ToolServer;

/// `service-worker/limits.json` is what the tools declare: the default under no name, and each tool that differs.
#[test]
fn the_workers_script_knows_how_large_a_call_may_be() {
    let server =
        block_on(ToolServer::open(MemoryJournal::new(), local::now, "limits", local::DOMAINS)).unwrap();
    let mut expected = BTreeMap::from([(String::new(), mcp::MAX_BODY_BYTES)]);
    let limits = server.tools().iter().map(|tool| (tool.name.clone(), server.max_body_bytes(&tool.name)));
    expected.extend(limits.filter(|(_, most)| *most != mcp::MAX_BODY_BYTES));
    let known: BTreeMap<String, usize> =
        serde_json::from_str(include_str!("../../../service-worker/limits.json")).unwrap();
    assert_eq!(known, expected);
    assert_eq!(known.len(), 2, "an import is larger than other calls");
}
