//! Every screen, in both themes, by axe-core; and what no rule engine sees: right to left, large type, who is told what.

use e2e::{App, Browser, PASTE, Provider, ROOMS, Reply, Theme, ToolServer, opened, sse, with_model};
use serde_json::{Value, json};
use thirtyfour::Key;

/// The rule engine, as npm has it.
pub fn axe() -> String {
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("ts-client/node_modules/axe-core/axe.min.js");
    std::fs::read_to_string(path).expect("`cargo xtask test e2e` installs axe-core")
}

/// Asks axe-core in both themes; gives the serious and critical violations as sentences.
pub async fn violations(browser: &Browser, axe: &str, screen: &str) -> Vec<String> {
    let mut found = Vec::new();
    for theme in [Theme::Light, Theme::Dark] {
        browser.theme(theme).await;
        let report = browser
            .eval_async(&format!(
                "if (!window.axe) {{ {axe}; }}
                 // Colours have come to rest.
                 await Promise.all(document.getAnimations().filter(a => a.effect.getComputedTiming().iterations !== Infinity).map(a => a.finished.catch(() => {{}})));
                 const report = await axe.run(document, {{resultTypes: ['violations']}});
                 return {{rules: report.passes.length, violations: report.violations.filter(v => ['serious', 'critical'].includes(v.impact))
                    .map(v => `${{v.impact}} ${{v.id}}: ` + v.nodes.map(n => n.html.slice(0, 160) + ' | ' + (n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message)).join(' ;; '))}};"
            ))
            .await;
        assert!(report["rules"].as_u64().is_some_and(|rules| rules > 10), "{screen}: axe-core ran: {report}");
        let lines: Vec<String> = serde_json::from_value(report["violations"].clone()).unwrap();
        found.extend(lines.into_iter().map(|line| format!("{screen}, {theme:?}: {line}")));
    }
    found
}

#[tokio::test]
async fn axe_finds_nothing_serious_on_any_screen_in_both_themes() {
    let axe = axe();
    let provider = Provider::start([]).await;
    let (_app, browser) = opened(App::start_before(&provider)).await;
    let mut found = violations(&browser, &axe, "empty").await;

    browser
        .ask("Add buy milk tomorrow #home, call the bank on Friday at 10am !urgent and renew the passport")
        .await;
    browser.ask("Add water the plants yesterday").await;
    browser.ask("Complete renew the passport").await;
    browser.ask("What's open?").await;
    found.extend(violations(&browser, &axe, "in use").await);

    browser.send("Delete buy milk").await;
    browser.approvals().approve().shown().await;
    found.extend(violations(&browser, &axe, "approval").await);
    browser.approvals().deny().click().await;
    browser.idle().await;

    browser.workspace().openers().click().await;
    browser.css(".edit").await;
    found.extend(violations(&browser, &axe, "edit").await);
    browser.driver.action_chain().send_keys(Key::Escape).perform().await.unwrap();

    let buttons = [
        (browser.palette().button(), "palette"),
        (browser.settings().button(), "settings"),
        (browser.chat().clear(), "clear"),
    ];
    for (button, dialog) in buttons {
        button.click().await;
        browser.until("a dialog is open", "return !!document.querySelector('dialog[open]')").await;
        if dialog == "settings" {
            browser.settings().model().shown().await;
        }
        found.extend(violations(&browser, &axe, dialog).await);
        browser.close_dialog().await;
    }
    browser.eval("document.activeElement.blur()").await;
    browser.driver.action_chain().send_keys("?").perform().await.unwrap();
    browser.until("the sheet is open", "return !!document.querySelector('dialog[open]')").await;
    found.extend(violations(&browser, &axe, "shortcuts").await);
    browser.close_dialog().await;

    browser.choose_model("gateway:test/m").await;
    provider.push([Reply::plain(
        401,
        "application/json",
        r#"{"error":{"message":"no","code":"invalid_api_key"}}"#,
    )]);
    browser.send("Plan my week").await;
    browser.chat().error().shown().await;
    found.extend(violations(&browser, &axe, "error").await);
    provider.push([Reply::stream(
        &sse::text("A **plan** with [a link](https://example.org):\n\n1. Bank\n2. Plants\n\n| Day | What |\n|---|---|\n| Fri | Bank |\n\n> Slowly. `ok`\n\n```\nlet x = 1;\n```\n\n- [x] done\n- [ ] open\n"),
        400,
    )]);
    browser.chat().retry().click().await;
    browser.idle().await;
    found.extend(violations(&browser, &axe, "markdown").await);

    browser.workspace().delete().click().await;
    browser.notes().toast().shown().await;
    found.extend(violations(&browser, &axe, "toast").await);

    browser.size(390, 844).await;
    found.extend(violations(&browser, &axe, "phone, chat").await);
    browser.conversations().open_drawer().click().await;
    browser.until("the drawer is open", "return !!document.querySelector('dialog[open]')").await;
    found.extend(violations(&browser, &axe, "phone, drawer").await);
    browser.close_dialog().await;
    browser.workspace().show_tab().click().await;
    found.extend(violations(&browser, &axe, "phone, to-dos").await);
    assert!(found.is_empty(), "{found:#?}");
}

/// What a model asks and proposes, what of its answer is doubted, pictures, speech, and the question what may be sent.
#[tokio::test]
async fn axe_finds_nothing_serious_in_what_a_model_asks_and_is_shown() {
    let axe = axe();
    let provider = Provider::start([]).await;
    let senses = json!({"dictation": true, "reading": "asked"});
    let choices = json!({"planning": "first", "senses": senses});
    let (_app, browser) = with_model(&provider, choices).await;
    let calls = |id: &str, name: &str, arguments| Reply::calls(id, name, arguments);
    let says = |text: &str| Reply::says(text);
    let options = json!([{"id": "a", "label": "Saturday", "description": "the market is open"}, {"id": "b", "label": "Sunday"}]);
    let questions = json!([
        {"id": "day", "question": "Which day?", "type": "single_choice", "options": options},
        {"id": "both", "question": "Which of them?", "type": "multiple_choice", "options": options},
        {"id": "when", "question": "From when to when?", "type": "date_range"},
        {"id": "how", "question": "How much?", "type": "scale", "min": 1, "max": 5},
        {"id": "more", "question": "Anything else?", "type": "text"}
    ]);
    provider.push([calls("q1", "ask_person", json!({"questions": questions}))]);
    browser.send("Plan my shopping").await;
    browser.approvals().question().shown().await;
    // Where there is something to choose, yes and no are no answers.
    browser.chat().field().until("all[0]?.placeholder.includes('Choose above')").await;
    let mut found = violations(&browser, &axe, "questions").await;
    browser.chat().stop().click().await;
    browser.idle().await;

    let steps = json!([{"title": "Look", "tool": "todo_list"}, {"title": "Add milk", "tool": "todo_create"}]);
    provider.push([
        calls("p1", "plan_propose", json!({"goal": "Shop", "steps": steps})),
        calls("l1", "todo_list", json!({})),
        says("You have 17 to-dos [todo_list:l1]."),
    ]);
    browser.send("Plan it").await;
    browser.approvals().plan_approve().shown().await;
    found.extend(violations(&browser, &axe, "plan").await);
    browser.approvals().plan_approve().click().await;
    browser.idle().await;
    browser.chat().doubts().shown().await;
    found.extend(violations(&browser, &axe, "doubts").await);

    browser.give(&[(120, 80), (80, 120)], PASTE).await;
    browser.chat().tray().within("img").are(2).await;
    found.extend(violations(&browser, &axe, "pictures that wait").await);
    provider.push([says("A sky.")]);
    browser.ask("What is this?").await;
    found.extend(violations(&browser, &axe, "pictures that were sent").await);
    browser.chat().dictate().are(1).await;

    browser.trace().show_request().click().await;
    browser.trace().request_body().shown().await;
    found.extend(violations(&browser, &axe, "request").await);
    browser.close_dialog().await;

    browser.settings().open_at("privacy").await;
    browser.settings().hide_details("ask").await;
    browser.close_dialog().await;
    // Elsewhere, as far as anybody can tell: to a server on this machine nothing leaves.
    browser
        .eval(
            "const kept = JSON.parse(localStorage.getItem('satchel.settings')); \
             kept.own.url = kept.own.url.replace('127.0.0.1', 'provider.test'); \
             localStorage.setItem('satchel.settings', JSON.stringify(kept))",
        )
        .await;
    browser.reload().await;
    browser.send("Write to anna@example.org").await;
    browser.privacy().stop().shown().await;
    found.extend(violations(&browser, &axe, "what would be sent").await);
    browser.privacy().stop().click().await;
    browser.idle().await;
    assert!(found.is_empty(), "{found:#?}");
}

/// The screens a person opens less often: history, data, keys, conversations, what was shared, no network.
#[tokio::test]
async fn axe_finds_nothing_serious_in_the_dialogs_in_both_themes() {
    let axe = axe();
    let (app, browser) = opened(App::start()).await;
    browser.ask("Add buy milk tomorrow #home and call the bank").await;
    browser.ask("Complete call the bank").await;
    let mut found = Vec::new();

    browser.trace().of_answer().click().await;
    browser.trace().row().click().await;
    browser.trace().detail().shown().await;
    browser.eval("document.querySelectorAll('.trace-detail details').forEach(one => one.open = true)").await;
    found.extend(violations(&browser, &axe, "trace").await);
    browser.trace().close().click().await;
    browser.palette().button().click().await;
    browser.palette().field().write("metrics of all").await;
    browser.driver.action_chain().send_keys(Key::Enter).perform().await.unwrap();
    browser.css(".metric").await;
    found.extend(violations(&browser, &axe, "metrics").await);
    browser.close_dialog().await;

    browser.history().button().click().await;
    browser.history().entry().shown().await;
    found.extend(violations(&browser, &axe, "history").await);
    browser.history().backs().last().click().await;
    browser.history().preview().shown().await;
    found.extend(violations(&browser, &axe, "history, preview").await);
    browser.close_dialog().await;

    browser.settings().open_at("memory").await;
    browser.settings().open_memory().click().await;
    browser.memory().none().shown().await;
    found.extend(violations(&browser, &axe, "memory, empty").await);
    browser.memory().field().write("I prefer short answers").await;
    browser.memory().add().click().await;
    browser.memory().pin().click().await;
    browser.memory().forget_all().click().await;
    browser.memory().question().shown().await;
    found.extend(violations(&browser, &axe, "memory").await);
    browser.memory().edit().click().await;
    browser.memory().edit_field().shown().await;
    found.extend(violations(&browser, &axe, "memory, edit").await);
    browser.memory().dialog().now("void all[0].close()").await;

    browser.settings().open().await;
    browser.settings().model().choose("own").await;
    browser.own_model().url().write("http://127.0.0.1:9/v1").await;
    browser.own_model().name().write("m").await;
    browser.own_model().key().write("a key").await;
    browser.own_model().save_key().click().await;
    browser.own_model().set_passphrase().click().await;
    browser.own_model().passphrase().write("a long passphrase").await;
    found.extend(violations(&browser, &axe, "own model").await);
    browser.own_model().save_passphrase().click().await;
    browser.own_model().drop_passphrase().shown().await;
    for (room, _) in ROOMS {
        browser.settings().go_to(room).await;
        found.extend(violations(&browser, &axe, room).await);
    }
    browser.settings().search().set("a").await;
    browser.settings().hit().shown().await;
    found.extend(violations(&browser, &axe, "settings, found").await);
    browser.settings().search().set("").await;
    browser.settings().go_to("programs").await;
    browser.programs().toggle().click().await;
    browser.programs().token().shown().await;
    found.extend(violations(&browser, &axe, "programs, connected").await);
    browser.settings().go_to("data").await;
    browser.data().counts().shown().await;
    browser.settings().go_to("copies").await;
    browser.data().take_copy().click().await;
    browser.data().copy().shown().await;
    found.extend(violations(&browser, &axe, "data, a saved copy").await);
    browser.settings().go_to("data").await;
    browser.data().erase().click().await;
    browser.data().sure().shown().await;
    found.extend(violations(&browser, &axe, "delete everything").await);
    browser.eval("document.querySelectorAll('dialog[open]').forEach(dialog => dialog.close())").await;

    browser.conversations().more().click().await;
    browser.conversations().rename().shown().await;
    found.extend(violations(&browser, &axe, "a conversation's menu").await);
    browser.close_dialog().await;

    // The key is locked again, and a message needs it.
    browser.reload().await;
    browser.send("hello").await;
    browser.notes().unlock_field().shown().await;
    found.extend(violations(&browser, &axe, "unlock").await);
    browser.close_dialog().await;
    browser.idle().await;

    browser.choose_model("builtin").await;
    browser.open(&format!("{}?title=Read+this&text=https%3A%2F%2Fa.example%2F", app.url())).await;
    browser.notes().share_add().shown().await;
    found.extend(violations(&browser, &axe, "shared").await);
    browser.close_dialog().await;

    browser.network(false).await;
    found.extend(violations(&browser, &axe, "offline").await);
    assert!(found.is_empty(), "{found:#?}");
}

/// What is wider than the page, or cut off at its edge, though it is meant to be seen.
const SPILLS: &str = r#"
    const wide = document.documentElement.clientWidth;
    return [...document.querySelectorAll('.app button, .app h1, .app h2, .app p, .app input, .app textarea, dialog[open] *')]
        .filter(e => e.getClientRects().length && !e.closest('.visually-hidden, .parked, .spacer, pre, .md-table, svg'))
        .map(e => [e, e.getBoundingClientRect()])
        .filter(([, box]) => box.width && (box.left < -1 || box.right > wide + 1))
        .map(([e, box]) => `${e.tagName}.${e.className} ${Math.round(box.left)}..${Math.round(box.right)} of ${wide}`);"#;

/// A server's card with its tools, one that wants a sign-in, the note about lost data, and the pages of a broken or wiped app.
#[tokio::test]
async fn axe_finds_nothing_serious_in_servers_losses_and_breakdowns() {
    let axe = axe();
    let tools = vec![
        json!({"name": "search", "title": "Search notes", "description": "Finds notes.", "inputSchema": {"type": "object", "properties": {}},
            "annotations": {"readOnlyHint": true}}),
        json!({"name": "send", "title": "Send a note", "description": "Sends a note.", "inputSchema": {"type": "object", "properties": {}}}),
    ];
    let (server, locked) = (ToolServer::start(tools, false).await, ToolServer::start(vec![], false).await);
    locked.want("tok-other");
    let (app, browser) = opened(App::start()).await;
    browser.ask("Add buy milk").await;
    browser.settings().open_at("servers").await;
    let mut found = Vec::new();
    for (url, token, link) in [(server.url(), "", "on"), (locked.url(), "tok-wrong", "locked")] {
        browser.servers().url().write(&url).await;
        if !token.is_empty() {
            browser.servers().token().write(token).await;
        }
        browser.servers().add().click().await;
        browser.servers().card().whose("link", link).shown().await;
        found.extend(violations(&browser, &axe, &format!("a server that is {link}")).await);
    }
    browser.close_dialog().await;

    let storage = json!({"origin": app.url().trim_end_matches('/'), "storageTypes": "indexeddb"});
    browser.cdp("Storage.clearDataForOrigin", storage).await;
    browser.call("todo_create", &json!({"title": "After"}), None).await;
    browser.notes().loss().shown().await;
    found.extend(violations(&browser, &axe, "data was written back").await);

    // As the panic hook and another tab's wiping show them.
    for page in ["crash", "wiped", "signed-in", "not-signed-in"] {
        browser
            .eval(&format!(
                "for (const part of document.body.children) part.hidden = part.id !== '{page}'; return true"
            ))
            .await;
        found.extend(violations(&browser, &axe, page).await);
    }
    assert!(found.is_empty(), "{found:#?}");
}

#[tokio::test]
async fn nothing_spills_over_at_200_percent_or_from_right_to_left() {
    let (_app, browser) = opened(App::start()).await;
    browser
        .ask("Add buy milk tomorrow #home, call the bank on Friday at 10am !high and renew the passport")
        .await;
    browser.send("Delete buy milk").await;
    browser.approvals().approve().shown().await;
    // 1280 pixels at 200 % are 640; at 400 % 320 (WCAG 1.4.10).
    for (width, height) in [(1280, 900), (640, 450), (390, 844), (320, 256)] {
        browser.size(width, height).await;
        for direction in ["ltr", "rtl"] {
            browser.eval(&format!("document.documentElement.dir = '{direction}'")).await;
            let spills = browser.eval(SPILLS).await;
            assert_eq!(spills, Value::Array(vec![]), "{width} wide, {direction}");
        }
        browser.eval("document.documentElement.dir = 'ltr'").await;
    }
    // The two panes change sides with the direction of writing.
    browser.size(1280, 900).await;
    let sides = "return document.querySelector('#chat').getBoundingClientRect().left < document.querySelector('#todos').getBoundingClientRect().left";
    assert_eq!(browser.eval(sides).await, true);
    browser.eval("document.documentElement.dir = 'rtl'").await;
    assert_eq!(browser.eval(sides).await, false);
}

#[tokio::test]
async fn an_answer_is_told_once_and_nothing_moves_for_who_wants_none_of_it() {
    let (_app, browser) = opened(App::start()).await;
    // What a screen reader would say: every text that comes into a live region.
    browser
        .eval(
            r#"window.told = [];
            const live = node => (node.nodeType === 1 ? node : node.parentElement)?.closest('[aria-live]:not([aria-live=off]), [role=status], [role=alert]');
            new MutationObserver(all => all.forEach(change => {
                const region = live(change.target);
                if (!region || region.closest('[aria-live=off]') && !region.matches('[role=status], [aria-live=polite]')) return;
                const text = change.type === 'characterData' ? change.target.data : [...change.addedNodes].map(n => n.textContent).join('');
                if (text.trim()) window.told.push(text.trim());
            })).observe(document.body, {subtree: true, childList: true, characterData: true});"#,
        )
        .await;
    let answer = browser.ask("Add buy milk").await;
    browser.until("the answer is told", "return window.told.some(text => text.includes('milk'))").await;
    let told: Vec<String> = serde_json::from_value(browser.eval("return window.told").await).unwrap();
    let about: Vec<_> = told.iter().filter(|text| text.to_lowercase().contains("milk")).collect();
    assert_eq!(about.len(), 1, "the answer `{answer}` is told once: {told:?}");

    browser
        .cdp(
            "Emulation.setEmulatedMedia",
            serde_json::json!({"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}),
        )
        .await;
    let moving = browser
        .eval(
            r#"return [...document.querySelectorAll('*')].filter(e => {
                const s = getComputedStyle(e);
                return [...s.animationDuration.split(','), ...s.transitionDuration.split(',')].some(d => parseFloat(d) > 0.01);
            }).length"#,
        )
        .await;
    assert_eq!(moving, 0);
    browser.console_is_clean(&[]).await;
}
