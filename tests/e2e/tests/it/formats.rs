//! What an earlier build has kept in the browser opens in this one: profiles that commit 316af6d wrote, in
//! `tests/fixtures/316af6d` (issue 13, acceptance 7). Nothing in them is made up: see the README there.

use std::path::PathBuf;
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use e2e::{App, Browser, Provider, Reply, SignInServer, ToolServer};
use serde_json::{Value, json};

/// Where everything was when the profiles were made. What a browser keeps belongs to an origin, a key to the address of its
/// model; so these ports and no others.
const APP: u16 = 23_160;
const MODEL: u16 = 23_161;
const TOOLS: u16 = 23_162;
const SIGNED_IN: u16 = 23_163;
const ISSUER: u16 = 23_164;

/// The ports are there once.
static ALONE: Mutex<()> = Mutex::new(());

/// Sets the page's clock to the noon after the profiles were made: what a month has cost is asked of its own month.
const CLOCK: &str = "const real = Date, shift = real.UTC(2026, 10, 24, 12) - real.now();
    globalThis.Date = class extends real {
        constructor(...all) { if (all.length) super(...all); else super(real.now() + shift); }
        static now() { return real.now() + shift; }
    };";

fn fixture(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../fixtures/316af6d").join(name)
}

fn text_of(name: &str) -> String {
    std::fs::read_to_string(fixture(name)).unwrap()
}

/// Today's app, with a profile of 316af6d and everything the person had around it.
struct Ground {
    app: App,
    browser: Browser,
    provider: Provider,
    tools: ToolServer,
    signed_in: ToolServer,
    sign_in: SignInServer,
}

impl Ground {
    async fn start(profile: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let unpacked =
            Command::new("tar").arg("-xzf").arg(fixture(profile)).arg("-C").arg(folder.path()).status();
        assert!(unpacked.unwrap().success(), "{profile} is unpacked");
        let search = json!({"name": "search", "title": "Search notes", "description": "Finds notes.",
            "inputSchema": {"type": "object", "properties": {"for": {"type": "string"}}, "required": ["for"]},
            "annotations": {"readOnlyHint": true}});
        let send = json!({"name": "send", "title": "Send a note", "description": "Sends a note to somebody.",
            "inputSchema": {"type": "object", "properties": {"to": {"type": "string"}, "text": {"type": "string"}}}});
        let it = Self {
            app: App::start_at(APP, &format!("connect_origins = [\"http://provider.test:{MODEL}\"]\n")),
            browser: Browser::start_in(folder, &[]).await,
            provider: Provider::start_at(MODEL, [says("Your week is planned.")]).await,
            tools: ToolServer::start_at(TOOLS, vec![search.clone(), send], false).await,
            signed_in: ToolServer::start_at(SIGNED_IN, vec![search], false).await,
            sign_in: SignInServer::start_at(ISSUER).await,
        };
        it.tools.want("tok-7d1f0c2a9b");
        it.signed_in.want(&SignInServer::token(1));
        it.signed_in.signs_in_at(&it.sign_in.origin());
        it.sign_in.renews_with("refresh-0");
        it.browser.prepare(CLOCK).await;
        it
    }

    /// Opens the app, and the conversation whose message waited for the network; it is answered now.
    async fn open(&self) {
        self.browser.open(&self.app.url()).await;
        self.browser.chat().waiting_elsewhere().click().await;
        self.says("Your week is planned.").await;
        self.browser.idle().await;
    }

    /// Waits until the transcript says this.
    async fn says(&self, words: &str) {
        self.browser.find(".transcript-content").says(words).await;
    }

    /// Opens a conversation by its title; one that came in by a file is marked with an icon.
    async fn conversation(&self, title: &str, is_file: bool) {
        let rows = self.browser.conversations().row().seen();
        let (title, icon) = (json!(title), ".conversation-title .icon");
        let this = format!(
            "all.find(e => e.querySelector('.conversation-title').textContent.trim() === {title} \
             && !!e.querySelector('{icon}') === {is_file})"
        );
        rows.until(&format!("!!{this}")).await;
        rows.now(&format!("void {this}.click()")).await;
        self.browser.find("h1.title").until(&format!("all[0]?.textContent === {title}")).await;
        self.browser.chat().message().until("all.length > 0").await;
    }

    /// What a script finds in the page.
    async fn finds(&self, script: &str) -> Value {
        self.browser.eval(&format!("return {script}")).await
    }

    /// Waits until the fields with these test ids hold these values.
    async fn hold(&self, fields: &[(&str, &str)]) {
        for (testid, value) in fields {
            self.browser.settings().field(testid).holds(value).await;
        }
    }

    /// What the tools export now.
    async fn exported(&self) -> Value {
        let reply = self.browser.call("data_export", &json!({"format": "json"}), None).await;
        let text = reply["result"]["structuredContent"]["text"].as_str().unwrap_or_else(|| panic!("{reply}"));
        serde_json::from_str(text).unwrap()
    }

    /// The to-dos and the memories are those of the file, in every field.
    async fn is_as_in(&self, file: &str) {
        let (was, is): (Value, _) = (serde_json::from_str(&text_of(file)).unwrap(), self.exported().await);
        for part in ["todos", "memories", "hash"] {
            assert_eq!(is[part], was[part], "{part} of {file}");
        }
    }
}

fn says(words: &str) -> Reply {
    Reply::says(words)
}

/// Runs a test while no other has the ports, and until its servers are gone.
fn alone(test: impl AsyncFnOnce()) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(test());
}

/// What the page shows of all to-dos: (title, status).
const SHOWN: [(&str, &str); 13] = [
    ("Buy milk", "open"),
    ("Pay the rent", "done"),
    ("Water the plants", "open"),
    ("Call the plumber", "open"),
    ("Move house", "open"),
    ("Pack", "open"),
    ("Find boxes", "open"),
    ("Pay insurance", "open"),
    ("Repaired by undo and redo", "done"),
    ("From a file", "open"),
    ("Counter", "open"),
    ("Feed the cat", "open"),
    ("Book the ferry", "open"),
];

#[test]
fn todos_memories_history_and_copies_open() {
    alone(async || {
        let it = Ground::start("browser.tar.gz").await;
        it.open().await;
        let browser = &it.browser;
        browser.shows(&SHOWN).await;
        it.is_as_in("browser.json").await;
        let house = browser.workspace().item().with("Move house").text().await;
        for words in ["Ask Ben\nfor the van", "2030", "High", "Flat", "#home", "#läßt"] {
            assert!(house.contains(words), "{words}: {house}");
        }

        it.browser.settings().open_at("memory").await;
        it.browser.settings().open_memory().click().await;
        let sentence = browser.memory().sentence();
        let expected = json!([
            ["I take my coffee black", "true"],
            ["I like tea", "false"],
            ["I am called Ada", "false"]
        ]);
        let words = format!("{}.find(one => e.contains(one)).textContent", sentence.all());
        let rows = format!("JSON.stringify(all.map(e => [{words}, e.dataset.pinned]))");
        browser.memory().item().until(&format!("{rows} === {}", json!(expected.to_string()))).await;
        browser.close_dialog().await;

        // The whole history, and a change from its beginning undone: before the snapshot, in the oldest part.
        it.browser.history().button().click().await;
        browser.history().entry().shown().await;
        let words_of = "e.querySelector('.past-words').firstChild.textContent.trim()";
        let is = |words: &str| format!("all.find(e => {words_of} === {})", json!(words));
        let first = format!("({}[0]?.click(), !!{})", browser.history().more().all(), is("Added 2 to-dos."));
        browser.history().entry().until(&first).await;
        // Every change.
        browser.history().entry().are(85).await;
        let undone = browser.history().entry().whose("state", "undone");
        let undone = undone.now(&format!("all.map(e => {words_of})")).await;
        assert_eq!(undone, json!(["Undone: Added “Repaired by undo and redo”.", "Deleted “Buy milk”."]));
        let piano = browser.history().entry().with("Deleted “Sell the piano”.");
        piano.its(&browser.history().undos()).click().await;
        let mut with_piano = SHOWN.to_vec();
        with_piano.push(("Sell the piano", "open"));
        browser.shows(&with_piano).await;
        browser.close_dialog().await;

        // The copy that was taken then.
        browser.settings().open_at("copies").await;
        it.browser.data().restore_copy().click().await;
        it.browser.data().confirm_copy().click().await;
        let at_the_copy: Vec<_> = SHOWN[..10]
            .iter()
            .map(|(title, status)| (*title, if *title == "Pay the rent" { *status } else { "open" }))
            .collect();
        browser.shows(&at_the_copy).await;
        browser.close_dialog().await;
        // What is written now is there after the next start, beside all of it.
        browser.call("todo_create", &json!({"title": "Of today"}), None).await;
        browser.stop_workers().await;
        browser.reload().await;
        let mut after = at_the_copy.clone();
        after.push(("Of today", "open"));
        browser.shows(&after).await;
        browser.console_is_clean(&[]).await;
    });
}

#[test]
fn the_second_copy_brings_the_todos_back() {
    alone(async || {
        let it = Ground::start("browser.tar.gz").await;
        // A place of the origin without the app.
        it.browser.driver.goto(format!("{}manifest.webmanifest", it.app.url())).await.unwrap();
        let lost = "return await new Promise((done, no) => { const r = indexedDB.deleteDatabase('satchel'); r.onsuccess = () => done(true); r.onerror = () => no(r.error); })";
        assert_eq!(it.browser.eval_async(lost).await, true);
        it.open().await;
        it.browser.shows(&SHOWN).await;
        it.is_as_in("browser.json").await;
    });
}

#[test]
fn conversations_open_and_go_on() {
    alone(async || {
        let it = Ground::start("browser.tar.gz").await;
        it.open().await;
        let browser = &it.browser;
        let title = "all.map(e => e.querySelector('.conversation-title').textContent.trim())";
        let listed = browser.conversations().row().seen().now(title).await;
        let expected = [
            "Shopping", "Plan my week", "Shopping", "Delete the tea", "Delete the plumber", "Plan a dinner",
            "Search the notes for the ferry", "Put the ferry on my list",
        ];
        assert_eq!(listed, json!(expected), "the pinned one first");

        // With the built-in model: every step, the answer that was rated, what it may do here without being asked. So high
        // that all of a conversation is in sight: what is not, is not in the page.
        browser.size(1280, 6_000).await;
        it.conversation("Shopping", false).await;
        let expected = json!([
            ["todo_create", "done"],
            ["todo_create", "done"],
            ["todo_complete", "done"],
            ["user_memory_save", "done"],
            ["user_memory_save", "done"],
            ["todo_delete", "undone"],
            ["todo_undo", "done"],
            ["todo_create", "done"],
        ]);
        let steps = "JSON.stringify(all.map(e => [e.dataset.tool, e.dataset.status]))";
        browser.chat().call().until(&format!("{steps} === {}", json!(expected.to_string()))).await;
        browser.chat().said().are(8).await;
        browser.chat().good().that("[aria-pressed=true]").are(1).await;
        browser.settings().open_at("approvals").await;
        browser.settings().ask_again().shown().await;
        browser.close_dialog().await;

        // With the person's own: a question, a plan, a stop, a failure, a picture; and it goes on with all of that told.
        it.conversation("Put the ferry on my list", false).await;
        for words in [
            "The ferry is on the list.", "Which day? Saturday", "Saturday it is.", "Add tea",
            "Breakfast is planned.", "This goes on and on and", "Stopped", "A blue roof.",
        ] {
            it.says(words).await;
        }
        browser.approvals().plan_step().is("status", "done").await;
        let drawn = "all.some(e => (e.matches('img') ? e : e.querySelector('img'))?.naturalWidth > 0)";
        browser.chat().picture().until(drawn).await;
        it.provider.push([says("It sails on Monday.")]);
        assert!(browser.ask("When does it sail?").await.contains("It sails on Monday."));
        let told = it.provider.requests().pop().unwrap()["messages"].to_string();
        for words in ["Put the ferry on my list", "Saturday", "A blue roof.", "I take my coffee black"] {
            assert!(told.contains(words), "{words}: {told}");
        }
        it.conversation("Search the notes for the ferry", false).await;
        it.says("The notes say nothing.").await;
        assert_eq!(browser.chat().call().now("all[0].dataset.tool").await, "notes__search");

        // What was open is still open, and is answered now.
        it.conversation("Plan a dinner", false).await;
        it.provider.push([says("A table for two.")]);
        it.browser.approvals().option().click().await;
        it.says("A table for two.").await;
        assert!(
            it.provider.requests().pop().unwrap()["messages"].to_string().contains(r#"\"label\":\"Two\""#)
        );
        it.conversation("Delete the plumber", false).await;
        it.provider.push([says("No plumber any more.")]);
        it.browser.approvals().approve().click().await;
        it.says("No plumber any more.").await;
        browser.idle().await;
        let left: Vec<_> = SHOWN.into_iter().filter(|(title, _)| *title != "Call the plumber").collect();
        browser.shows(&left).await;

        // The one that came in by a file is read, and played again; so is the file itself.
        for at in 0..2 {
            if at == 0 {
                it.conversation("Shopping", true).await;
            } else {
                browser.conversations().open_saved(&text_of("run-terminal.json")).await;
                it.says("Feed the cat").await;
            }
            browser.conversations().reading().shown().await;
            it.browser.conversations().replay().click().await;
            browser.conversations().replayed().is("outcome", "same").await;
        }
        browser.console_is_clean(&[]).await;
    });
}

#[test]
fn settings_keys_rules_servers_and_what_waited_open() {
    alone(async || {
        let it = Ground::start("browser.tar.gz").await;
        it.open().await;
        let browser = &it.browser;
        // What waited was sent, once, with the key that only this profile can open, to the model with what it is told.
        let requests = it.provider.requests();
        assert_eq!(requests.len(), 1, "sent once");
        assert_eq!(requests[0]["model"], "m");
        let told = requests[0]["messages"].to_string();
        assert!(told.contains("Plan my week") && told.contains("I take my coffee black"), "{told}");
        assert_eq!(it.provider.authorizations(), [Some("Bearer sk-test-5f1c9e7a2b40d863".to_owned())]);
        assert_eq!(browser.chat().waiting().count().await, 0);
        assert_eq!(it.finds("document.documentElement.dataset.theme").await, "dark");

        browser.settings().open_at("model").await;
        browser.own_model().key_state().is("held", "kept").await;
        let own = format!("http://provider.test:{MODEL}/v1");
        it.hold(&[
            ("model-select", "own"),
            ("own-url", &own),
            ("own-model", "m"),
            ("own-window", "16000"),
            ("tools-use", "automatic"),
        ])
        .await;
        let rooms: [(&str, &[(&str, &str)]); 4] = [
            ("answers", &[("planning", "first"), ("evidence", "mark")]),
            ("roles", &[("role-cheap", "own"), ("role-cheap-own", "small-m")]),
            (
                "approvals",
                &[
                    ("approval-writes", "above-1"),
                    ("approval-todo_update", "never"),
                    ("approval-destructive", "always"),
                ],
            ),
            ("spending", &[("spend-conversation", "5"), ("spend-month", "50"), ("price-output", "1000")]),
        ];
        for (room, fields) in rooms {
            browser.settings().go_to(room).await;
            it.hold(fields).await;
        }
        // What the month had cost, and the answer of now.
        let spent = browser.settings().spent().now("Number(all[0].dataset.microUsd)").await;
        assert_eq!(spent, 458_000 + 30_000, "what was spent is still counted");
        // How another model of that place gets its tools.
        browser.settings().go_to("model").await;
        browser.own_model().name().fill("other").await;
        it.hold(&[("tools-use", "json")]).await;
        browser.own_model().name().fill("m").await;
        browser.settings().go_to("privacy").await;
        assert_eq!(browser.settings().hiding("ask").now("all[0].checked").await, true);

        // Servers elsewhere: what was decided about each tool, one let in by its token and one by a renewed sign-in.
        browser.settings().go_to("servers").await;
        browser.servers().card().until("all.map(e => e.dataset.link).join() === 'on,on'").await;
        let standing = "all.map(e => [e.dataset.tool, e.dataset.standing])";
        assert_eq!(
            browser.servers().tool().now(standing).await,
            json!([["search", "on"], ["send", "off"], ["search", "new"]])
        );
        let trades = it.sign_in.trades();
        assert_eq!((trades.len(), trades[0]["refresh_token"].as_str()), (1, "refresh-0"));
        browser.close_dialog().await;
        it.browser.chat().new_one().click().await;
        it.provider.push([Reply::calls("s1", "notes__search", json!({"for": "ferry"})), says("Found.")]);
        browser.send("Search the notes").await;
        it.browser.approvals().approve().click().await;
        it.says("Found.").await;
        assert_eq!(it.tools.calls("search"), [json!({"for": "ferry"})]);

        // The commands used last come first; single keys are none.
        it.browser.palette().button().click().await;
        let first = "all.slice(0, 2).map(e => e.innerText.split('\\n')[0].toLowerCase()).join()";
        browser.palette().entry().shown().await;
        let first = browser.palette().entry().now(first).await;
        let first = first.as_str().unwrap();
        let (help, history) = (first.find("shortcuts"), first.find("changed"));
        assert!(help.is_some() && help < history, "{first}");
        browser.driver.action_chain().send_keys(thirtyfour::Key::Enter).perform().await.unwrap();
        browser.palette().shortcuts().shown().await;
        assert_eq!(browser.palette().single_keys().now("all[0].checked").await, false);
        browser.console_is_clean(&["401"]).await;
    });
}

#[test]
fn a_key_behind_a_passphrase_opens_with_it() {
    alone(async || {
        let it = Ground::start("browser-passphrase.tar.gz").await;
        let browser = &it.browser;
        browser.open(&it.app.url()).await;
        it.conversation("hello", false).await;
        it.says("Hello from behind the passphrase.").await;
        browser.send("And again").await;
        browser.notes().unlock_field().write("correct horse battery").await;
        it.browser.notes().unlock().click().await;
        it.says("Your week is planned.").await;
        assert_eq!(it.provider.authorizations(), [Some("Bearer sk-test-behind-a-phrase-77".to_owned())]);
        browser.console_is_clean(&[]).await;
    });
}
