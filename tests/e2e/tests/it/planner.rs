//! Other ways to look at the to-dos: views of the list, and a calendar to plan with.

use std::time::{Duration, Instant};

use e2e::{Tab, the_app};
use serde_json::{Value, json};

/// A day of this machine's calendar, so many days from today.
async fn day(tab: &Tab, away: i64) -> String {
    let script = format!(
        "const day = new Date(); day.setDate(day.getDate() + {away});
         return [day.getFullYear(), day.getMonth() + 1, day.getDate()].map(n => String(n).padStart(2, '0')).join('-')"
    );
    tab.eval(&script).await.as_str().expect("a day").to_owned()
}

async fn create(tab: &Tab, items: Value) {
    tab.call("todo_create", &json!({ "items": items }), None).await;
}

/// All to-dos, by title: what a field of them says.
async fn field(tab: &Tab, name: &str) -> Vec<Value> {
    let reply = tab.call("todo_list", &json!({"status": "all", "sort": "title"}), None).await;
    let items = reply["result"]["structuredContent"]["items"].as_array().cloned().unwrap_or_default();
    items.iter().map(|todo| todo[name].clone()).collect()
}

/// Waits until a field of all to-dos, by title, is this: what was done by hand is drawn before it is written.
async fn field_is(tab: &Tab, name: &str, expected: &[Value]) {
    let patience = Instant::now() + Duration::from_secs(15);
    loop {
        let now = field(tab, name).await;
        if now == expected {
            return;
        }
        assert!(Instant::now() < patience, "{name} is {now:?}, not {expected:?}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Chooses a view by what stands in its row.
async fn choose(tab: &Tab, name: &str) {
    tab.workspace().views_open().click().await;
    tab.workspace().view().with(name).nth(0).click().await;
    tab.workspace().views().that("[open]").gone().await;
}

async fn heading(tab: &Tab, words: &str) {
    tab.workspace().views_open().says(words).await;
}

#[tokio::test]
async fn the_list_is_looked_at_by_date_list_and_tag_and_as_it_was_saved() {
    let (app, _browser, tab) = the_app().await;
    let (today, later) = (day(&tab, 0).await, day(&tab, 3).await);
    create(
        &tab,
        json!([
            {"title": "A", "due": today, "list": "Work"}, {"title": "B", "due": later, "tags": ["home"]},
            {"title": "C", "list": "Work"}, {"title": "D", "tags": ["home"]}
        ]),
    )
    .await;
    let list = tab.workspace();
    list.lists(&["A", "B", "C", "D"]).await;

    choose(&tab, "Today").await;
    heading(&tab, "Today").await;
    list.lists(&["A"]).await;
    // It is so after a reload, and an address opens another.
    tab.reload().await;
    list.lists(&["A"]).await;
    tab.goto(&format!("{}#todos/upcoming", app.url())).await;
    list.lists(&["B"]).await;
    choose(&tab, "No date").await;
    list.lists(&["C", "D"]).await;
    choose(&tab, "Done").await;
    list.none_found().says("Nothing here").await;
    choose(&tab, "Work").await;
    heading(&tab, "Work").await;
    list.lists(&["A", "C"]).await;
    // What is typed here is here.
    tab.add("Call the office").await;
    list.lists(&["A", "C", "Call the office"]).await;
    choose(&tab, "#home").await;
    list.lists(&["B", "D"]).await;

    // What is shown gets a name, and is found under it.
    list.views_open().click().await;
    list.filter_name().fill("At home").await;
    list.filter_save().click().await;
    list.view().with("At home").shown().await;
    tab.find(".sheet[open] .sheet-head .icon-button").click().await;
    choose(&tab, "To-dos").await;
    list.lists(&["A", "B", "C", "D", "Call the office"]).await;
    tab.reload().await;
    choose(&tab, "At home").await;
    list.lists(&["B", "D"]).await;
    list.views_open().click().await;
    list.filter_forget().click().await;
    list.view().with("At home").gone().await;
    tab.console_is_clean(&[]);
}

#[tokio::test]
async fn lists_and_tags_are_renamed_and_deleted_after_a_look() {
    let (_app, _browser, tab) = the_app().await;
    create(
        &tab,
        json!([
            {"title": "A", "list": "Work"}, {"title": "B", "list": "Work", "tags": ["Home"]},
            {"title": "C", "tags": ["Home"]}, {"title": "D", "list": "Old"}
        ]),
    )
    .await;
    let list = tab.workspace();
    let more = |name: &str| list.view_more().that(&format!("[aria-label=\"More about {name}\"]"));
    choose(&tab, "Work").await;
    list.views_open().click().await;
    more("Work").click().await;
    list.view_name().fill("Office").await;
    list.view_rename().click().await;
    list.view().with("Office").shown().await;
    field_is(&tab, "list", &[json!("Office"), json!("Office"), json!("Inbox"), json!("Old")]).await;
    // What was shown goes with its name, and it is one change.
    list.views_open().says("Office").await;
    tab.find(".toast button").with("Undo").click().await;
    list.view().with("Work").shown().await;
    field_is(&tab, "list", &[json!("Work"), json!("Work"), json!("Inbox"), json!("Old")]).await;

    // Another case is the same tag to the tools, and another name all the same.
    more("#Home").click().await;
    list.view_name().fill("home").await;
    list.view_rename().click().await;
    list.view().that(":scope").with("#home").shown().await;
    field_is(&tab, "tags", &[json!([]), json!(["home"]), json!(["home"]), json!([])]).await;
    more("#home").click().await;
    list.view_delete().click().await;
    list.view_question().says("Take #home off “B”, “C”?").await;
    list.tag_take_off().click().await;
    list.view().with("#home").gone().await;

    // A list goes with what is in it, or without.
    more("Old").click().await;
    list.view_delete().click().await;
    list.view_question().says("In it: “D”.").await;
    list.list_delete_todos().click().await;
    list.view().with("Old").gone().await;
    more("Work").click().await;
    list.view_delete().click().await;
    list.list_keep_todos().click().await;
    list.view().with("Work").gone().await;
    field_is(&tab, "list", &[json!("Inbox"), json!("Inbox"), json!("Inbox")]).await;
    tab.console_is_clean(&[]);
}

/// Waits until these titles, in the order of the alphabet, are on a day of the calendar.
async fn on(tab: &Tab, day: &str, expected: &[&str]) {
    let selector = format!("[data-day='{day}'] .plan-title");
    tab.until(
        &format!("{expected:?} on {day}"),
        &format!(
            "return JSON.stringify([...document.querySelectorAll({selector:?})].map(e => e.textContent).sort()) === {:?}",
            serde_json::to_string(expected).expect("words")
        ),
    )
    .await;
}

#[tokio::test]
async fn a_week_is_planned_by_keys_and_by_dragging() {
    let (_app, _browser, tab) = the_app().await;
    let week = |away: i64| day(&tab, away);
    let (today, tomorrow, next_week) = (week(0).await, week(1).await, week(7).await);
    create(
        &tab,
        json!([
            {"title": "Call", "due": format!("{today}T15:00")}, {"title": "Clean", "due": tomorrow},
            {"title": "Someday"}, {"title": "Late", "due": day(&tab, -30).await}
        ]),
    )
    .await;
    let list = tab.workspace();
    list.views_open().click().await;
    list.plan_week().click().await;
    on(&tab, &today, &["Call"]).await;
    tab.find(".calendar-waiting").says("Late").await;

    // By a key: one day and one week on, with its time, and the focus goes with it.
    let press = |title: &str, key: &str| {
        let script = format!(
            "const plan = [...document.querySelectorAll('.plan')].find(e => e.textContent.includes({title:?}));
             plan.focus();
             plan.dispatchEvent(new KeyboardEvent('keydown', {{key: {key:?}, altKey: true, bubbles: true, cancelable: true}}));"
        );
        let tab = &tab;
        async move { tab.eval(&script).await }
    };
    press("Call", "ArrowRight").await;
    on(&tab, &tomorrow, &["Call", "Clean"]).await;
    tab.until("the focus went with it", "return document.activeElement.textContent.includes('Call')").await;
    press("Clean", "ArrowLeft").await;
    on(&tab, &today, &["Clean"]).await;
    press("Clean", "ArrowDown").await;
    on(&tab, &next_week, &["Clean"]).await;
    list.calendar_today().click().await;
    // What had no day gets today.
    press("Someday", "ArrowRight").await;
    on(&tab, &today, &["Someday"]).await;
    let due =
        [json!(format!("{tomorrow}T15:00")), json!(next_week), json!(day(&tab, -30).await), json!(today)];
    field_is(&tab, "due", &due).await;

    // By dragging, in the month.
    list.calendar_month().click().await;
    tab.eval(&format!(
        "const data = new DataTransfer();
         const send = (on, type) => on.dispatchEvent(new DragEvent(type, {{dataTransfer: data, bubbles: true, cancelable: true}}));
         const plan = [...document.querySelectorAll('.plan')].find(e => e.textContent.includes('Late'));
         const day = document.querySelector('[data-day=\"{today}\"]');
         send(plan, 'dragstart');
         if (send(day, 'dragover')) throw new Error('nothing may be dropped there');
         send(day, 'drop');"
    ))
    .await;
    on(&tab, &today, &["Late", "Someday"]).await;
    // It opens, and is taken back.
    list.plan().with("Late").click().await;
    list.dialog().that("[open]").shown().await;
    tab.console_is_clean(&[]);
}
