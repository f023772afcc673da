//! The official TypeScript client, inside the page, against the worker: in its default mode and in `auto`.

use e2e::{App, opened};
use serde_json::json;

#[tokio::test]
async fn the_official_client_lists_and_calls_the_tools() {
    let bundle = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/ts-client.js");
    let bundle = std::fs::read_to_string(&bundle).expect("`cargo xtask test e2e` bundles the client");
    let (_app, browser) = opened(App::start()).await;
    for (mode, protocol) in [("undefined", "default"), ("'auto'", "auto")] {
        let outcome = browser
            // In a task of its own: the driver's evaluation lifts the policy against eval for as long as it runs.
            .eval_async(&format!("await new Promise(r => setTimeout(r)); {bundle}; return await officialClient.run(new URL('api/mcp', location.href).href, {mode});"))
            .await;
        let tools: Vec<String> =
            serde_json::from_value(outcome["tools"].clone()).unwrap_or_else(|_| panic!("{outcome}"));
        for name in ["todo_create", "todo_list", "todo_complete", "todo_delete", "undo"] {
            assert!(tools.iter().any(|t| t == name), "{name} is offered: {tools:?}");
        }
        let title = format!("From the client, {protocol}");
        assert_eq!(outcome["created"]["changes"][0]["after"]["title"], title);
        assert!(outcome["titles"].as_array().unwrap().contains(&json!(title)), "{outcome}");
        assert_eq!(outcome["refused"], true, "a bad argument is a result the model can read");
        assert!(outcome["resources"].as_array().unwrap().contains(&json!("todo://list")), "{outcome}");
        assert_eq!(outcome["readable"], 1);
    }
    browser.shows(&[("From the client, default", "open"), ("From the client, auto", "open")]).await;
    // Its schema library tries whether it may compile code, and may not.
    browser.console_is_clean(&["unsafe-eval"]).await;
}
