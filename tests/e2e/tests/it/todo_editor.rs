//! What a hand can do that the chat can: everything a to-do has is changed in its form, and a typed line is understood.

use e2e::{Tab, the_app};
use serde_json::{Value, json};

/// Creates a to-do; its id.
async fn create(tab: &Tab, arguments: Value) -> String {
    let reply = tab.call("todo_create", &arguments, None).await;
    let id = &reply["result"]["structuredContent"]["changes"][0]["after"]["id"];
    id.as_str().unwrap_or_else(|| panic!("{reply}")).to_owned()
}

/// Opens the form of a to-do.
async fn open(tab: &Tab, id: &str) {
    tab.workspace().todo(id).within(".todo-main").click().await;
    tab.workspace().form().shown().await;
}

/// Saves the form that is open.
async fn save(tab: &Tab) {
    tab.workspace().form().now("all[0].requestSubmit()").await;
    tab.workspace().form().gone().await;
}

/// All to-dos of the store, by title.
async fn stored(tab: &Tab) -> Vec<Value> {
    let reply = tab.call("todo_list", &json!({"status": "all", "sort": "order"}), None).await;
    reply["result"]["structuredContent"]["items"].as_array().cloned().unwrap_or_default()
}

/// Presses Enter in whatever has the focus.
async fn press(tab: &Tab, key: &str, modifiers: u8) {
    let code = match key {
        "Enter" => 13,
        "ArrowUp" => 38,
        "ArrowRight" => 39,
        " " => 32,
        other => panic!("{other}"),
    };
    let text = match key {
        "Enter" => "\r",
        " " => " ",
        _ => "",
    };
    for kind in ["keyDown", "keyUp"] {
        let mut event = json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code, "modifiers": modifiers});
        if kind == "keyDown" && !text.is_empty() {
            event["text"] = text.into();
        }
        tab.session.send("Input.dispatchKeyEvent", event).await;
    }
}

#[tokio::test]
async fn everything_that_a_to_do_has_is_changed_in_its_form() {
    let (_app, _browser, tab) = the_app().await;
    create(&tab, json!({"title": "Other", "list": "Flat", "tags": ["home"]})).await;
    let id = create(&tab, json!({"title": "Milk", "due": "2020-01-01"})).await;
    open(&tab, &id).await;
    let form = tab.workspace();
    form.notes().write("Two litres\nof the good one").await;
    form.days().within("button").with("Tomorrow").click().await;
    form.priority().choose("high").await;
    form.repeat().choose("FREQ=WEEKLY").await;
    form.list_name().fill("Flat").await;
    form.tag().fill("home").await;
    form.tag().focus().await;
    press(&tab, "Enter", 0).await;
    form.tags().within("li").with("#home").shown().await;
    form.form().shown().await;
    save(&tab).await;
    let all = stored(&tab).await;
    let milk = all.iter().find(|todo| todo["id"] == id).unwrap();
    let now: Value = tab.eval("const d = new Date(Date.now() + 864e5); return [d.getFullYear(), d.getMonth() + 1, d.getDate()].map(n => String(n).padStart(2, '0')).join('-')").await;
    assert_eq!(
        [&milk["notes"], &milk["priority"], &milk["repeat"], &milk["list"], &milk["tags"], &milk["due"]],
        [
            &json!("Two litres\nof the good one"),
            &json!("high"),
            &json!("FREQ=WEEKLY"),
            &json!("Flat"),
            &json!(["home"]),
            &now
        ]
    );
    // A rule in words; and what comes back on no day comes back no more.
    open(&tab, &id).await;
    form.repeat().choose("other").await;
    form.rule_words().set("every other Tuesday").await;
    form.rule().says("every other week on Tue").await;
    save(&tab).await;
    let rule = "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU";
    assert_eq!(stored(&tab).await.iter().find(|todo| todo["id"] == id).unwrap()["repeat"], rule);
    open(&tab, &id).await;
    form.days().within("button").with("No date").click().await;
    save(&tab).await;
    let milk = stored(&tab).await.into_iter().find(|todo| todo["id"] == id).unwrap();
    assert_eq!([&milk["due"], &milk["repeat"]], [&Value::Null, &Value::Null], "{milk}");
    tab.console_is_clean(&[]);
}

#[tokio::test]
async fn subtasks_are_added_ticked_and_put_in_order_by_hand() {
    let (_app, _browser, tab) = the_app().await;
    let id = create(&tab, json!({"title": "Move house"})).await;
    open(&tab, &id).await;
    let form = tab.workspace();
    for title in ["Pack", "Rent a van", "Boxes"] {
        form.subtask_add().fill(title).await;
        form.subtask_add().focus().await;
        press(&tab, "Enter", 0).await;
        form.subtask().with(title).shown().await;
    }
    // The third becomes the second, and then a part of the first.
    form.subtask().with("Boxes").within(".check").focus().await;
    press(&tab, "ArrowUp", 1).await;
    form.subtask().nth(1).says("Boxes").await;
    form.subtask().with("Boxes").within(".check").focus().await;
    press(&tab, "ArrowRight", 1).await;
    form.subtask().with("Boxes").is("depth", "1").await;
    form.subtask().with("Rent a van").within(".check").click().await;
    form.subtask().with("Rent a van").is("status", "done").await;
    let all = stored(&tab).await;
    let of = |title: &str| all.iter().find(|todo| todo["title"] == title).unwrap();
    assert_eq!(of("Boxes")["parent"], of("Pack")["id"]);
    assert_eq!(of("Pack")["parent"], json!(id));
    assert_eq!(of("Rent a van")["status"], "done");
    tab.console_is_clean(&[]);
}

#[tokio::test]
async fn what_was_changed_survives_a_reload() {
    let (_app, _browser, tab) = the_app().await;
    let id = create(&tab, json!({"title": "Milk"})).await;
    open(&tab, &id).await;
    tab.workspace().notes().write("Oat").await;
    tab.reload().await;
    open(&tab, &id).await;
    tab.workspace().notes().holds("Oat").await;
    tab.workspace().form().says("not saved yet").await;
    save(&tab).await;
    assert_eq!(stored(&tab).await[0]["notes"], "Oat");
    // What is saved does not come back.
    open(&tab, &id).await;
    tab.workspace().form().until("!all[0].textContent.includes('not saved yet')").await;
    tab.console_is_clean(&[]);
}

#[tokio::test]
async fn notes_are_seen_as_markdown_and_ticked_and_written_as_text() {
    let (_app, _browser, tab) = the_app().await;
    let text = "# Trip\n\n- [ ] *Passport*\n- [x] Tickets\n\nSee <https://a.example/x> and `[ ]`";
    let id = create(&tab, json!({"title": "Pack", "notes": text})).await;
    open(&tab, &id).await;
    let form = tab.workspace();
    form.notes_shown().within("[role=heading]").says("Trip").await;
    form.notes_shown().within("em").says("Passport").await;
    form.notes_shown()
        .within("a")
        .until("all[0].target === '_blank' && all[0].rel === 'noopener noreferrer'")
        .await;
    form.notes().gone().await;
    form.notes_tick().until("JSON.stringify(all.map(e => [e.ariaLabel, e.checked])) === '[[\"Passport\",false],[\"Tickets\",true]]'").await;
    // A box is ticked by hand and by key, keeps the focus, and is no press on the notes.
    form.notes_tick().nth(0).focus().await;
    form.notes_tick().nth(0).click().await;
    form.notes_tick().nth(0).until("all[0].checked").await;
    form.notes_tick().nth(0).focused().await;
    form.notes_shown().shown().await;
    form.notes_tick().nth(1).focus().await;
    press(&tab, " ", 0).await;
    form.notes_tick().nth(1).until("!all[0].checked && all[0] === document.activeElement").await;
    // Nothing is saved yet, and it survives a reload: as text, for whoever was at it.
    assert_eq!(stored(&tab).await[0]["notes"], text);
    let now = text.replace("[ ] *", "[x] *").replace("[x] T", "[ ] T");
    tab.reload().await;
    open(&tab, &id).await;
    form.notes().holds(&now).await;
    // Seen and written by one button, which keeps the focus; a press on the notes writes as well.
    form.notes_show().focus().await;
    form.notes_show().click().await;
    form.notes_write().focused().await;
    form.notes_tick().nth(0).until("all[0].checked").await;
    form.notes_write().focus().await;
    form.notes_write().click().await;
    form.notes().focused().await;
    form.notes_show().focus().await;
    form.notes_show().click().await;
    form.notes_shown().within("[role=heading]").click().await;
    form.notes().focused().await;
    form.notes().holds(&now).await;
    save(&tab).await;
    assert_eq!(stored(&tab).await[0]["notes"], now);
    // One edit, with one undo.
    tab.call("undo", &json!({}), None).await;
    assert_eq!(stored(&tab).await[0]["notes"], text);
    tab.console_is_clean(&[]);
}

#[tokio::test]
async fn hostile_notes_are_text() {
    let (_app, _browser, tab) = the_app().await;
    let text = "<img src=x onerror=\"document.title='owned'\"> <script>document.title='owned'</script>\n\n\
        [press](javascript:document.title='owned') ![picture](https://evil.example/p.png) [bank](https://evil.example/login)\n\n\
        - [ ] <input autofocus onfocus=\"document.title='owned'\">";
    let id = create(&tab, json!({"title": "Milk", "notes": text})).await;
    open(&tab, &id).await;
    let form = tab.workspace();
    form.notes_shown().says("<img src=x").await;
    form.notes_shown().within("img, script, iframe, svg, input:not(.md-tick)").gone().await;
    // What could be followed is the one address of the web, which says where it goes.
    form.notes_shown().within("a").are(1).await;
    form.notes_shown().says("bank (evil.example)").await;
    form.notes_tick().are(1).await;
    form.notes_tick().click().await;
    save(&tab).await;
    assert_eq!(stored(&tab).await[0]["notes"], text.replace("- [ ]", "- [x]"));
    assert_ne!(tab.eval("return document.title").await, "owned");
    tab.console_is_clean(&[]);
}

#[tokio::test]
async fn a_form_has_the_history_of_its_to_do_and_takes_back_what_it_says() {
    let (_app, _browser, tab) = the_app().await;
    tab.say("Add oat milk").await;
    tab.idle().await;
    tab.shows(1).await;
    let id = stored(&tab).await[0]["id"].as_str().unwrap().to_owned();
    let other = create(&tab, json!({"title": "Call mum"})).await;
    tab.shows(2).await;
    let form = tab.workspace();
    // By hand.
    open(&tab, &id).await;
    form.priority().choose("high").await;
    save(&tab).await;
    // Another one alone, and both: by a program.
    tab.call("todo_update", &json!({"id": other, "notes": "Sunday"}), None).await;
    tab.call("todo_update", &json!({"ids": [id, other], "list": "Shop"}), None).await;
    open(&tab, &id).await;
    form.past().until("all[0].ariaExpanded === 'false'").await;
    form.past_list().gone().await;
    form.open_past().await;
    form.past().until("all[0].ariaExpanded === 'true'").await;
    form.past_entry().are(3).await;
    form.past_entry().nth(0).says("by another program").await;
    form.past_entry().nth(0).says("One other to-do").await;
    form.past_entry().nth(0).within(".line").are(1).await;
    form.past_entry().nth(1).says("by hand").await;
    form.past_entry().nth(1).says("High").await;
    form.past_entry().nth(2).says("in a conversation").await;
    form.past_list().until("!all[0].innerText.includes('Sunday')").await;
    // What was taken back is said, stands there, and is in the form; what was typed in the form stays.
    form.notes().write("Two litres").await;
    form.past_entry().nth(0).within("[data-testid=edit-history-undo]").focus().await;
    form.past_entry().nth(0).within("[data-testid=edit-history-undo]").click().await;
    tab.notes().toast().says("Undone").await;
    form.past_entry().are(4).await;
    form.past_entry().nth(1).is("state", "undone").await;
    form.past_entry().nth(1).within("[data-testid=edit-history-undo]").focused().await;
    form.list_name().holds("Inbox").await;
    form.notes().holds("Two litres").await;
    save(&tab).await;
    let all = stored(&tab).await;
    let milk = all.iter().find(|todo| todo["id"] == id).unwrap();
    assert_eq!([&milk["list"], &milk["notes"], &milk["priority"]], ["Inbox", "Two litres", "high"]);
    // It follows what others do while it is open, and goes on in pages.
    open(&tab, &id).await;
    form.open_past().await;
    for n in 0..20 {
        tab.call("todo_update", &json!({"id": id, "notes": format!("N{n}")}), None).await;
    }
    form.past_entry().nth(0).says("N19").await;
    form.past_more().click().await;
    form.past_entry().are(25).await;
    form.past_more().gone().await;
    form.past_list().until("all[0].contains(document.activeElement)").await;
    tab.console_is_clean(&[]);
}

#[tokio::test]
async fn a_typed_line_is_understood_and_can_be_taken_at_its_word() {
    let (_app, _browser, tab) = the_app().await;
    let list = tab.workspace();
    list.field().write("Buy milk tomorrow #home !high").await;
    list.chip().are(3).await;
    assert_eq!(list.chip().texts().await, ["Tomorrow", "High priority", "#home"]);
    list.chip().with("High priority").click().await;
    list.chip().are(2).await;
    list.field().focused().await;
    press(&tab, "Enter", 0).await;
    tab.shows(1).await;
    let todo = stored(&tab).await.remove(0);
    assert_eq!(
        [&todo["title"], &todo["priority"], &todo["tags"]],
        [&json!("Buy milk !high"), &json!("none"), &json!(["home"])]
    );
    // What is typed and sent before anything was read is understood as well.
    list.field().write("water the plants every monday").await;
    press(&tab, "Enter", 0).await;
    tab.shows(2).await;
    let all = stored(&tab).await;
    let plants = all.iter().find(|todo| todo["title"] == "water the plants").unwrap();
    assert_eq!(plants["repeat"], "FREQ=WEEKLY;BYDAY=MO");
    tab.console_is_clean(&[]);
}

#[tokio::test]
async fn several_pasted_lines_are_several_to_dos_after_a_question() {
    let (_app, _browser, tab) = the_app().await;
    let list = tab.workspace();
    list.field().focus().await;
    let paste = "(() => { const data = new DataTransfer(); data.setData('text/plain', 'milk\\neggs tomorrow\\n\\nbread #shop\\ntea'); \
         all[0].dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true})); })()";
    list.field().now(paste).await;
    list.pasted().says("4 lines").await;
    tab.shows(0).await;
    list.add_all().click().await;
    tab.shows(4).await;
    list.pasted().gone().await;
    let all = stored(&tab).await;
    let titles: Vec<&Value> = all.iter().map(|todo| &todo["title"]).collect();
    assert_eq!(titles, ["milk", "eggs", "bread", "tea"]);
    assert_eq!(all[2]["tags"], json!(["shop"]));
    // One change, with one undo.
    tab.call("undo", &json!({}), None).await;
    tab.shows(0).await;
    tab.console_is_clean(&[]);
}

#[tokio::test]
async fn the_list_shows_what_is_looked_for() {
    let (_app, _browser, tab) = the_app().await;
    for (title, list, tag) in
        [("Milk", "Shop", "food"), ("Bread & butter", "Shop", "food"), ("Call mum", "Home", "people")]
    {
        create(&tab, json!({"title": title, "list": list, "tags": [tag]})).await;
    }
    tab.shows(3).await;
    let list = tab.workspace();
    list.find_open().click().await;
    list.find().focused().await;
    list.find().write("bread &").await;
    list.item().are(1).await;
    list.found().says("1 of 3").await;
    list.lists(&["Bread & butter"]).await;
    list.find().fill("nothing such").await;
    list.none_found().shown().await;
    list.find_clear().click().await;
    list.item().are(3).await;
    list.find_open().click().await;
    list.find_list().choose("Shop").await;
    list.item().are(2).await;
    // What is added meanwhile and does not fit is there, though not shown.
    create(&tab, json!({"title": "Eggs", "list": "Shop"})).await;
    create(&tab, json!({"title": "Call dad", "list": "Home"})).await;
    list.item().are(3).await;
    list.found().says("3 of 5").await;
    list.find_tag().choose("people").await;
    list.none_found().shown().await;
    list.find_clear().click().await;
    list.item().are(5).await;
    tab.console_is_clean(&[]);
}
