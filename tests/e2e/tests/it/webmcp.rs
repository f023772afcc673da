//! WebMCP: the browser's own agent uses the tools, and the page asks where the person's rules say so (mcp.md §6.3).

use e2e::{App, Browser};
use serde_json::{Value, json};

/// Calls a tool as the browser's agent does; the result, parsed. Where it waits for the person the promise is kept.
const AGENT: &str = r#"
globalThis.agent ??= {
    tool: async (name) => (await document.modelContext.getTools()).find((tool) => tool.name === name),
    call: async (name, input) => JSON.parse(await document.modelContext.executeTool(await agent.tool(name), input)),
};
"#;

async fn call(browser: &Browser, name: &str, input: Value) -> Value {
    browser.eval_async(&format!("{AGENT} return await agent.call({}, {input});", json!(name))).await
}

#[tokio::test]
async fn the_browsers_agent_reads_writes_and_has_to_ask_before_it_deletes() {
    let app = App::start();
    let browser = Browser::start_with(&["--enable-features=WebMCP"]).await;
    browser.open(&app.url()).await;
    // The last one of them.
    let registered = "for (let i = 0; i < 200; i++) {
        if ((await document.modelContext.getTools()).some(({name}) => name === 'todo_history')) return true;
        await new Promise(done => setTimeout(done, 100));
    } return false";
    assert_eq!(browser.eval_async(registered).await, true);

    let tools: Vec<Value> = serde_json::from_value(
        browser
            .eval_async(
                "return (await document.modelContext.getTools()).map(({name, annotations}) => ({name, annotations}))",
            )
            .await,
    )
    .unwrap();
    let hints = |name: &str| &tools.iter().find(|tool| tool["name"] == name).expect("a tool")["annotations"];
    assert_eq!(hints("todo_list")["readOnlyHint"], true);
    assert_eq!(hints("todo_delete")["consequentialHint"], true);
    assert!(
        tools.iter().all(|tool| tool["name"] != "data_import"),
        "what is for our own screens is not offered"
    );

    let added = call(&browser, "todo_create", json!({"title": "From the browser's agent"})).await;
    assert_eq!(added["isError"], false, "{added}");
    browser.shows(&[("From the browser's agent", "open")]).await;
    let id = added["structuredContent"]["changes"][0]["after"]["id"].clone();
    let found = call(&browser, "todo_list", json!({})).await;
    assert_eq!(found["structuredContent"]["total"], 1);
    let refused = call(&browser, "todo_create", json!({"title": ""})).await;
    assert_eq!(refused["isError"], true, "a mistake is a result that can be read: {refused}");

    for (button, is_error, left) in [("outside-deny", true, 1), ("outside-allow", false, 0)] {
        let delete = format!(
            "{AGENT} globalThis.deleted = agent.call('todo_delete', {}); return null;",
            json!({ "id": id })
        );
        browser.eval_async(&delete).await;
        let shown = "return document.querySelector('[data-testid=\"outside-ask\"]')?.textContent\
                     .includes(\"From the browser's agent\")";
        browser.until("the page asks", shown).await;
        browser.testid(button).await.click().await.expect("a click");
        let result = browser.eval_async("return await globalThis.deleted").await;
        assert_eq!(result["isError"], is_error, "{result}");
        let found = call(&browser, "todo_list", json!({})).await;
        assert_eq!(found["structuredContent"]["total"], left);
    }
    browser.shows(&[]).await;

    // The form of the list is one of the tools, filled in by the agent and sent as the person would.
    let said = browser
        .eval_async(&format!(
            "{AGENT} return await document.modelContext.executeTool(await agent.tool('todo_quick_add'), {{title: 'By the form'}})"
        ))
        .await;
    assert!(said.as_str().unwrap_or_default().contains("By the form"), "{said}");
    browser.shows(&[("By the form", "open")]).await;
    browser.console_is_clean(&[]).await;
}
