//! Parts of the page that are closed while something they began is still under way: it ends without them.

use e2e::{App, Chromium, Tab, the_app};
use serde_json::json;

/// Files are read only when the test says so.
const SLOW_FILES: &str = "
    const text = Blob.prototype.text;
    window.whole = (blob) => text.call(blob);
    Blob.prototype.text = async function () { await new Promise((done) => { window.letGo = done; }); return text.call(this); };
    const address = URL.createObjectURL;
    URL.createObjectURL = (blob) => { window.saved = blob; return address.call(URL, blob); };";

/// Puts a file into an input as a person who picks it.
fn pick(testid: &str, name: &str) -> String {
    format!(
        "const data = new DataTransfer(); data.items.add(new File([window.content], {name:?}));
         const input = [...document.querySelectorAll('[data-testid={testid:?}]')].at(-1);
         input.files = data.files; input.dispatchEvent(new Event('change', {{bubbles: true}}));"
    )
}

async fn close_all(tab: &Tab) {
    tab.eval("document.querySelectorAll('dialog[open]').forEach((dialog) => dialog.close())").await;
    tab.until("all is closed", "return !document.querySelector('dialog[open]')").await;
    // And drawn.
    tab.eval("await new Promise((done) => requestAnimationFrame(() => setTimeout(done)))").await;
}

/// The page goes on: what was under way has ended, and nothing broke.
async fn goes_on(tab: &Tab) {
    tab.eval("await new Promise((done) => setTimeout(done, 300))").await;
    assert_eq!(tab.eval("return document.getElementById('crash').hidden").await, true, "{:?}", tab.console());
    let before = tab.shown().await;
    tab.add("It goes on").await;
    tab.shows(before + 1).await;
    tab.console_is_clean(&[]);
}

async fn slow_files() -> (App, Chromium, Tab) {
    let app = App::start();
    let browser = Chromium::start().await;
    let tab = browser.blank().await;
    tab.prepare(SLOW_FILES).await;
    tab.goto(&app.url()).await;
    tab.ready().await;
    (app, browser, tab)
}

#[tokio::test]
async fn the_settings_while_a_file_is_read() {
    let (_app, _browser, tab) = slow_files().await;
    tab.settings().open_at("files").await;
    tab.eval("window.content = 'title\\r\\nMilk\\r\\n'").await;
    tab.data().file().shown().await;
    tab.eval(&pick("import-file", "a.csv")).await;
    tab.until("it is being read", "return !!window.letGo").await;
    close_all(&tab).await;
    tab.eval("window.letGo()").await;
    goes_on(&tab).await;
}

#[tokio::test]
async fn the_drawer_while_a_saved_conversation_is_read() {
    let (_app, _browser, tab) = slow_files().await;
    let narrow = json!({"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true});
    tab.session.send("Emulation.setDeviceMetricsOverride", narrow).await;
    tab.say("Add buy milk").await;
    tab.idle().await;
    tab.conversations().open_drawer().click().await;
    tab.conversations().more().click().await;
    tab.conversations().save().click().await;
    tab.until("it is saved", "return !!window.saved").await;
    tab.eval("window.content = await window.whole(window.saved)").await;
    close_all(&tab).await;
    tab.conversations().open_drawer().click().await;
    tab.until(
        "the drawer is open",
        "return !!document.querySelector('.drawer[open] [data-testid=\"open-run\"]')",
    )
    .await;
    let picked = pick("open-run", "run.json").replace(
        "[...document.querySelectorAll('[data-testid=\"open-run\"]')].at(-1)",
        "document.querySelector('.drawer [data-testid=\"open-run\"]')",
    );
    tab.eval(&picked).await;
    tab.until("it is being read", "return !!window.letGo").await;
    close_all(&tab).await;
    tab.eval("window.letGo()").await;
    tab.conversations().reading().shown().await;
    // With the list in sight.
    tab.session.send("Emulation.clearDeviceMetricsOverride", json!({})).await;
    goes_on(&tab).await;
}

#[tokio::test]
async fn the_settings_while_a_passphrase_is_set() {
    let app = App::start();
    let browser = Chromium::start().await;
    let tab = browser.blank().await;
    tab.prepare(
        "const derive = SubtleCrypto.prototype.deriveKey;
         SubtleCrypto.prototype.deriveKey = async function (...all) {
             await new Promise((done) => { window.letGo = done; });
             return derive.apply(this, all);
         };",
    )
    .await;
    tab.goto(&app.url()).await;
    tab.ready().await;
    let settings = json!({"model": "own", "own": {"url": "http://127.0.0.1:9/v1", "model": "m"}}).to_string();
    tab.eval(&format!("localStorage.setItem('satchel.settings', {settings:?})")).await;
    tab.goto(&app.url()).await;
    tab.ready().await;
    tab.settings().open().await;
    tab.own_model().key().fill("sk-1").await;
    tab.own_model().save_key().click().await;
    tab.own_model().set_passphrase().click().await;
    tab.own_model().passphrase().fill("correct horse").await;
    let named = "return [...document.querySelectorAll('input[type=password]')].map(f => !!f.form?.querySelector('[autocomplete=username]'))";
    assert_eq!(tab.eval(named).await, json!([true]), "a password stands beside a user name, as browsers ask");
    tab.enter().await;
    tab.until("it is being made", "return !!window.letGo").await;
    close_all(&tab).await;
    tab.eval("window.letGo()").await;
    goes_on(&tab).await;
    // It was set all the same.
    tab.settings().open().await;
    tab.own_model().drop_passphrase().click().await;
}

#[tokio::test]
async fn a_row_that_moves_before_its_form_is_gone() {
    let app = App::start();
    let browser = Chromium::start().await;
    let tab = browser.blank().await;
    tab.prepare(
        "const frame = window.requestAnimationFrame.bind(window);
         window.heldFrames = [];
         window.requestAnimationFrame = (f) => window.holds ? window.heldFrames.push(f) : frame(f);",
    )
    .await;
    tab.goto(&app.url()).await;
    tab.ready().await;
    tab.call("todo_create", &json!({"title": "Stays"}), None).await;
    tab.call("todo_create", &json!({"title": "Milk"}), None).await;
    let row = "[...document.querySelectorAll('[data-todo]')].find(e => e.textContent.includes('Milk'))";
    tab.until("its row is there", &format!("return !!{row}")).await;
    tab.eval(&format!("{row}.querySelector('.todo-main').click()")).await;
    tab.until("the form is open", "return !!document.querySelector('.todo.editing .edit')").await;
    tab.eval(
        "window.holds = true;
         const day = document.querySelector('.edit input[type=date]');
         day.value = '2090-01-01';
         ['input', 'change'].forEach((kind) => day.dispatchEvent(new Event(kind, {bubbles: true})));
         document.querySelector('.edit').requestSubmit();",
    )
    .await;
    tab.until(
        "it has gone to its new group",
        &format!("return {row}?.closest('[data-group]')?.dataset.group === 'upcoming'"),
    )
    .await;
    tab.eval("window.holds = false; window.heldFrames.forEach((f) => f(performance.now()))").await;
    goes_on(&tab).await;
}

/// Keeps everybody from writing to the journal until `window.held` is false.
const HOLD: &str = r#"
    const db = await new Promise((done, no) => { const r = indexedDB.open("satchel"); r.onsuccess = () => done(r.result); r.onerror = () => no(r.error); });
    window.held = true;
    const store = db.transaction("journal", "readwrite").objectStore("journal");
    const hold = () => { const r = store.count(); r.onsuccess = () => window.held ? hold() : db.close(); };
    hold();"#;

#[tokio::test]
async fn a_memory_that_is_filtered_out_while_it_is_saved() {
    let (_app, _browser, tab) = the_app().await;
    tab.call("user_memory_save", &json!({"text": "I drink tea"}), None).await;
    tab.settings().open_at("memory").await;
    tab.settings().open_memory().click().await;
    tab.memory().edit().click().await;
    tab.memory().edit_field().fill("I drink coffee").await;
    tab.eval(HOLD).await;
    tab.memory().save().click().await;
    tab.memory().search().fill("nothing has this").await;
    tab.memory().item().gone().await;
    tab.eval("window.held = false").await;
    tab.memory().said().until("!!all[0]?.textContent").await;
    close_all(&tab).await;
    goes_on(&tab).await;
}
