//! Several tabs: each writes as if it were alone, one leads a conversation, the others follow it live and
//! take over when the leader dies (design decision 3, T9).

use std::time::{Duration, Instant};

use e2e::{App, CALL, Chromium, Provider, Reply, Tab, eventually, exactly_once, sse};
use serde_json::{Value, json};

/// How long a tab may be without a leader, in the words of issue 3.
const TAKEOVER: Duration = Duration::from_secs(2);

/// Creates 1,000 to-dos, all in flight at once: 500 by fetch, 500 through a port of its own. Gives the titles
/// that were acknowledged.
const THOUSAND: &str = r#"
    const titles = [...Array(1000).keys()].map(n => `${name} ${n}`);
    const head = {"content-type": "application/json", "accept": "application/json, text/event-stream",
        "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "todo_create"};
    const {port1, port2} = new MessageChannel();
    const waiting = new Map();
    const greeting = new Promise(r => waiting.set("hello", r));
    port1.onmessage = ({data}) => {
        if (typeof data === "string") return waiting.get("hello")(data);
        waiting.get(data.id)(JSON.parse(data.body)); waiting.delete(data.id);
    };
    navigator.serviceWorker.controller.postMessage({satchel: "port", version: door}, [port2]);
    const greeted = await greeting;
    if (!greeted.includes("hello")) throw new Error(`the worker serves no page of door ${door}: ${greeted}`);
    const byPort = (title, n) => new Promise(answer => {
        const params = {name: "todo_create", arguments: {title}, _meta: {"dev.satchel/key": `${name}-${n}`,
            "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {}}};
        waiting.set(n, answer);
        port1.postMessage({id: n, headers: JSON.stringify(head), body: JSON.stringify({jsonrpc: "2.0", id: n, method: "tools/call", params})});
    });
    const made = await Promise.all(titles.map(async (title, n) => {
        const reply = await (n % 2 ? byPort(title, n) : call("todo_create", {title}, `${name}-${n}`));
        return reply.result && !reply.result.isError ? title : null;
    }));
    return made.filter(title => title !== null);"#;

/// The number of the door that the worker serves, as its source has it.
fn door() -> u32 {
    let (_, rest) = include_str!("../../../../crates/worker/src/exports.rs")
        .split_once("pub const TRANSPORT_VERSION: u32 = ")
        .expect("the worker says which transport it serves");
    rest.split(';').next().and_then(|number| number.parse().ok()).expect("a number")
}

#[tokio::test]
async fn two_tabs_create_a_thousand_each_at_once() {
    let app = App::start();
    let browser = Chromium::start().await;
    let (one, two) = (browser.tab(&app.url()).await, browser.tab(&app.url()).await);
    one.ready().await;
    two.ready().await;

    let script = |name: &str| format!("{CALL} const name = {}, door = {}; {THOUSAND}", json!(name), door());
    let started = Instant::now();
    let (by_one, by_two) = (script("one"), script("two"));
    let (from_one, from_two) = tokio::join!(one.eval(&by_one), two.eval(&by_two));
    println!("2000 creates took {:?}", started.elapsed());
    let titles = |value: Value| -> Vec<String> { serde_json::from_value(value).unwrap() };
    let acked = [titles(from_one), titles(from_two)].concat();
    let asked: Vec<String> =
        ["one", "two"].iter().flat_map(|name| (0..1000).map(move |n| format!("{name} {n}"))).collect();
    let (mut in_one, mut in_two) = (one.titles().await, two.titles().await);
    exactly_once("two tabs", &asked, &acked, &in_one);
    assert_eq!((acked.len(), in_one.len()), (2000, 2000));
    in_one.sort();
    in_two.sort();
    assert_eq!(in_one, in_two, "both tabs read the same");
    one.shows(2000).await;
    two.shows(2000).await;

    // Every revision is there once, without a gap.
    let revs = one
        .eval(
            "const db = await new Promise((done, no) => { const r = indexedDB.open('satchel'); r.onsuccess = () => done(r.result); r.onerror = no; });
             const keys = await new Promise(done => { const r = db.transaction('journal').objectStore('journal').getAllKeys(); r.onsuccess = () => done(r.result); });
             db.close(); return keys;",
        )
        .await;
    let revs: Vec<u64> = serde_json::from_value(revs).unwrap();
    assert_eq!(revs, (1..=2000).collect::<Vec<u64>>(), "the revisions have no gap");
    one.console_is_clean(&[]);
    two.console_is_clean(&[]);
}

/// Whether the tab leads the conversation it shows: it could write a message or stop the run.
const LEADS: &str = r#"return !document.querySelector('[data-testid="take-over"]')
    && !!document.querySelector('[data-testid="composer"], [data-testid="stop"]')"#;

/// Two tabs on one conversation with a provider's model; the first leads, the second watches.
async fn leader_and_watcher(app: &App, browser: &Chromium, provider: &Provider) -> (Tab, Tab) {
    provider.push([Reply::says("Hello.")]);
    let leader = browser.tab(&app.url()).await;
    leader.ready().await;
    leader.choose_model("gateway:test/m").await;
    leader.say("hello").await;
    leader.chat().says("Hello.").await;
    leader.idle().await;
    let watcher = browser.tab(&app.url()).await;
    watcher.ready().await;
    watcher.chat().take_over().shown().await;
    watcher.chat().says("Hello.").await;
    (leader, watcher)
}

/// A run of three steps: four to-dos, four more, and a slow answer.
fn run_of(name: &str) -> Vec<Reply> {
    let four = |step: usize| -> String {
        let calls: Vec<(String, Value)> =
            (0..4).map(|n| (format!("call_{n}"), json!({"title": format!("{name} {step}.{n}")}))).collect();
        let calls: Vec<_> =
            calls.iter().map(|(id, args)| (id.as_str(), "todo_create", args.clone())).collect();
        sse::calls(&calls)
    };
    vec![
        Reply::stream(&four(1), 40),
        Reply::stream(&four(2), 40).slow(10),
        Reply::stream(&sse::text(&format!("All eight of {name} are added, every single one of them.")), 60)
            .slow(25),
    ]
}

#[tokio::test]
async fn a_watcher_takes_over_from_a_dead_leader_and_ends_its_run_once() {
    let provider = Provider::start([]).await;
    let app = App::start_before(&provider);
    let browser = Chromium::start().await;
    let (mut leader, mut watcher) = leader_and_watcher(&app, &browser, &provider).await;
    let mut asked = vec![];
    let mut slowest = Duration::ZERO;
    // Killed while the calls stream in, while they run, while the answer comes; crashed and closed in turn.
    for (round, wait_ms) in [20_u64, 120, 250, 400, 700, 1000].into_iter().enumerate() {
        let name = format!("round {round}");
        provider.answer_by_step(run_of(&name));
        asked.extend((1..=2).flat_map(|step| (0..4).map(move |n| format!("round {round} {step}.{n}"))));
        leader.say(&name).await;
        watcher.chat().says(&name).await;
        tokio::time::sleep(Duration::from_millis(wait_ms)).await;
        let killed = Instant::now();
        if round % 2 == 0 {
            leader.crash().await
        } else {
            leader.close().await
        }
        watcher.until("the watcher leads", LEADS).await;
        let took = killed.elapsed();
        slowest = slowest.max(took);
        println!("round {round}: killed after {wait_ms} ms, taken over in {took:?}");
        assert!(took < TAKEOVER, "taken over in {took:?}");
        watcher.chat().says(&format!("All eight of {name} are added")).await;
        watcher.idle().await;
        leader = watcher;
        watcher = browser.tab(&app.url()).await;
        watcher.ready().await;
        watcher.chat().take_over().shown().await;
    }
    let stored = leader.titles().await;
    exactly_once("leaders killed 6 times", &asked, &asked, &stored);
    println!("slowest takeover {slowest:?}");
    leader.console_is_clean(&[]);
}

#[tokio::test]
async fn a_watcher_follows_live_and_takes_over_by_its_button() {
    let provider = Provider::start([]).await;
    let app = App::start_before(&provider);
    let browser = Chromium::start().await;
    let (leader, watcher) = leader_and_watcher(&app, &browser, &provider).await;

    // What the leader does is seen without a reload: the message, the calls, the to-dos, the answer.
    provider.answer_by_step(run_of("live"));
    leader.say("live").await;
    watcher.chat().says("live").await;
    watcher.chat().call().whose("status", "done").are(8).await;
    watcher.chat().says("All eight of live are added").await;
    watcher.shows(8).await;

    // In the middle of a run: the former leader lets go at once and watches, the run is ended here.
    provider.answer_by_step(run_of("taken"));
    leader.say("taken").await;
    leader.chat().call().whose("status", "done").until("all.length > 8").await;
    let pressed = Instant::now();
    watcher.chat().take_over().click().await;
    watcher.until("the watcher leads", LEADS).await;
    let took = pressed.elapsed();
    leader.chat().take_over().shown().await;
    watcher.chat().says("All eight of taken are added").await;
    watcher.idle().await;
    leader.chat().says("All eight of taken are added").await;
    let asked: Vec<String> = ["live", "taken"]
        .iter()
        .flat_map(|name| (1..=2).flat_map(move |step| (0..4).map(move |n| format!("{name} {step}.{n}"))))
        .collect();
    exactly_once("taken over by button", &asked, &asked, &watcher.titles().await);
    println!("taken over by button in {took:?}");
    assert!(took < TAKEOVER, "taken over in {took:?}");

    // And back again, with nothing going on.
    leader.chat().take_over().click().await;
    leader.until("the first tab leads again", LEADS).await;
    let follows =
        eventually(Duration::from_secs(5), || async { watcher.chat().take_over().is_there().await }).await;
    assert!(follows, "and the second watches again");
    leader.console_is_clean(&[]);
    watcher.console_is_clean(&[]);
}

/// What is chosen in one tab holds in the other at once, and neither writes over what the other chose.
#[tokio::test]
async fn choices_of_one_tab_hold_in_the_other() {
    let app = App::start();
    let browser = Chromium::start().await;
    let (one, two) = (browser.tab(&app.url()).await, browser.tab(&app.url()).await);
    one.ready().await;
    two.ready().await;
    let kept = |key: &str| format!("return JSON.parse(localStorage.getItem({key:?}) ?? '{{}}')");
    let held = |hiding: &str, theme: &str| {
        format!(
            "const kept = JSON.parse(localStorage.getItem('satchel.settings'));
             return kept.hiding === {hiding:?} && kept.theme === {theme:?}"
        )
    };

    // What protects the person, chosen in a tab that was opened before the other one's choice.
    two.settings().open_at("privacy").await;
    one.settings().open_at("privacy").await;
    one.settings().hiding("always").click_unseen().await;
    two.settings().hiding("always").until("all[0].checked").await;
    two.settings().go_to("app").await;
    two.eval(r#"document.querySelector('input[name="theme"][value="dark"]').click()"#).await;
    one.until("this one is dark as well", "return document.documentElement.dataset.theme === 'dark'").await;
    one.until("both are kept", &held("always", "dark")).await;
    let settings = one.eval(&kept("satchel.settings")).await;
    assert_eq!((&settings["hiding"], &settings["theme"]), (&json!("always"), &json!("dark")), "{settings}");

    // What this tab has not heard of stays: it writes what was chosen here, and nothing else.
    one.eval("window.addEventListener('storage', (event) => event.stopImmediatePropagation(), true)").await;
    let quiet = browser.blank().await;
    quiet
        .prepare("window.addEventListener('storage', (event) => event.stopImmediatePropagation(), true)")
        .await;
    quiet.goto(&app.url()).await;
    quiet.ready().await;
    two.settings().go_to("privacy").await;
    two.settings().hiding("ask").click_unseen().await;
    two.until(
        "it is kept",
        r#"return JSON.parse(localStorage.getItem("satchel.settings")).hiding === "ask""#,
    )
    .await;
    quiet.settings().open_at("app").await;
    quiet.eval(r#"document.querySelector('input[name="theme"][value="light"]').click()"#).await;
    two.until("the theme came over", "return document.documentElement.dataset.theme === 'light'").await;
    two.until("both are kept", &held("ask", "light")).await;
    let settings = two.eval(&kept("satchel.settings")).await;
    assert_eq!((&settings["hiding"], &settings["theme"]), (&json!("ask"), &json!("light")), "{settings}");

    // The rules for approvals.
    quiet.settings().go_to("approvals").await;
    two.settings().go_to("approvals").await;
    // What one tab wrote is a moment on its way to the other.
    let rule = |name: &str, value: &str| {
        format!("return JSON.parse(localStorage.getItem('satchel.approvals') ?? '{{}}').{name} === {value:?}")
    };
    two.settings().rule_of("writes").choose("always").await;
    quiet.until("it is on the device", &rule("writes", "always")).await;
    quiet.settings().rule_of("destructive").choose("never").await;
    two.until("so is the other tab's", &rule("destructive", "never")).await;
    two.until("which left the first as it was", &rule("writes", "always")).await;
    two.settings().rule_of("destructive").holds("never").await;
    for tab in [&one, &two, &quiet] {
        tab.console_is_clean(&[]);
    }
}
