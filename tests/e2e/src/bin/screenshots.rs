//! Takes the pictures a person should look at: every screen state, 1280 and 390 pixels wide, light and dark.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::path::{Path, PathBuf};
use std::time::Duration;

use e2e::{App, Browser, PASTE, Provider, ROOMS, Reply, Theme, sse};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

#[tokio::main]
async fn main() {
    let mut args = std::env::args().skip(1);
    let out = match (args.next().as_deref(), args.next()) {
        (Some("--out"), Some(folder)) => PathBuf::from(folder),
        _ => PathBuf::from("target/screenshots"),
    };
    std::fs::create_dir_all(&out).expect("the folder for the pictures");
    for (width, height, device) in [(1280, 860, "desktop"), (390, 844, "phone")] {
        for (theme, name) in [(Theme::Light, "light"), (Theme::Dark, "dark")] {
            scenes(&out, width, height, theme, &format!("{device}-{name}")).await;
        }
    }
    println!("the pictures are in {}", out.display());
}

async fn scenes(out: &Path, width: u32, height: u32, theme: Theme, suffix: &str) {
    let provider = Provider::start([]).await;
    let mut app = App::start_before(&provider);
    let browser = Browser::start().await;
    browser.size(width, height).await;
    browser.theme(theme).await;
    browser.open(&app.url()).await;
    let phone = width < 600;

    shot(&browser, out, "1-empty", suffix).await;
    if phone {
        tab(&browser, "todos").await;
        shot(&browser, out, "1-empty-list", suffix).await;
        tab(&browser, "chat").await;
    }
    browser
        .ask("Add buy milk tomorrow #home, call the bank on Friday at 10am !high and renew the passport")
        .await;
    browser.ask("Add water the plants every Tuesday").await;
    browser.ask("Complete renew the passport").await;
    browser.ask("What's open?").await;
    shot(&browser, out, "2-in-use", suffix).await;
    if phone {
        tab(&browser, "todos").await;
        shot(&browser, out, "2-in-use-list", suffix).await;
        tab(&browser, "chat").await;
    }
    browser.send("Delete buy milk").await;
    browser.testid("approve").await;
    shot(&browser, out, "3-approval", suffix).await;
    browser.testid("deny").await.click().await.unwrap();
    browser.idle().await;

    browser.testid("settings").await.click().await.unwrap();
    shot(&browser, out, "4-settings", suffix).await;
    browser.close_dialog().await;

    browser.testid("open-palette").await.click().await.unwrap();
    shot(&browser, out, "4-palette", suffix).await;
    browser.testid("palette-field").await.send_keys("the").await.unwrap();
    shot(&browser, out, "4-palette-found", suffix).await;
    browser.close_dialog().await;
    browser.eval("document.activeElement.blur()").await;
    browser.driver.action_chain().send_keys("?").perform().await.unwrap();
    shot(&browser, out, "4-shortcuts", suffix).await;
    browser.close_dialog().await;
    browser.eval("document.documentElement.dir = 'rtl'").await;
    shot(&browser, out, "4-right-to-left", suffix).await;
    browser.eval("document.documentElement.dir = 'ltr'").await;

    data(&browser, out, suffix).await;
    programs(&browser, app.port(), out, suffix).await;

    browser.choose_model("gateway:test/m").await;
    provider.push([Reply::plain(
        401,
        "application/json",
        r#"{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}"#,
    )]);
    browser.send("Plan my week").await;
    browser.testid("error").await;
    shot(&browser, out, "5-error", suffix).await;
    provider.push([Reply::stream(
        &sse::text("Here is a **plan**:\n\n1. Call the bank on Friday\n2. Water the plants\n\n| Day | What |\n|---|---|\n| Fri | Bank |\n\n> One thing at a time. `ok`\n"),
        40,
    )]);
    browser.testid("retry").await.click().await.unwrap();
    browser.idle().await;
    shot(&browser, out, "6-markdown", suffix).await;
    traces(&browser, &provider, out, suffix).await;
    judged(&browser, &provider, out, suffix).await;

    browser.offline(true).await;
    app.kill();
    browser.says_online(false).await;
    shot(&browser, out, "7-offline", suffix).await;
}

/// What there is to see about the person's data: history and its preview, storage, conversations.
async fn data(browser: &Browser, out: &Path, suffix: &str) {
    browser.testid("open-history").await.click().await.unwrap();
    browser.testid("history-entry").await;
    shot(browser, out, "8-history", suffix).await;
    browser.eval(r#"[...document.querySelectorAll('[data-testid="history-back"]')].at(-2).click()"#).await;
    let preview = browser.testid("history-preview").await;
    preview.scroll_into_view().await.unwrap();
    shot(browser, out, "8-history-preview", suffix).await;
    browser.close_dialog().await;

    for (text, kind) in [("I'm vegetarian", "fact"), ("I prefer short answers", "preference")] {
        let arguments = serde_json::json!({"text": text, "kind": kind});
        browser.call("user_memory_save", &arguments, None).await;
    }
    browser.settings().open_at("memory").await;
    browser.testid("open-memory").await.click().await.unwrap();
    browser.testid("memory-item").await;
    shot(browser, out, "8-memory", suffix).await;
    browser.testid("memory-edit").await.click().await.unwrap();
    shot(browser, out, "8-memory-edit", suffix).await;
    browser.eval("document.querySelector('[data-testid=\"memory\"]').close()").await;

    let phone = suffix.contains("phone");
    browser.settings().button().click().await;
    for (at, (room, _)) in ROOMS.into_iter().enumerate() {
        if phone && at > 0 {
            browser.settings().back().click().await;
        }
        browser.settings().go_to(room).await;
        shot(browser, out, &format!("8-settings-{room}"), suffix).await;
    }
    if phone {
        browser.settings().back().click().await;
    }
    browser.settings().go_to("model").await;
    browser.css(r#"[data-testid="model-select"] option[value="own"]"#).await.click().await.unwrap();
    shot(browser, out, "8-own-model", suffix).await;
    browser.css(r#"[data-testid="model-select"] option[value="builtin"]"#).await.click().await.unwrap();
    browser.close_dialog().await;
}

/// What happened in a run, and what all of them come to.
async fn traces(browser: &Browser, provider: &Provider, out: &Path, suffix: &str) {
    let id = browser.stored().await[0]["id"].clone();
    provider.push([
        Reply::plain(503, "application/json", r#"{"error":{"message":"overloaded"}}"#),
        Reply::stream(
            &sse::calls(&[
                ("r1", "todo_list", serde_json::json!({"status": "open"})),
                ("r2", "todo_list", serde_json::json!({"status": "done"})),
                ("w", "todo_create", serde_json::json!({"items": [{"title": "Read the minutes"}]})),
                ("n", "calendar_move", serde_json::json!({"day": "Friday"})),
                ("d", "todo_delete", serde_json::json!({"id": id})),
            ]),
            60,
        )
        .slow(8),
        Reply::stream(&sse::text("The minutes are on your list, and there is no calendar here."), 40)
            .slow(30),
    ]);
    browser.send("Put the minutes on my list and tidy up").await;
    browser.testid("approve").await;
    tokio::time::sleep(Duration::from_millis(900)).await;
    browser.testid("approve").await.click().await.unwrap();
    browser.idle().await;
    shot(browser, out, "10-answer", suffix).await;
    browser.eval("[...document.querySelectorAll('[data-testid=answer-trace]')].at(-1).click()").await;
    browser.testid("trace-row").await;
    shot(browser, out, "10-trace", suffix).await;
    browser.eval("document.querySelectorAll('[data-testid=trace-row]')[4].click()").await;
    browser.testid("trace-detail").await;
    shot(browser, out, "10-trace-detail", suffix).await;
    browser.eval("document.querySelector('[data-testid=trace]').close()").await;
    browser.eval("[...document.querySelectorAll('[data-testid=rate-good]')].at(-1).click()").await;
    browser.testid("open-palette").await.click().await.unwrap();
    browser.testid("palette-field").await.send_keys("metrics of all").await.unwrap();
    browser.driver.action_chain().send_keys(thirtyfour::Key::Enter).perform().await.unwrap();
    browser.css(".metric").await;
    shot(browser, out, "10-metrics", suffix).await;
    browser.close_dialog().await;
}

/// A question, a plan, an answer that its results do not support, pictures, what would be hidden, the voice's settings.
async fn judged(browser: &Browser, provider: &Provider, out: &Path, suffix: &str) {
    let calls = |id: &str, name: &str, arguments| Reply::stream(&sse::calls(&[(id, name, arguments)]), 60);
    let says = |text: &str| Reply::stream(&sse::text(text), 60);
    let question = json!({"questions": [{"question": "Which day suits you?", "type": "single_choice", "options": [
        {"id": "sat", "label": "Saturday", "description": "the market is open"}, {"id": "sun", "label": "Sunday"}]}]});
    provider.push([calls("q1", "ask_person", question), says("Saturday it is.")]);
    browser.send("When should I shop?").await;
    browser.css("[data-testid='question-option']").await;
    shot(browser, out, "11-question", suffix).await;
    browser.css("[data-testid='question-option']").await.click().await.unwrap();
    browser.idle().await;

    browser.eval("const kept = JSON.parse(localStorage.getItem('satchel.settings')); kept.planning = 'first'; localStorage.setItem('satchel.settings', JSON.stringify(kept))").await;
    browser.reload().await;
    let steps = json!([{"title": "Look at what is open", "tool": "todo_list"}, {"title": "Add milk and bread", "tool": "todo_create"}]);
    provider.push([
        calls("p1", "plan_propose", json!({"goal": "Shop on Saturday", "steps": steps})),
        says("Then not."),
    ]);
    browser.send("Plan the shopping").await;
    browser.testid("plan").await;
    shot(browser, out, "11-plan", suffix).await;
    browser.css("[data-testid='plan-decline']").await.click().await.unwrap();
    browser.idle().await;

    provider.push([
        calls("l1", "todo_list", json!({"status": "open"})),
        says("You have 17 to-dos [todo_list:l1], and “Call the bank” is due on Friday."),
    ]);
    browser.ask("How many to-dos are there?").await;
    shot(browser, out, "11-evidence", suffix).await;

    browser.give(&[(1_200, 800), (600, 800)], PASTE).await;
    browser
        .until("two pictures", "return document.querySelectorAll('[data-testid=\"tray\"] img').length === 2")
        .await;
    shot(browser, out, "12-pictures", suffix).await;
    provider.push([says("A clear evening sky, once wide and once tall.")]);
    browser.ask("What is on these?").await;
    shot(browser, out, "12-pictures-sent", suffix).await;

    browser.settings().open_at("voice").await;
    browser.eval("document.querySelector('[data-testid=dictation-on]').click(); document.querySelector('[data-testid=dictation-on]').scrollIntoView({block: 'center'})").await;
    shot(browser, out, "12-voice-settings", suffix).await;
    browser.close_dialog().await;
    browser.settings().open_at("privacy").await;
    browser.css("label:has([data-testid='hiding-ask'])").await.click().await.unwrap();
    browser.close_dialog().await;
    browser.send("Write to anna@example.org or call +49 171 1234567").await;
    browser.until("it is asked", "return !!document.querySelector('dialog[open]')").await;
    shot(browser, out, "12-hiding", suffix).await;
    browser.testid("hide-stop").await.click().await.unwrap();
    browser.idle().await;
}

/// Other programs: turning them on, the question, what they did.
async fn programs(browser: &Browser, port: u16, out: &Path, suffix: &str) {
    browser.settings().open_at("programs").await;
    shot(browser, out, "9-programs-off", suffix).await;
    browser.testid("relay-toggle").await.click().await.unwrap();
    let token = browser.testid("relay-token").await.text().await.unwrap();
    shot(browser, out, "9-programs-on", suffix).await;
    let call = |tool: &str, arguments: serde_json::Value| {
        let call = serde_json::json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}});
        tokio::spawn(post(port, token.clone(), call.to_string()))
    };
    call("todo_list", serde_json::json!({})).await.unwrap();
    call("todo_create", serde_json::json!({"title": "Not allowed"})).await.unwrap();
    browser.eval(r#"document.querySelector('[data-testid="relay-mode-ask"]').click()"#).await;
    let asked = call(
        "todo_create",
        serde_json::json!({"items": [{"title": "Review the pull request", "due": "2030-01-02"}, {"title": "Write the changelog"}]}),
    );
    browser.testid("outside-allow").await;
    shot(browser, out, "9-programs-asked-in-settings", suffix).await;
    browser.close_dialog().await;
    shot(browser, out, "9-programs-asked", suffix).await;
    browser.testid("outside-deny").await.click().await.unwrap();
    asked.await.unwrap();
    browser.settings().open_at("programs").await;
    browser.testid("relay-call").await.scroll_into_view().await.unwrap();
    shot(browser, out, "9-programs-did", suffix).await;
    browser.testid("relay-revoke").await.click().await.unwrap();
    browser.close_dialog().await;
}

/// Asks as a program does, and waits until it is answered.
async fn post(port: u16, token: String, body: String) {
    let mut socket = tokio::net::TcpStream::connect(("127.0.0.1", port)).await.expect("the gateway");
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    socket.write_all(head.as_bytes()).await.expect("it is sent");
    socket.write_all(body.as_bytes()).await.expect("it is sent");
    socket.read_to_end(&mut Vec::new()).await.expect("an answer");
}

async fn tab(browser: &Browser, name: &str) {
    browser.testid(&format!("tab-{name}")).await.click().await.expect("the tab opens");
}

async fn shot(browser: &Browser, out: &Path, scene: &str, suffix: &str) {
    // Transitions have come to rest.
    tokio::time::sleep(Duration::from_millis(400)).await;
    browser
        .driver
        .screenshot(&out.join(format!("{scene}-{suffix}.png")))
        .await
        .expect("the picture is taken");
}
