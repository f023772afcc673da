//! What may be spent and who answers (issue 5; D-13…D-15, S0-57, S4-33): a limit stops before the call, two tabs count
//! together, simple messages go to another model, and an endpoint that keeps breaking is left alone.

use e2e::{App, Provider, Reply, Tab, opened, sse, the_app};
use serde_json::{Value, json};

/// An answer that is counted as so many tokens.
fn answer(text: &str, tokens: u32) -> Reply {
    let counted =
        sse::text(text).replace("\"completion_tokens\":30", &format!("\"completion_tokens\":{tokens}"));
    assert!(counted.contains(&format!("\"completion_tokens\":{tokens}")));
    Reply::stream(&counted, 60)
}

/// A model whose answers cost a dollar per thousand tokens, and an answer is taken to have a thousand before it is there.
fn settings(provider: &Provider, spending: &Value) -> String {
    let mut spending = spending.clone();
    spending["prices"] = json!({"m": {"input": 0, "cached": 0, "output": 1_000_000_000}});
    let settings =
        json!({"model": "own", "own": {"url": provider.base_url(), "model": "m"}, "spending": spending});
    format!("localStorage.setItem('satchel.settings', JSON.stringify({settings}));")
}

const NOTICE: &str = r#"document.querySelector('[data-testid="spend-notice"]').innerText"#;
const ERROR: &str = r#"(document.querySelector('[data-testid="error"]')?.innerText ?? "")"#;

#[tokio::test]
async fn a_conversations_limit_stops_before_the_call_and_warns_before_that() {
    let provider = Provider::start([answer("One.", 850), answer("Two.", 850)]).await;
    let (_app, browser) = opened(App::start()).await;
    browser.eval(&settings(&provider, &json!({"conversation_limit": 2_000_000}))).await;
    browser.reload().await;
    // How often the words of the notice change: a screen reader says each.
    browser
        .eval(&format!(
            "window.said = []; new MutationObserver(() => window.said.push({NOTICE})).observe(document.querySelector('[data-testid=\"spend-notice\"]'), {{childList: true, subtree: true, characterData: true}}); return true"
        ))
        .await;
    assert!(browser.ask("hello").await.contains("One."));
    assert_eq!(browser.eval(&format!("return {NOTICE}")).await, "", "42 % is no reason for a word");
    assert!(browser.ask("hello again").await.contains("Two."));
    browser
        .until(
            "it is said that the limit is near",
            &format!("return {NOTICE}.includes('80 %') && {NOTICE}.includes('$2.00')"),
        )
        .await;
    assert_eq!(provider.requests().len(), 2);

    // 1.70 are spent, and a dollar more would pass 2: the provider never hears of it.
    browser.ask("and a third time").await;
    browser
        .until(
            "it says the limit, what is spent and what to do",
            &format!("const said = {ERROR}; return said.includes('limit is $2.00') && said.includes('$1.70 is spent') && said.includes('Settings') && said.includes('built-in')"),
        )
        .await;
    assert_eq!(provider.requests().len(), 2, "nothing was sent");
    let said = browser.eval("return window.said").await;
    assert_eq!(said.as_array().map(Vec::len), Some(1), "said once: {said}");

    // What it has cost, in the person's language; the same after a reload, by the log.
    browser.reload().await;
    browser.chat().context().click().await;
    let cost = browser.chat().context_cost().text().await;
    assert!(cost.contains("$1.70"), "{cost}");
    browser.close_dialog().await;
    browser.ask("still not").await;
    assert_eq!(provider.requests().len(), 2, "the log remembers it");

    // The way out: the built-in model goes on in the same conversation; or the limit is raised.
    browser.choose_model("builtin").await;
    assert!(browser.ask("add buy milk").await.contains("milk"));
    browser.shows(&[("Buy milk", "open")]).await;
    browser.choose_model("own").await;
    browser.settings().open_at("spending").await;
    browser.settings().limit().fill("20").await;
    let so_far = browser.settings().spent().text().await;
    assert!(so_far.contains("$1.70"), "{so_far}");
    browser.settings().reset_spent().click().await;
    browser.settings().spent().is("microUsd", "0").await;
    browser.close_dialog().await;
    provider.push([answer("Four.", 10)]);
    assert!(browser.ask("and now").await.contains("Four."));
    assert_eq!(browser.eval(&format!("return {NOTICE}")).await, "");
    browser.console_is_clean(&[]).await;
}

/// What all months have cost.
const MONTHS: &str = r#"
    const db = await new Promise((ok, no) => { const r = indexedDB.open('satchel-spending'); r.onsuccess = () => ok(r.result); r.onerror = no; });
    const all = await new Promise(ok => { const r = db.transaction('months').objectStore('months').getAll(); r.onsuccess = () => ok(r.result); });
    db.close();
    const spent = all.reduce((sum, one) => sum + Number(one.json), 0);"#;

async fn has_cost(tab: &Tab, micro_usd: u32) {
    tab.until(&format!("{micro_usd} are spent"), &format!("{MONTHS} return spent === {micro_usd}")).await;
}

#[tokio::test]
async fn two_tabs_count_together() {
    let provider = Provider::start([]).await;
    let (app, browser, one) = the_app().await;
    let keep = settings(&provider, &json!({"month_limit": 3_000_000}));
    one.loads_anew(async {
        drop(one.eval(&format!("{keep} setTimeout(() => location.reload(), 0); return true")).await)
    })
    .await;
    one.ready().await;
    let two = browser.tab(&app.url()).await;
    two.ready().await;

    // Both at once, each in a conversation of its own: each takes a dollar until it is known what it was.
    provider.push([answer("One.", 850).slow(60), answer("One.", 850).slow(60)]);
    one.say("hello").await;
    two.say("hello").await;
    for tab in [&one, &two] {
        tab.says("One.").await;
        tab.idle().await;
        has_cost(tab, 1_700_000).await;
    }
    assert_eq!(provider.requests().len(), 2);
    // A third fits with its dollar, and while it is under way a fourth, in the other tab, does not.
    provider.push([answer("A long answer comes slowly.", 850).slow(200)]);
    one.say("hello").await;
    one.chat().transcript().is("busy", "true").await;
    for _ in 0..100 {
        if provider.requests().len() == 3 {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    two.say("hello").await;
    two.until("it is stopped", &format!("return {ERROR}.includes('This month’s limit is $3.00')")).await;
    assert_eq!(provider.requests().len(), 3, "the fourth was not sent");
    one.idle().await;
    // 2.55 of 3: near, and both tabs say so though only one has spent.
    for tab in [&one, &two] {
        tab.until(
            "both say that the limit is near",
            &format!("return {NOTICE}.includes('this month’s limit')"),
        )
        .await;
    }
    has_cost(&two, 2_550_000).await;
    one.console_is_clean(&[]);
    two.console_is_clean(&[]);
}

#[tokio::test]
async fn short_questions_go_to_the_small_model_and_the_rest_to_the_chosen_one() {
    let provider = Provider::start([]).await;
    let (_app, browser) = opened(App::start()).await;
    let own = json!({"model": "own", "own": {"url": provider.base_url(), "model": "m"}});
    browser.has_settings(&own).await;
    browser.reload().await;
    provider.push((0..6).map(|n| Reply::says(&format!("Answer {n}."))));

    // Off until the person says who answers.
    browser.ask("what is due today?").await;
    assert_eq!(browser.chat().answered_by().count().await, 0);
    browser.settings().open_at("roles").await;
    browser.settings().role_small().choose("own").await;
    browser.settings().role_small_own().write("s").await;
    browser.close_dialog().await;

    browser.ask("what is due today?").await;
    browser.ask("Forget the budget, move it all to Monday").await;
    browser.ask("what is due today, and mark it done").await;
    browser.ask("Summarize my week").await;
    browser.ask("get the list of overdue items").await;
    let models: Vec<Value> = provider.requests().iter().map(|request| request["model"].clone()).collect();
    assert_eq!(
        models,
        ["m", "s", "m", "m", "m", "s"],
        "no model plays the cheap one, so the chosen one does"
    );
    let said = "all.map(it => it.dataset.role + ' ' + it.innerText)";
    let shown = browser.chat().answered_by().now(said).await;
    let expected = json!([
        "small s · a short question",
        "main m · not one of the simple things",
        "main m · more than one thing was asked",
        "cheap m · text put into other words",
        "small s · a short question",
    ]);
    assert_eq!(shown, expected);
    // It is in the log: the same after a reload, though nobody plays the role any more.
    browser.has_settings(&own).await;
    browser.reload().await;
    browser.chat().answered_by().are(5).await;
    assert_eq!(browser.chat().answered_by().now(said).await, expected);
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn an_endpoint_that_keeps_breaking_is_left_alone_for_a_while() {
    // Without a reply the provider answers with 500.
    let provider = Provider::start([]).await;
    let (_app, browser) = opened(App::start()).await;
    let own = json!({"model": "own", "own": {"url": provider.base_url(), "model": "m"}});
    browser.has_settings(&own).await;
    browser.reload().await;
    browser.ask("hello").await;
    browser.ask("hello").await;
    assert_eq!(provider.requests().len(), 5, "the fifth failure in a row opens the breaker");
    browser.ask("hello").await;
    assert_eq!(provider.requests().len(), 5, "and it is not asked again");
    let said = browser.eval(&format!("return {ERROR}")).await;
    let said = said.as_str().unwrap();
    assert!(said.contains("left alone for") && said.contains("more seconds"), "{said}");
    // After the pause one attempt may try.
    tokio::time::sleep(std::time::Duration::from_millis(15_500)).await;
    provider.push([Reply::says("Back again.")]);
    browser.chat().retry().click().await;
    browser.says("Back again.").await;
    assert_eq!(provider.requests().len(), 6);
    browser.console_is_clean(&["Failed to load resource"]).await;
}
