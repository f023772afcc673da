//! What can happen to stored data while the browser runs: no room left, wiped under us, a damaged record,
//! an older or newer build's database, a clock that jumps (T8, T13, T15, T16, T17).

use std::time::Duration;

use e2e::{Tab, eventually, exactly_once, the_app};
use serde_json::{Value, json};

/// Opens the to-dos' database in the page as `db`, whatever its version.
const DB: &str = r#"
    const db = await new Promise((done, no) => { const r = indexedDB.open("satchel"); r.onsuccess = () => done(r.result); r.onerror = () => no(r.error); });
    const settle = request => new Promise((done, no) => { request.onsuccess = () => done(request.result); request.onerror = () => no(request.error); });"#;

fn error_text(reply: &Value) -> String {
    reply["error"]["message"]
        .as_str()
        .or(reply["result"]["content"][0]["text"].as_str())
        .unwrap_or("")
        .to_owned()
}

fn failed(reply: &Value) -> bool {
    reply["error"].is_object() || reply["result"]["isError"] == true
}

#[tokio::test]
async fn no_room_left_is_said_and_nothing_is_half_written() {
    let (app, _browser, tab) = the_app().await;
    let origin = app.url().trim_end_matches('/').to_owned();
    let usage = tab.eval("return (await navigator.storage.estimate()).usage").await.as_u64().unwrap();
    let quota = json!({"origin": origin, "quotaSize": usage + 300_000});
    tab.session.send("Storage.overrideQuotaForOrigin", quota).await;

    // Ten to-dos with long notes at a time, until it does not fit any more.
    let (mut asked, mut acked) = (vec![], vec![]);
    let mut refused = Value::Null;
    for round in 0..200 {
        let items: Vec<Value> = (0..10)
            .map(|n| json!({"title": format!("item {round}.{n}"), "notes": noise(round * 10 + n)}))
            .collect();
        let reply = tab.call("todo_create", &json!({"items": items}), Some(&format!("round-{round}"))).await;
        let titles = items.iter().map(|item| item["title"].as_str().unwrap().to_owned());
        asked.extend(titles.clone());
        if failed(&reply) {
            refused = reply;
            break;
        }
        acked.extend(titles);
    }
    let words = error_text(&refused);
    assert!(words.contains("nothing was saved"), "the model and the page are told why: {refused}");
    assert_eq!(refused["error"]["data"]["kind"], "quota");
    let stored = tab.titles().await;
    exactly_once("no room left", &asked, &acked, &stored);
    assert_eq!(stored.len(), acked.len(), "the refused call left nothing");

    // By hand: it is said, and what was typed is not gone. First what little still fits is used up: Chromium
    // grants small writes from the room it last saw, for up to 30 seconds, without looking again.
    tab.session.send("Storage.overrideQuotaForOrigin", json!({"origin": origin, "quotaSize": 1})).await;
    let mut full = false;
    for n in 0..200 {
        let reply =
            tab.call("todo_create", &json!({"title": n.to_string()}), Some(&format!("small-{n}"))).await;
        if failed(&reply) {
            full = true;
            break;
        }
    }
    assert!(full, "a to-do of a few letters fits no more");
    tab.add("One too many").await;
    tab.find("[data-testid=toast], [role=alert]").says("nothing was saved").await;
    tab.workspace().waiting().whose("failed", "true").says("One too many").await;
    assert!(!tab.titles().await.contains(&"One too many".to_owned()));

    // With room again everything works, the same key included.
    tab.session.send("Storage.overrideQuotaForOrigin", json!({"origin": origin})).await;
    let reply = tab.call("todo_create", &json!({"title": "Fits again"}), Some("again")).await;
    assert!(!failed(&reply), "{reply}");
    assert!(tab.titles().await.contains(&"Fits again".to_owned()));
    tab.workspace().again().click().await;
    tab.workspace().waiting().gone().await;
    let kept = eventually(Duration::from_secs(20), || async {
        tab.titles().await.contains(&"One too many".to_owned())
    });
    assert!(kept.await, "what was typed is added once there is room");
    tab.console_is_clean(&["second copy", "quota"]);
}

/// 900 characters that do not compress.
fn noise(seed: u64) -> String {
    let mut numbers = e2e::Seed::quiet(seed + 1);
    (0..900).map(|_| char::from(b'!' + u8::try_from(numbers.below(90)).unwrap())).collect()
}

#[tokio::test]
async fn storage_wiped_under_a_running_app_is_written_back_and_said() {
    let (app, _browser, tab) = the_app().await;
    let asked: Vec<String> = (0..30).map(|n| format!("kept {n}")).collect();
    for title in &asked {
        let reply = tab.call("todo_create", &json!({"title": title}), None).await;
        assert!(!failed(&reply), "{title}: {reply}");
    }
    let origin = app.url().trim_end_matches('/').to_owned();
    tab.session
        .send("Storage.clearDataForOrigin", json!({"origin": origin, "storageTypes": "indexeddb"}))
        .await;

    // The list the page shows is still the truth; the next write brings everything back to the disk.
    tab.shows(30).await;
    let reply = tab.call("todo_create", &json!({"title": "after"}), Some("after")).await;
    assert!(!failed(&reply), "{reply}");
    let asked = [asked, vec!["after".to_owned()]].concat();
    exactly_once("wiped while running", &asked, &asked, &tab.titles().await);
    tab.notes().loss().says("30 records were written back").await;
    tab.copied(31).await;
    // And a worker that starts anew reads the same from the disk.
    tab.stop_workers().await;
    exactly_once("after a new start", &asked, &asked, &tab.titles().await);

    // Wiped while no worker runs: the second copy brings it back.
    tab.stop_workers().await;
    tab.session
        .send("Storage.clearDataForOrigin", json!({"origin": origin, "storageTypes": "indexeddb"}))
        .await;
    exactly_once("wiped while stopped", &asked, &asked, &tab.titles().await);
    tab.console_is_clean(&[]);
}

/// How many records the worker says that it could not read.
async fn unread(tab: &Tab) -> usize {
    let storage = tab.call("data_storage", &json!({}), None).await;
    let notes = storage["result"]["structuredContent"]["notes"].as_array().cloned().unwrap_or_default();
    println!("{notes:?}");
    notes.len()
}

#[tokio::test]
async fn a_damaged_record_is_set_aside_and_said_and_the_others_load() {
    let (_app, _browser, tab) = the_app().await;
    let asked: Vec<String> = (0..100).map(|n| format!("sound {n}")).collect();
    for chunk in asked.chunks(50) {
        let items: Vec<Value> = chunk.iter().map(|title| json!({"title": title})).collect();
        tab.call("todo_create", &json!({"items": items}), None).await;
    }
    // One more change for each kind of damage, written past the app, each in place of a sound one. A long title is none:
    // it is shown.
    let kinds = [
        ("", true),
        ("delete todo.title", false),
        ("todo.title = 7", false),
        ("todo.created = NaN", false),
        ("todo.title = 'x'.repeat(1_000_000)", true),
        ("todo.schema = 99; todo.status = 'later'", false),
        ("todo.due = {year: 'soon'}", false),
        ("change.ops = 'none'", false),
        ("delete change.ops", false),
        ("change.rev = -1", false),
        ("entry.body = '{\"rev\":'", false),
        ("entry.body = 12", false),
        ("delete entry.body", false),
    ];
    let mut set_aside = 0;
    for (n, (damage, is_shown)) in kinds.iter().enumerate() {
        tab.stop_workers().await;
        // The worker must not have it in memory, nor in the second copy.
        tab.eval(&format!(
            r#"{DB}
            const store = () => db.transaction("journal", "readwrite", {{durability: "strict"}}).objectStore("journal");
            const keys = await settle(store().getAllKeys());
            const entry = await settle(store().get(keys[0]));
            entry.rev = keys.at(-1) + 1; entry.key = "damage {n}";
            let change = JSON.parse(entry.body);
            change.rev = entry.rev; change.key = entry.key; change.ops = [JSON.parse(JSON.stringify(change.ops.at(-1)))];
            change.ops[0].id = "todo_damaged{n}"; change.ops[0].before = null;
            let todo = change.ops[0].after; if (todo.id) todo.id = change.ops[0].id; todo.title = "damaged {n}";
            {damage};
            if (typeof entry.body === "string" && entry.body !== '{{"rev":') entry.body = JSON.stringify(change);
            await settle(store().add(entry)); db.close();"#
        ))
        .await;
        // A page that looked after its worker meanwhile may have started it anew, before this was written.
        tab.stop_workers().await;
        let titles = tab.titles().await;
        let sound = titles.iter().filter(|title| title.starts_with("sound")).count();
        assert_eq!(sound, 100, "{damage}: the sound ones load");
        let name = format!("damaged {n}");
        let shown = titles.iter().any(|title| *title == name || (*is_shown && title.starts_with("xxx")));
        assert_eq!(shown, *is_shown, "{damage}: {titles:?}");
        // What is not shown is said, each of them.
        set_aside += usize::from(!is_shown);
        let unread = unread(&tab).await;
        assert_eq!(unread, set_aside, "{damage}: all that could not be read is counted");
        // And the app goes on writing.
        let reply = tab.call("todo_create", &json!({"title": format!("later {n}")}), None).await;
        assert!(!failed(&reply), "{damage}: {reply}");
        let id = &reply["result"]["structuredContent"]["changes"][0]["after"]["id"];
        let gone = tab.call("todo_delete", &json!({"id": id}), None).await;
        assert!(!failed(&gone), "{damage}: {gone}");
    }
    println!("{} kinds of damage, sound records lost 0, set aside {set_aside}", kinds.len());
    tab.notes().loss().says("could not be read").await;
    // The page's look for what is due goes with the worker that is stopped.
    tab.console_is_clean(&["api/notices"]);
}

#[tokio::test]
async fn a_newer_builds_database_is_refused_in_words_and_not_touched() {
    let (_app, _browser, tab) = the_app().await;
    tab.call("todo_create", &json!({"title": "Before"}), None).await;

    // A newer build opens the database in another tab: ours lets go of it at once, so the upgrade is not held up.
    let upgraded = tab
        .eval(
            r#"return await new Promise((done, no) => {
                const started = performance.now();
                const request = indexedDB.open("satchel", 99);
                let blocked = false;
                request.onblocked = () => blocked = true;
                request.onupgradeneeded = () => { request.result.createObjectStore("future"); };
                request.onsuccess = () => { const names = [...request.result.objectStoreNames]; request.result.close(); done({ms: performance.now() - started, blocked, names}); };
                request.onerror = () => no(request.error);
            });"#,
        )
        .await;
    println!("upgrade: {upgraded}");
    assert!(upgraded["ms"].as_f64().unwrap() < 3000.0, "{upgraded}");
    assert_eq!(upgraded["names"], json!(["blobs", "future", "journal", "snapshots"]), "no store is deleted");

    // The old build refuses to write, in words, and goes on refusing after a new start.
    for start in 0..2 {
        let reply = tab.call("todo_create", &json!({"title": "Must not be"}), Some("no")).await;
        assert!(failed(&reply), "{reply}");
        assert!(error_text(&reply).contains("newer version"), "start {start}: {reply}");
        tab.stop_workers().await;
    }
    let left = tab
        .eval(&format!("{DB} const n = await settle(db.transaction('journal').objectStore('journal').count()); const v = db.version; db.close(); return [v, n];"))
        .await;
    assert_eq!(left, json!([99, 1]), "nothing was written and nothing lost");
    tab.console_is_clean(&["503"]);
}

#[tokio::test]
async fn clocks_that_jump_change_neither_order_nor_due_dates() {
    let (_app, browser, tab) = the_app().await;
    let due = "2026-11-25T09:00";
    let mut asked = vec![];
    for (n, shift_ms) in
        [0_i64, -315_569_520_000, 86_400_000, 0, 315_569_520_000, -86_400_000].into_iter().enumerate()
    {
        let worker = browser.worker().await;
        worker
            .eval(&format!(
                "globalThis.RealDate ??= Date; const shift = {shift_ms};
                 globalThis.Date = class extends RealDate {{ constructor(...a) {{ a.length ? super(...a) : super(RealDate.now() + shift); }} static now() {{ return RealDate.now() + shift; }} }};"
            ))
            .await;
        for part in 0..3 {
            let title = format!("jump {n}.{part}");
            let reply = tab.call("todo_create", &json!({"title": title, "due": due}), Some(&title)).await;
            assert!(!failed(&reply), "{reply}");
            asked.push(title);
        }
    }
    let list = tab.call("todo_list", &json!({"status": "all", "sort": "created", "limit": 200}), None).await;
    let items = list["result"]["structuredContent"]["items"].as_array().unwrap().clone();
    let titles: Vec<String> = items.iter().map(|item| item["title"].as_str().unwrap().to_owned()).collect();
    exactly_once("clock jumps", &asked, &asked, &titles);
    // The clock did jump: back ten years, on ten years, and a day each way; and the list is in its order.
    let mut made: Vec<(String, String)> = Vec::new();
    for item in &items {
        made.push((item["created"].as_str().unwrap().to_owned(), item["title"].as_str().unwrap().to_owned()));
    }
    let year = |part: &str| {
        let (created, _) = made.iter().find(|(_, title)| title == part).unwrap();
        created[..4].parse::<i32>().unwrap()
    };
    assert_eq!(
        [year("jump 1.0") + 10, year("jump 4.0") - 10],
        [year("jump 0.0"), year("jump 0.0")],
        "{made:?}"
    );
    let by_clock = |part: &str| made.iter().position(|(_, title)| title == part).unwrap();
    let mut order = [
        by_clock("jump 1.0"),
        by_clock("jump 5.0"),
        by_clock("jump 0.0"),
        by_clock("jump 2.0"),
        by_clock("jump 4.0"),
    ];
    if order[0] > order[4] {
        order.reverse();
    }
    assert!(order.is_sorted(), "sorted by the clock that was read: {made:?}");
    assert!(items.iter().all(|item| item["due"] == due), "due dates are kept as they were said: {items:#?}");
    // The journal's order is the order of writing, and a new start folds it to the same list.
    tab.stop_workers().await;
    let again = tab.call("todo_list", &json!({"status": "all", "sort": "created", "limit": 200}), None).await;
    assert_eq!(again["result"]["structuredContent"]["items"], list["result"]["structuredContent"]["items"]);
    // Undo takes back the last write, not the one with the latest clock.
    let undone = tab.call("undo", &json!({"last": 1}), Some("undo")).await;
    assert!(!failed(&undone), "{undone}");
    assert!(!tab.titles().await.contains(&"jump 5.2".to_owned()), "the last write is undone: {undone}");
    tab.console_is_clean(&[]);
}
