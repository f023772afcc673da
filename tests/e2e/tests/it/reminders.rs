//! Reminders: told once, whoever looks, also where tabs, the worker and the browser come and go (issue 15; docs/adr/0071-reminders.md).

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use e2e::{App, Chromium, Tab, eventually, the_app};
use serde_json::{Value, json};

const PATIENCE: Duration = Duration::from_secs(20);

/// The clock of these pages: it stands at the beginning of the minute `base` (since 1970), is shifted by as many minutes as lie in the page's
/// storage, and goes on sixty times slower than the machine's, so that no reminder comes due because the machine is slow.
fn clock(base: u64) -> String {
    const CLOCK: &str = r#"
    const Real = Date;
    const base = BASE * 60000;
    const now = () => base + Number(localStorage.getItem("test.shift") ?? 0) * 60000 + Math.floor((Real.now() - base) / 60);
    globalThis.Date = class extends Real {
        constructor(...given) { given.length ? super(...given) : super(now()); }
        static now() { return now(); }
    };"#;
    CLOCK.replace("BASE", &base.to_string())
}

/// So many minutes from the page's now, as the tools take it.
const WALL: &str = r#"
    const wall = (minutes) => {
        const at = new Date(Date.now() + minutes * 60000);
        return new Date(at.getTime() - at.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
    };"#;

async fn wall(tab: &Tab, minutes: i64) -> String {
    tab.eval(&format!("{WALL} return wall({minutes})")).await.as_str().unwrap().to_owned()
}

/// Lets the browser show notifications, as a person does. When it is asked for them the first time it compares what it knows with what is
/// shown, and forgets what is shown at that very moment: that has to be over.
async fn allow(tab: &Tab, app: &App) {
    let origin = app.url();
    let grant = json!({ "permissions": ["notifications"], "origin": origin.trim_end_matches('/') });
    tab.session.send("Browser.grantPermissions", grant).await;
    let settled = eventually(PATIENCE, || async {
        let shown = tab
            .eval(
                "const app = await navigator.serviceWorker.ready;
                await app.showNotification('First');
                await new Promise(done => setTimeout(done, 300));
                const first = (await app.getNotifications()).filter(one => one.title === 'First');
                first.forEach(one => one.close());
                return first.length === 1",
            )
            .await;
        shown == json!(true)
    });
    assert!(settled.await, "the browser shows no notifications");
}

async fn create(tab: &Tab, arguments: Value) -> String {
    let reply = tab.call("todo_create", &arguments, None).await;
    let id = &reply["result"]["structuredContent"]["changes"][0]["after"]["id"];
    id.as_str().unwrap_or_else(|| panic!("{reply}")).to_owned()
}

/// The notifications that the browser shows, by title, in the order of the alphabet.
async fn shown(tab: &Tab) -> Vec<String> {
    let script = "const all = await (await navigator.serviceWorker.ready).getNotifications(); return all.map(n => n.title).sort()";
    serde_json::from_value(tab.eval(script).await).unwrap()
}

async fn shows(tab: &Tab, titles: &[&str]) {
    let all = eventually(PATIENCE, || async { shown(tab).await == titles }).await;
    assert!(all, "{titles:?} instead of {:?}", shown(tab).await);
}

/// What the device knows of what was told: each notice's tag, and when it was told.
async fn told(tab: &Tab) -> Vec<(String, f64)> {
    let script = "const name = (await caches.keys()).find(name => name.startsWith('satchel-notices'));
        if (!name) return [];
        const [key] = await (await caches.open(name)).keys();
        if (!key) return [];
        const is = await (await (await caches.open(name)).match(key)).json();
        return Object.entries(is).map(([tag, { told }]) => [tag, told ?? 0]).sort()";
    serde_json::from_value(tab.eval(script).await).unwrap()
}

#[tokio::test]
async fn a_reminder_comes_once_to_two_tabs_and_is_done_or_put_away_in_either() {
    let (app, browser, one) = the_app().await;
    allow(&one, &app).await;
    let two = browser.tab(&app.url()).await;
    two.ready().await;
    let at = wall(&one, 0).await;
    create(&one, json!({"title": "Check the oven", "remind": at})).await;
    create(&one, json!({"title": "Call mum", "due": wall(&one, 10).await, "remind": "-PT10M"})).await;
    create(&one, json!({"title": "Not yet", "remind": wall(&one, 5).await})).await;
    for tab in [&one, &two] {
        tab.reminders().one().are(2).await;
        tab.reminders().section().says("Check the oven").await;
    }
    shows(&one, &["Call mum", "Check the oven"]).await;

    // Done in one tab: it is gone from the other and from the device's own surface.
    two.reminders().one().with("Check the oven").within("[data-testid=reminder-done]").click().await;
    for tab in [&one, &two] {
        tab.reminders().one().are(1).await;
        tab.reminders().one().says("Call mum").await;
    }
    shows(&one, &["Call mum"]).await;
    one.reminders().away().click().await;
    for tab in [&one, &two] {
        tab.reminders().one().gone().await;
    }
    shows(&one, &[]).await;
    // It stays away, and what was done is reminded of no more.
    one.reload().await;
    one.ready().await;
    // Whoever only opens the app and waits is told what was missed.
    create(&two, json!({"title": "Later", "remind": wall(&two, 0).await})).await;
    two.reminders().one().says("Later").await;
    one.reload().await;
    one.reminders().one().says("Later").await;
    one.reminders().away().click().await;
    one.reminders().one().gone().await;
    create(&one, json!({"title": "Something else"})).await;
    one.workspace().title().with("Something else").shown().await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(one.reminders().one().count().await, 0);
    assert_eq!(shown(&one).await, Vec::<String>::new());
    one.console_is_clean(&[]);
}

#[tokio::test]
async fn what_is_put_off_comes_again_and_opens_its_to_do() {
    let (app, _browser, tab) = the_app().await;
    allow(&tab, &app).await;
    let id = create(&tab, json!({"title": "Stretch", "remind": wall(&tab, 0).await})).await;
    shows(&tab, &["Stretch"]).await;
    tab.reminders().later().click().await;
    tab.reminders().one().gone().await;
    shows(&tab, &[]).await;
    // Ten minutes are over.
    tab.eval(
        "const name = (await caches.keys()).find(name => name.startsWith('satchel-notices'));
        const cache = await caches.open(name);
        const [key] = await cache.keys();
        const is = await (await cache.match(key)).json();
        for (const of of Object.values(is)) {
            if (!(of.until > Date.now() + 9 * 60000 && of.until <= Date.now() + 10 * 60000)) throw new Error(JSON.stringify(is));
            of.until = Date.now() - 1;
        }
        await cache.put(key, Response.json(is))",
    )
    .await;
    create(&tab, json!({"title": "Anything"})).await;
    tab.reminders().one().are(1).await;
    shows(&tab, &["Stretch"]).await;
    tab.reminders().show().click().await;
    tab.workspace().dialog().shown().await;
    tab.workspace().dialog().within("input").holds("Stretch").await;
    tab.reminders().one().gone().await;
    assert!(
        tab.eval("return location.hash").await.as_str().is_some_and(|hash| !hash.contains(&id)),
        "the link is used up"
    );
    tab.console_is_clean(&[]);
}

/// What a person does with a notification: a press on it, or on one of its buttons.
async fn press(browser: &Chromium, title: &str, action: &str) {
    let script = format!(
        "ExtendableEvent.prototype.waitUntil = function () {{}};
        const all = await registration.getNotifications();
        const notification = all.find(one => one.title === {title:?});
        if (!notification) throw new Error(all.map(one => one.title).join());
        dispatchEvent(new NotificationEvent('notificationclick', {{ notification, action: {action:?} }}));"
    );
    browser.worker().await.eval(&script).await;
}

#[tokio::test]
async fn a_notification_is_done_put_off_and_opened_where_it_stands() {
    let (app, browser, tab) = the_app().await;
    allow(&tab, &app).await;
    let at = wall(&tab, 0).await;
    for title in ["Bins", "Letter", "Oven"] {
        create(&tab, json!({"title": title, "remind": at})).await;
    }
    shows(&tab, &["Bins", "Letter", "Oven"]).await;
    press(&browser, "Bins", "done").await;
    shows(&tab, &["Letter", "Oven"]).await;
    // It is put away at once, and done a moment later.
    let is_done = eventually(PATIENCE, || async {
        let done = tab.call("todo_list", &json!({"status": "done"}), None).await;
        done["result"]["structuredContent"]["items"][0]["title"] == "Bins"
    });
    assert!(is_done.await, "the to-do is done");
    press(&browser, "Letter", "later").await;
    shows(&tab, &["Oven"]).await;
    press(&browser, "Oven", "").await;
    tab.workspace().dialog().within("input").holds("Oven").await;
    tab.reminders().one().gone().await;
    shows(&tab, &[]).await;
    tab.console_is_clean(&[]);
}

/// Fifty reminders in an hour that the pages' clock makes up, in two tabs, while the worker is stopped and the browser killed: each is told
/// once, and what was missed says that it is late.
#[tokio::test]
async fn fifty_reminders_in_an_hour_are_told_once_each_whatever_stops() {
    let app = App::start();
    let profile = tempfile::tempdir().unwrap();
    let mut browser = Chromium::start_in(profile.path()).await;
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let clock = clock(since.as_secs() / 60);
    let open = async |browser: &Chromium| {
        let tab = browser.blank().await;
        tab.prepare(&clock).await;
        tab.goto(&app.url()).await;
        tab.ready().await;
        allow(&tab, &app).await;
        tab
    };
    let (mut one, mut two) = (open(&browser).await, open(&browser).await);
    let items = format!(
        "{WALL} return [...Array(50).keys()].map(n => ({{title: `At ${{n + 1}}`, remind: wall(n + 1)}}))"
    );
    let items = one.eval(&items).await;
    one.call("todo_create", &json!({"items": items}), None).await;
    let mut known: Vec<(String, f64)> = Vec::new();
    let mut minute = 0;
    for round in 1..=25 {
        // Two come due in each; in a round without a page they are missed by more than five minutes.
        let step = if round % 8 == 0 { 10 } else { 2 };
        minute += step;
        match round {
            // Nobody is there while the time goes on.
            8 | 16 => {
                one.eval(&format!("localStorage.setItem('test.shift', {minute})")).await;
                browser.kill().await;
                browser = Chromium::start_in(profile.path()).await;
                (one, two) = (open(&browser).await, open(&browser).await);
                one.eval(&format!("localStorage.setItem('test.shift', {minute})")).await;
            }
            3 | 6 | 11 | 14 | 20 => {
                one.stop_workers().await;
                one.eval(&format!("localStorage.setItem('test.shift', {minute})")).await;
            }
            _ => {
                one.eval(&format!("localStorage.setItem('test.shift', {minute})")).await;
            }
        }
        // The pages look at the clock every half a minute; whatever changes has them look at once.
        create(&one, json!({"title": format!("Round {round}")})).await;
        let expected = minute.min(50);
        let all = eventually(PATIENCE, || async { told(&two).await.len() == expected }).await;
        let now = told(&two).await;
        assert!(all, "round {round}: {} of {expected} are told", now.len());
        // Who was told is not told again.
        for before in &known {
            assert!(now.contains(before), "round {round}: {before:?} was told again: {now:?}");
        }
        known = now;
        if round % 8 == 0 {
            // Five by themselves, the others in one.
            assert!(shown(&two).await.contains(&"5 more reminders".to_owned()));
        }
        for tab in [&one, &two] {
            tab.reminders().one().are(expected.min(2) as u64).await;
        }
        if expected == 50 {
            break;
        }
    }
    assert_eq!(known.len(), 50);
    one.reminders().more().says("and 48 more").await;
    one.reminders().put_all().click().await;
    for tab in [&one, &two] {
        tab.reminders().one().gone().await;
    }
    shows(&one, &[]).await;
    // What comes due while no browser runs says at the next start that it is late.
    create(&one, json!({"title": "Missed", "remind": wall(&one, 1).await})).await;
    one.eval(&format!("localStorage.setItem('test.shift', {})", minute + 11)).await;
    browser.kill().await;
    let browser = Chromium::start_in(profile.path()).await;
    let one = open(&browser).await;
    // What a killed browser kept of the page's storage is what it had written.
    one.eval(&format!("localStorage.setItem('test.shift', {})", minute + 11)).await;
    create(&one, json!({"title": "Again there"})).await;
    one.reminders().one().whose("late", "true").says("Missed").await;
    shows(&one, &["Missed"]).await;
    let late = "return (await (await navigator.serviceWorker.ready).getNotifications())[0].body";
    assert!(one.eval(late).await.as_str().is_some_and(|body| body.starts_with("Late: ")));
}

#[tokio::test]
async fn notifications_are_asked_for_at_the_first_reminder_and_never_before() {
    let (_app, _browser, tab) = the_app().await;
    let ask = json!({ "permission": { "name": "notifications" }, "setting": "prompt" });
    tab.session.send("Browser.setPermission", ask).await;
    tab.reload().await;
    tab.ready().await;
    let id = create(&tab, json!({"title": "Plain", "due": wall(&tab, 24 * 60).await})).await;
    tab.workspace().title().with("Plain").shown().await;
    assert_eq!(tab.reminders().ask().count().await, 0);
    tab.workspace().todo(&id).within(".todo-main").click().await;
    tab.workspace().form().shown().await;
    tab.reminders().choice().choose("-PT30M").await;
    tab.reminders().hint().says("What was missed").await;
    tab.workspace().form().now("all[0].requestSubmit()").await;
    tab.workspace().form().gone().await;
    tab.reminders().mark().says("30 minutes before").await;
    tab.reminders().ask().says("With notifications you see them").await;
    tab.reminders().not_now().click().await;
    tab.reminders().ask().gone().await;
    tab.reload().await;
    tab.ready().await;
    tab.reminders().mark().shown().await;
    create(&tab, json!({"title": "Due now", "remind": wall(&tab, 0).await})).await;
    // Without notifications it stands over the page all the same.
    tab.reminders().one().says("Due now").await;
    assert_eq!(tab.reminders().ask().count().await, 0);
    assert_eq!(shown(&tab).await, Vec::<String>::new());
    tab.console_is_clean(&[]);
}

#[tokio::test]
async fn a_reminder_is_set_in_words_and_by_hand() {
    let (_app, _browser, tab) = the_app().await;
    tab.say("remind me in 20 minutes to check the oven").await;
    tab.says("I will remind you: today").await;
    tab.reminders().mark().says("When it is due").await;
    let all = tab.call("todo_list", &json!({}), None).await;
    let todo = &all["result"]["structuredContent"]["items"][0];
    assert_eq!((&todo["title"], &todo["remind"]), (&json!("Check the oven"), &json!("PT0S")), "{all}");
    // By hand: at a time of its own, which stays when the date goes.
    let id = todo["id"].as_str().unwrap();
    tab.workspace().todo(id).within(".todo-main").click().await;
    tab.workspace().form().shown().await;
    tab.reminders().choice().choose("at").await;
    tab.reminders().at().set("2030-05-01T08:30").await;
    tab.workspace().days().within("button").with("No date").click().await;
    tab.workspace().form().now("all[0].requestSubmit()").await;
    tab.workspace().form().gone().await;
    let all = tab.call("todo_list", &json!({}), None).await;
    let todo = &all["result"]["structuredContent"]["items"][0];
    assert_eq!((&todo["due"], &todo["remind"]), (&Value::Null, &json!("2030-05-01T08:30")), "{all}");
    // One before a date goes with the date.
    tab.say("remind me 10 minutes before the oven").await;
    tab.says("has no date yet").await;
    tab.console_is_clean(&[]);
}
