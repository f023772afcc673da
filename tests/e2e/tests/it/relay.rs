//! Other programs work on the data in the browser, through the gateway's `/mcp`, as far as the person lets them.

use e2e::{App, Browser, StaticHost, dist, eventually, opened};
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// A program on this machine, with nothing but a socket.
#[derive(Clone)]
pub(crate) struct Program {
    port: u16,
    token: String,
}

/// What it is answered.
#[derive(Debug)]
pub(crate) struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{self:?}"))
    }

    fn header(&self, name: &str) -> Option<String> {
        self.head.lines().find_map(|line| Some(line.strip_prefix(&format!("{name}: "))?.to_owned()))
    }
}

impl Program {
    async fn open(&self, headers: &str, body: &str) -> TcpStream {
        let mut socket = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nhost: 127.0.0.1:{}\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\n\
             accept: application/json, text/event-stream\r\n{headers}content-length: {}\r\nconnection: close\r\n\r\n",
            self.port,
            self.token,
            body.len()
        );
        socket.write_all(head.as_bytes()).await.unwrap();
        socket.write_all(body.as_bytes()).await.unwrap();
        socket
    }

    async fn send(&self, headers: &str, body: &str) -> Answer {
        let mut socket = self.open(headers, body).await;
        let mut bytes = Vec::new();
        let read = socket.read_to_end(&mut bytes);
        tokio::time::timeout(Duration::from_secs(60), read).await.expect("an answer").unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let is_chunked = head.contains("transfer-encoding: chunked");
        Answer { status, head: head.to_owned(), body: if is_chunked { whole(body) } else { body.to_owned() } }
    }

    /// A request of the current revision.
    pub(crate) async fn request(&self, method: &str, name: &str, params: Value) -> Answer {
        let (headers, body) = request(method, name, params);
        self.send(&headers, &body).await
    }

    async fn call(&self, tool: &str, arguments: Value) -> Answer {
        self.request("tools/call", tool, json!({"name": tool, "arguments": arguments})).await
    }

    /// Calls a tool in the background.
    fn calling(&self, tool: &'static str, arguments: Value) -> tokio::task::JoinHandle<Answer> {
        let program = self.clone();
        tokio::spawn(async move { program.call(tool, arguments).await })
    }
}

/// The headers and the body of a request of the current revision.
fn request(method: &str, name: &str, mut params: Value) -> (String, String) {
    params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!("2026-07-28");
    params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({"elicitation": {}});
    let name = if name.is_empty() { String::new() } else { format!("mcp-name: {name}\r\n") };
    let headers = format!("mcp-protocol-version: 2026-07-28\r\nmcp-method: {method}\r\n{name}");
    (headers, json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string())
}

/// A chunked body in one.
fn whole(mut chunked: &str) -> String {
    let mut body = String::new();
    while let Some((size, rest)) = chunked.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap();
        body.push_str(&rest[..size]);
        chunked = rest[size..].trim_start_matches("\r\n");
    }
    body
}

/// Turns the relay on in the settings, which stay open, and takes the token from there.
pub(crate) async fn pair(app: &App, browser: &Browser) -> Program {
    browser.settings().open_at("programs").await;
    browser.programs().toggle().click().await;
    let token = browser.programs().token().text().await;
    Program { port: app.port(), token }
}

/// How the calls ended that are listed in the open settings, the first one first.
async fn outcomes(browser: &Browser) -> Vec<String> {
    let row = "e.querySelector('.relay-what').textContent + ': ' + e.dataset.outcome";
    let rows = browser.programs().call().now(&format!("all.map(e => {row}).reverse()")).await;
    serde_json::from_value(rows).unwrap()
}

#[tokio::test]
async fn a_program_looks_and_touches_nothing() {
    let (app, browser) = opened(App::start()).await;
    browser.ask("Add buy milk tomorrow").await;
    let program = pair(&app, &browser).await;
    browser.programs().status().shown().await;

    // What is shown for other programs is what works.
    let shown = browser.programs().config().text().await;
    let config: Value = serde_json::from_str(&shown).unwrap();
    let server = &config["mcpServers"]["satchel"];
    assert_eq!(server["url"], format!("{}mcp", app.url()));
    assert_eq!(server["headers"]["Authorization"], format!("Bearer {}", program.token));

    let listed = program.request("tools/list", "", json!({})).await;
    let tools = listed.json()["result"]["tools"].as_array().unwrap().clone();
    let names: Vec<&str> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"todo_list") && names.contains(&"todo_create"), "{names:?}");
    assert!(!names.iter().any(|name| name.starts_with("data_")), "the app's own tools: {names:?}");
    let read = program.call("todo_list", json!({})).await;
    assert_eq!(read.json()["result"]["structuredContent"]["items"][0]["title"], "Buy milk", "{read:?}");
    let resource = program.request("resources/read", "todo://list", json!({"uri": "todo://list"})).await;
    assert!(resource.body.contains("Buy milk"), "{resource:?}");

    // A write is refused in words that the model can use.
    let refused = program.call("todo_create", json!({"title": "Not mine"})).await;
    assert_eq!((refused.status, &refused.json()["result"]["isError"]), (200, &json!(true)));
    assert!(refused.body.contains("only look") && refused.body.contains("Settings"), "{refused:?}");
    // Around it: tools that are the app's own, a body that only some readers take, our own words in its mouth.
    let own = program.call("data_export", json!({"format": "json"})).await;
    assert_eq!(own.json()["error"]["code"], -32602, "{own:?}");
    let (headers, body) = request(
        "tools/call",
        "todo_create",
        json!({"name": "todo_create", "arguments": {"title": "Marked"}}),
    );
    let marked = program.send(&headers, &format!("\u{feff}{body}")).await;
    assert_eq!((marked.status, &marked.json()["error"]["code"]), (400, &json!(-32700)));
    let preview = json!({"name": "todo_create", "arguments": {"title": "Tried"}, "_meta": {"dev.satchel/preview": true}});
    let preview = program.request("tools/call", "todo_create", preview).await;
    assert_eq!(preview.json()["result"]["isError"], true);
    let batch = json!([
        {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "todo_create", "arguments": {"title": "One"}}},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "todo_list", "arguments": {}}},
        {"jsonrpc": "2.0", "id": 3, "method": "tools/list"},
        {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "todo_create", "arguments": {"title": "Two"}}},
    ]);
    let batch = program.send("mcp-protocol-version: 2025-03-26\r\n", &batch.to_string()).await.json();
    let of = |id: u64| batch.as_array().unwrap().iter().find(|answer| answer["id"] == id).unwrap();
    assert_eq!(of(1)["result"]["isError"], true);
    assert_eq!(of(2)["result"]["isError"], false);
    assert!(!of(3).to_string().contains("data_export"));
    assert_eq!((batch.as_array().unwrap().len(), browser.stored().await.len()), (3, 1));

    let expected = [
        "List to-dos: done", "Read the list: done", "Add to-dos: read-only", "Add to-dos: read-only",
        "Add to-dos: read-only", "List to-dos: done",
    ];
    assert_eq!(outcomes(&browser).await, expected);
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn what_changes_something_is_asked_about() {
    let (app, browser) = opened(App::start()).await;
    let program = pair(&app, &browser).await;
    browser.programs().let_them_ask().await;

    // Asked in the settings while they are open, and across the page when they are not.
    let create = json!({"title": "Water the plants"});
    let asked = program.calling("todo_create", create.clone());
    let said = browser.programs().question().text().await;
    assert!(said.contains("This would add 1 to-do:") && said.contains("Water the plants"), "{said}");
    assert_eq!(browser.stored().await.len(), 0, "nothing is done yet");
    assert_eq!(browser.eval("return document.title.includes('asks')").await, json!(true));
    browser.programs().allow().click().await;
    let done = asked.await.unwrap();
    assert_eq!(
        done.json()["result"]["structuredContent"]["changes"][0]["after"]["title"],
        "Water the plants"
    );
    browser.programs().question().gone().await;
    browser.close_dialog().await;

    // The same bytes once more are another call, and not the first one's answer.
    for (button, stored) in [("allow", 2), ("deny", 2)] {
        let asked = program.calling("todo_create", create.clone());
        let failed = button == "deny";
        let questions = browser.programs();
        if failed { questions.deny() } else { questions.allow() }.click().await;
        let answer = asked.await.unwrap().json();
        assert_eq!(answer["result"]["isError"], failed, "{answer}");
        assert_eq!(answer.to_string().contains("said no"), failed);
        assert_eq!(browser.stored().await.len(), stored);
        browser.programs().question().gone().await;
    }
    // Deleting is asked about here, and not a second time in the program. Several at once stand in line.
    let ids: Vec<Value> = browser.stored().await.iter().map(|todo| todo["id"].clone()).collect();
    let both = ids.iter().map(|id| program.calling("todo_delete", json!({"ids": [id]}))).collect::<Vec<_>>();
    browser.programs().question().says("One more waits").await;
    let said = browser.programs().question().text().await;
    assert!(said.contains("This would delete 1 to-do:"), "{said}");
    for _ in 0..2 {
        browser.programs().allow().click().await;
    }
    for answer in both {
        assert_eq!(answer.await.unwrap().json()["result"]["resultType"], "complete");
    }
    assert_eq!(browser.stored().await.len(), 0);
    // What the tool itself would refuse is not asked about.
    let wrong = program.call("todo_delete", json!({"ids": ["todo_nope"]})).await;
    assert_eq!(wrong.json()["result"]["isError"], true, "{wrong:?}");
    // Who does not wait takes the question along.
    let (headers, body) =
        request("tools/call", "todo_create", json!({"name": "todo_create", "arguments": create}));
    let socket = program.open(&headers, &body).await;
    browser.programs().question().shown().await;
    drop(socket);
    browser.programs().question().gone().await;

    browser.settings().open_at("programs").await;
    let expected = [
        "Add to-dos: done", "Add to-dos: done", "Add to-dos: denied", "Delete to-dos: done",
        "Delete to-dos: done", "Delete to-dos: failed", "Add to-dos: given-up",
    ];
    assert_eq!(outcomes(&browser).await, expected);
    assert_eq!(browser.programs().token().count().await, 0, "it was shown once");
    browser.console_is_clean(&["404"]).await;
}

#[tokio::test]
async fn streams_come_through_as_they_are() {
    let (app, browser) = opened(App::start()).await;
    let program = pair(&app, &browser).await;
    let params = json!({"name": "todo_list", "arguments": {}, "_meta": {"progressToken": "p1"}});
    let answer = program.request("tools/call", "todo_list", params).await;
    assert_eq!(answer.header("content-type").as_deref(), Some("text/event-stream"), "{answer:?}");
    let events: Vec<Value> = answer
        .body
        .lines()
        .filter_map(|line| serde_json::from_str(line.strip_prefix("data: ")?).ok())
        .collect();
    let (last, before) = events.split_last().unwrap();
    assert!(
        !before.is_empty() && before.iter().all(|event| event["params"]["progressToken"] == "p1"),
        "{events:?}"
    );
    assert_eq!(last["result"]["structuredContent"]["items"], json!([]));

    // A subscription hears of a change while it is open.
    let (headers, body) = request(
        "subscriptions/listen",
        "",
        json!({"notifications": {"resourceSubscriptions": ["todo://list"]}}),
    );
    let mut socket = program.open(&headers, &body).await;
    let heard = tokio::spawn(async move {
        let mut heard = String::new();
        let mut part = vec![0; 4096];
        while !heard.contains("resources/updated") {
            let read = socket.read(&mut part).await.unwrap();
            assert!(read > 0, "{heard}");
            heard.push_str(&String::from_utf8_lossy(&part[..read]));
        }
        heard
    });
    browser.close_dialog().await;
    // Said again until it is listened: the subscription may just be on its way.
    let is_heard = eventually(Duration::from_secs(20), || async {
        browser.call("todo_create", &json!({"title": "News"}), None).await;
        heard.is_finished()
    })
    .await;
    assert!(is_heard);
    heard.await.unwrap();

    // A session of the older revisions.
    let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "it", "version": "1"}}});
    let hello = program.send("", &hello.to_string()).await;
    let session = hello.header("mcp-session-id").expect("a session");
    let headers = format!("mcp-protocol-version: 2025-11-25\r\nmcp-session-id: {session}\r\n");
    let ready = program.send(&headers, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    assert_eq!(ready.status, 202);
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "todo_list", "arguments": {}}});
    let called = program.send(&headers, &call.to_string()).await;
    assert!(called.body.contains("News"), "{called:?}");
    browser.console_is_clean(&["404"]).await;
}

#[tokio::test]
async fn the_connection_ends_when_the_person_ends_it() {
    let (app, browser) = opened(App::start()).await;
    let program = pair(&app, &browser).await;
    let status = async |program: &Program| program.call("todo_list", json!({})).await.status;
    assert_eq!(status(&program).await, 200);
    let guess = Program { token: program.token.replace(['1', '2', '3', '4'], "0"), ..program.clone() };
    let refused = guess.call("todo_list", json!({})).await;
    assert_eq!((refused.status, refused.header("www-authenticate").as_deref()), (401, Some("Bearer")));

    // By the button; a question that stands goes with it.
    browser.programs().let_them_ask().await;
    let asked = program.calling("todo_create", json!({"title": "Too late"}));
    browser.programs().question().shown().await;
    browser.programs().revoke().click().await;
    assert_eq!(asked.await.unwrap().status, 503);
    assert_eq!(status(&program).await, 503);
    browser.programs().question().gone().await;
    assert_eq!(browser.programs().status().count().await, 0);
    assert_eq!(browser.stored().await.len(), 0);

    // Once more: another token, and to look only; the old one is worth nothing.
    browser.programs().toggle().click().await;
    let token = browser.programs().token().text().await;
    assert_ne!(token, program.token);
    assert_eq!(status(&program).await, 401);
    let program = Program { token, ..program };
    assert_eq!(program.call("todo_create", json!({"title": "No"})).await.json()["result"]["isError"], true);
    // By the switch, and by loading the page again.
    browser.programs().toggle().click().await;
    assert!(eventually(Duration::from_secs(20), || async { status(&program).await == 503 }).await);
    browser.programs().toggle().click().await;
    let token = browser.programs().token().text().await;
    let program = Program { token, ..program };
    assert_eq!(status(&program).await, 200);
    browser.reload().await;
    assert_eq!(status(&program).await, 503);
    assert_eq!(browser.programs().status().count().await, 0);
    browser.console_is_clean(&["503", "403", "404"]).await;
}

#[tokio::test]
async fn a_second_tab_and_a_stopped_gateway_are_said() {
    let (mut app, browser) = opened(App::start()).await;
    pair(&app, &browser).await;
    // Another tab, as far as the gateway can tell.
    let other = browser
        .eval_async(
            r#"window.other = await fetch("api/relay", {method: "POST"}); return window.other.status"#,
        )
        .await;
    assert_eq!(other, 200);
    browser.programs().relay().is("link", "ended").await;
    assert!(browser.programs().said().text().await.contains("another tab"));
    browser.programs().toggle().click().await;
    browser.programs().relay().is("link", "on").await;
    app.kill();
    browser.programs().relay().is("link", "ended").await;
    assert!(browser.programs().said().text().await.contains("does not answer"));
    browser.console_is_clean(&["ERR_"]).await;
}

#[tokio::test]
async fn where_there_is_no_gateway_it_is_said() {
    let host = StaticHost::start(&dist(), "/some/path").await;
    let browser = Browser::start().await;
    browser.open(&host.url()).await;
    browser.settings().open_at("programs").await;
    assert!(browser.programs().none().text().await.contains("plain web server"));
    assert_eq!(browser.programs().toggle().count().await, 0);
    browser.console_is_clean(&["api/models", "api/relay"]).await;
}

#[tokio::test]
async fn the_official_clients_in_node_work_on_what_is_in_the_browser() {
    let (app, browser) = opened(App::start()).await;
    let program = pair(&app, &browser).await;
    browser.programs().let_them_ask().await;
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("ts-client/relay.js");
    let clients = tokio::process::Command::new("node")
        .arg(script)
        .arg(format!("http://127.0.0.1:{}/mcp", program.port))
        .arg(&program.token)
        .kill_on_drop(true)
        .output();
    // The person allows the first thing that each of them wants, and does not answer the second.
    let person = async {
        for name in ["auto", "default", "first"] {
            browser.programs().question().says(&format!("From Node, {name}")).await;
            browser.programs().allow().click().await;
        }
    };
    let (output, ()) = tokio::join!(clients, person);
    let output = output.expect("node");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let done: Vec<Value> = serde_json::from_str(&said).unwrap();
    for (done, name) in done.iter().zip(["auto", "default", "first"]) {
        assert_eq!(done["title"], format!("From Node, {name}"));
        assert!(done["tools"].as_u64() > Some(8) && done["progress"] == json!([0, 2]), "{done}");
        assert_eq!((&done["uri"], &done["cancelled"]), (&json!("todo://list"), &json!(true)), "{done}");
    }
    assert_eq!(done.len(), 3);
    browser.programs().question().gone().await;
    let stored = browser.stored().await;
    assert_eq!(stored.len(), 3, "what was given up was not done: {stored:?}");
}

#[tokio::test]
async fn without_an_answer_within_two_minutes_nothing_is_done() {
    let app = App::start();
    let browser = Browser::start().await;
    // The page's own clock: two minutes, and no other time, pass in half a second.
    let hurry = "const wait = window.setTimeout; window.setTimeout = (done, ms, ...more) => \
                 wait.call(window, done, ms === 120_000 ? 500 : ms, ...more);";
    browser.prepare(hurry).await;
    browser.open(&app.url()).await;
    let program = pair(&app, &browser).await;
    browser.programs().let_them_ask().await;

    let answer = program.call("todo_create", json!({"title": "Too late"})).await.json();
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    assert!(answer.to_string().contains("did not answer within two minutes"), "{answer}");
    browser.programs().question().gone().await;
    assert_eq!(browser.stored().await.len(), 0, "nothing is done");
    assert_eq!(outcomes(&browser).await, ["Add to-dos: not-in-time"]);
    // And not later either: the page goes on as if nobody had asked.
    assert_eq!(browser.eval("return document.title.includes('asks')").await, json!(false));
    browser.close_dialog().await;
    browser.ask("Add buy milk").await;
    browser.shows(&[("Buy milk", "open")]).await;
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn the_memorys_switch_binds_programs_that_are_connected() {
    let (app, browser) = opened(App::start()).await;
    browser.ask("Add buy milk").await;
    browser.ask("remember that I'm vegetarian").await;
    let program = pair(&app, &browser).await;
    browser.programs().let_them_ask().await;
    let found = program.call("user_memory_search", json!({})).await;
    assert!(found.body.contains("vegetarian"), "{found:?}");
    // It listens to which tools there are.
    let (headers, body) =
        request("subscriptions/listen", "", json!({"notifications": {"toolsListChanged": true}}));
    let mut socket = program.open(&headers, &body).await;
    let heard = tokio::spawn(async move {
        let (mut heard, mut part) = (String::new(), vec![0; 4096]);
        while !heard.contains("tools/list_changed") {
            let read = socket.read(&mut part).await.unwrap();
            assert!(read > 0, "{heard}");
            heard.push_str(&String::from_utf8_lossy(&part[..read]));
        }
    });
    // It is listened to when it is acknowledged in the page's list.
    browser.programs().call().whose("outcome", "running").shown().await;

    // Moved until it is heard: the subscription may just be on its way to the worker.
    let is_heard = eventually(Duration::from_secs(20), || async {
        browser.settings().go_to("memory").await;
        browser.settings().memory_switch().click().await;
        tokio::time::sleep(Duration::from_millis(300)).await;
        heard.is_finished() && browser.settings().memory_switch().now("all[0].checked").await == false
    })
    .await;
    assert!(is_heard);

    let listed = program.request("tools/list", "", json!({})).await;
    assert!(!listed.body.contains("user_memory"), "{listed:?}");
    for tool in ["user_memory_search", "user_memory_save"] {
        let refused = program.call(tool, json!({"text": "I live in Bonn"})).await;
        assert_eq!(refused.json()["error"]["code"], -32602, "{refused:?}");
    }
    // No other tool tells of it, or brings it back.
    let history = program.call("history", json!({})).await;
    assert!(history.body.contains("Buy milk") && !history.body.contains("vegetarian"), "{history:?}");
    let undo = program.call("undo", json!({})).await;
    assert_eq!(undo.json()["result"]["isError"], true, "{undo:?}");
    assert!(undo.body.contains("switched off") && !undo.body.contains("vegetarian"), "{undo:?}");
    browser.programs().question().gone().await;
    // Nor does the assistant in the chat.
    browser.close_dialog().await;
    let answer = browser.ask("undo").await;
    assert!(!answer.contains("vegetarian"), "{answer}");
    // The person still has it, and it is as it was.
    browser.settings().open_at("programs").await;
    browser.settings().go_to("memory").await;
    browser.settings().open_memory().click().await;
    let kept = browser.memory().sentence().text().await;
    assert_eq!(kept, "I'm vegetarian");
    browser.close_dialog().await;
    browser.console_is_clean(&["404"]).await;
}
