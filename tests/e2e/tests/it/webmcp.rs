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

/// Waits until the last of the tools is registered.
async fn registered(browser: &Browser) {
    let registered = "for (let i = 0; i < 200; i++) {
        if ((await document.modelContext.getTools()).some(({name}) => name === 'history')) return true;
        await new Promise(done => setTimeout(done, 100));
    } return false";
    assert_eq!(browser.eval_async(registered).await, true);
}

/// Answers what the page asks: `allow` or `deny`.
async fn answer(browser: &Browser, word: &str) {
    let asks = browser.programs();
    if word == "allow" { asks.allow() } else { asks.deny() }.click().await;
}

/// Calls a tool that has to ask, answers with a button, and gives the result.
async fn asked(browser: &Browser, name: &str, input: Value, shown: &str, button: &str) -> Value {
    let call = format!("{AGENT} globalThis.asked = agent.call({}, {input}); return null;", json!(name));
    browser.eval_async(&call).await;
    browser.programs().question().says(shown).await;
    answer(browser, button).await;
    browser.eval_async("return await globalThis.asked").await
}

#[tokio::test]
async fn what_is_large_asks_what_is_refused_is_not_done_and_what_is_remembered_is_the_persons() {
    let app = App::start();
    let browser = Browser::start_with(&["--enable-features=WebMCP"]).await;
    // What goes to the worker is written down.
    let record = "globalThis.gone = [];
        const post = MessagePort.prototype.postMessage;
        MessagePort.prototype.postMessage = function (...all) { gone.push(JSON.stringify(all[0])); return post.apply(this, all); };
        const send = window.fetch;
        window.fetch = (url, init) => { new Request(url instanceof Request ? url.clone() : url, init).text().then((body) => gone.push(body)); return send(url, init); };";
    browser.prepare(record).await;
    browser.open(&app.url()).await;
    registered(&browser).await;

    // The rule of a new device: above ten.
    let many = |count: usize| {
        let items: Vec<Value> = (0..count).map(|n| json!({"title": format!("To-do {n}")})).collect();
        json!({ "items": items })
    };
    let ten = call(&browser, "todo_create", many(10)).await;
    assert_eq!((&ten["isError"], browser.stored().await.len()), (&json!(false), 10), "{ten}");
    for (button, stored) in [("deny", 10), ("allow", 21)] {
        let eleven = asked(&browser, "todo_create", many(11), "11", button).await;
        assert_eq!(eleven["isError"], button == "deny", "{eleven}");
        assert_eq!(browser.stored().await.len(), stored);
    }
    // What its trial refuses is answered with that. It is not called after all: by then it might be possible, and large.
    let wrong = call(&browser, "todo_update", json!({"id": "todo_nope", "title": "Changed"})).await;
    assert_eq!(wrong["isError"], true, "{wrong}");
    let gone = browser.eval("return gone.filter(text => text.includes('todo_nope'))").await;
    let gone: Vec<String> = serde_json::from_value(gone).unwrap();
    assert!(!gone.is_empty() && gone.iter().all(|text| text.contains("dev.satchel/preview")), "{gone:?}");

    // Nobody here knows what that agent has read: what would be told as the person's own words is theirs to allow.
    let saved =
        asked(&browser, "user_memory_save", json!({"text": "I like tea"}), "I like tea", "allow").await;
    assert_eq!(saved["isError"], false, "{saved}");
    // Switched off it is told nothing, by no tool.
    browser.settings().open_at("memory").await;
    browser.settings().memory_switch().click().await;
    browser.close_dialog().await;
    for (tool, input) in [
        ("user_memory_search", json!({})),
        ("user_memory_save", json!({"text": "I live in Bonn"})),
        ("undo", json!({})),
    ] {
        let refused = call(&browser, tool, input).await;
        assert_eq!(refused["isError"], true, "{tool}: {refused}");
        assert!(refused.to_string().contains("switched off"), "{tool}: {refused}");
    }
    let history = call(&browser, "history", json!({})).await;
    assert!(history["isError"] == false && !history.to_string().contains("tea"), "{history}");
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn the_browsers_agent_reads_writes_and_has_to_ask_before_it_deletes() {
    let app = App::start();
    let browser = Browser::start_with(&["--enable-features=WebMCP"]).await;
    browser.open(&app.url()).await;
    registered(&browser).await;

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

    for (button, is_error, left) in [("deny", true, 1), ("allow", false, 0)] {
        let delete = format!(
            "{AGENT} globalThis.deleted = agent.call('todo_delete', {}); return null;",
            json!({ "id": id })
        );
        browser.eval_async(&delete).await;
        browser.programs().question().says("From the browser's agent").await;
        answer(&browser, button).await;
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

/// The form is no way around the person's rules.
#[tokio::test]
async fn the_form_asks_where_adding_asks() {
    let app = App::start();
    let browser = Browser::start_with(&["--enable-features=WebMCP"]).await;
    browser.open(&app.url()).await;
    registered(&browser).await;
    browser.settings().open_at("approvals").await;
    browser.settings().unfold_rules().await;
    browser.settings().rule_of("todo_create").choose("always").await;
    browser.close_dialog().await;
    for (button, stored) in [("deny", 0), ("allow", 1)] {
        let fill_in = format!(
            "{AGENT} globalThis.asked = document.modelContext.executeTool(await agent.tool('todo_quick_add'), {{title: 'By the form'}}); return null;"
        );
        browser.eval_async(&fill_in).await;
        browser.programs().question().says("By the form").await;
        assert_eq!(browser.stored().await.len(), 0, "nothing is added before the answer");
        answer(&browser, button).await;
        browser.eval_async("return await globalThis.asked").await;
        assert_eq!(browser.stored().await.len(), stored, "{button}");
    }
    browser.shows(&[("By the form", "open")]).await;
    // The person's own hand asks nobody.
    browser.workspace().field().write("By hand\n").await;
    browser.shows(&[("By the form", "open"), ("By hand", "open")]).await;
    browser.console_is_clean(&[]).await;
}
