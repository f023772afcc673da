//! A model's stream that breaks in the middle of an answer: by the provider, by the gateway, by a worker that is
//! stopped, with the network gone at the same time. What was said so far stays, the turn is marked as interrupted,
//! trying again ends it, no call runs twice, and the tools work all along (T4, T7).

use e2e::{App, Chromium, Provider, Reply, Tab, exactly_once, sse, the_app_of};
use serde_json::json;

/// An answer, and as much of it as comes before the break.
const ANSWER: &str = "Both are added to your list, and here is the second half of it.";
const HALF: &str = "Both are added to your list,";

/// The first step of a run: two to-dos.
fn two_calls(name: &str) -> Reply {
    let titles = two_titles(name);
    Reply::stream(
        &sse::calls(&[
            ("call_a", "todo_create", json!({"title": titles[0]})),
            ("call_b", "todo_create", json!({"title": titles[1]})),
        ]),
        40,
    )
}

fn two_titles(name: &str) -> [String; 2] {
    [format!("{name} a"), format!("{name} b")]
}

/// Where in the answer's stream the first words end that are still to come through.
fn half_of(stream: &str) -> usize {
    let last_word = HALF.split(' ').next_back().unwrap();
    let delta = stream.find(&format!(r#""content":"{last_word} ""#)).unwrap();
    delta + stream[delta..].find("\n\n").unwrap() + 2
}

/// The answer's first half, then silence until the provider breaks it.
fn held() -> Reply {
    let stream = sse::text(ANSWER);
    Reply::stream(&stream, 30).held_after(half_of(&stream))
}

/// A shorter piece of the answer, then the break: what a second attempt gets.
fn shorter() -> Reply {
    let stream = sse::text(ANSWER);
    Reply::stream(&stream, 30).cut_after(half_of(&stream) / 2)
}

fn whole() -> Reply {
    Reply::stream(&sse::text(ANSWER), 30)
}

/// A tab whose model is this provider, through the gateway or straight.
struct Conversation {
    tab: Tab,
    provider: Provider,
    /// The titles of all to-dos that were asked for, by the model or by hand.
    asked: Vec<String>,
}

impl Conversation {
    /// Says something that becomes two to-dos and half an answer, and waits until both are there.
    async fn until_half(&mut self, name: &str) {
        self.provider.answer_by_step([two_calls(name), held()]);
        self.tab.say(name).await;
        self.asked.extend(two_titles(name));
        self.tab.chat().answers().with(HALF).are(1).await;
        self.tab.chat().is_busy().await;
    }

    /// From now on a second attempt breaks too, and earlier.
    fn attempts_break(&self, name: &str) {
        self.provider.answer_by_step([two_calls(name), shorter()]);
    }

    /// The turn is marked as interrupted, in words, with what it did and its half answer; so it is after a reload.
    async fn is_interrupted(&self, app: &App) {
        for reload in [false, true] {
            if reload {
                self.tab.goto(&app.url()).await;
                self.tab.ready().await;
            }
            self.tab.chat().error().its(&self.tab.chat().retry()).shown().await;
            self.tab.idle().await;
            self.tab.chat().answers().with(HALF).are(1).await;
        }
        let note = self.tab.chat().error().text().await;
        assert!(note.contains("Done before that: Added"), "what was done is said: {note}");
    }

    /// Adds one by hand, through the page's own door.
    async fn by_hand(&mut self, title: &str) {
        self.tab.add(title).await;
        self.asked.push(title.to_owned());
        self.tab.shows(self.asked.len() as u64).await;
    }

    /// Tries again, which ends the turn: one whole answer in place of the half, asked for with the results of before.
    async fn retried(&self, name: &str) {
        self.provider.answer_by_step([two_calls(name), whole()]);
        let before = self.provider.requests().len();
        self.tab.chat().retry().click().await;
        self.tab.chat().answers().with("the second half of it.").are(1).await;
        self.tab.idle().await;
        self.tab.chat().answers().with(HALF).are(1).await;
        let requests = self.provider.requests();
        assert_eq!(requests.len(), before + 1, "one request ends it");
        let last = requests.last().unwrap()["messages"].as_array().unwrap().last().cloned().unwrap();
        assert_eq!(last["role"], "tool", "the results of before are told, not asked for again: {last}");
    }

    /// A new conversation, so that the next break is told apart from this one.
    async fn next(&self) {
        self.tab.chat().new_one().click().await;
        self.tab.chat().message().gone().await;
    }

    async fn ends(&self, what: &str) {
        exactly_once(what, &self.asked, &self.asked, &self.tab.titles().await);
    }
}

/// The app with a model behind the gateway.
async fn behind_the_gateway() -> (App, Chromium, Conversation) {
    let provider = Provider::start([]).await;
    let (app, browser, tab) = the_app_of(App::start_before(&provider)).await;
    tab.choose_model("gateway:test/m").await;
    (app, browser, Conversation { tab, provider, asked: vec![] })
}

#[tokio::test]
async fn a_stream_cut_by_the_provider_or_the_gateway_keeps_what_it_said_and_is_tried_again() {
    let (mut app, _browser, mut it) = behind_the_gateway().await;

    // The provider breaks it, and both attempts that follow by themselves.
    it.until_half("provider").await;
    it.attempts_break("provider");
    it.provider.cut();
    it.tab.find(".retrying").shown().await;
    it.tab.chat().answers().says("Both are added").await;
    it.is_interrupted(&app).await;
    it.by_hand("by hand after the provider").await;
    it.retried("provider").await;
    it.next().await;

    // The gateway goes down in the middle. The app is there without it, and so are its tools.
    it.until_half("gateway").await;
    app.kill();
    it.is_interrupted(&app).await;
    it.by_hand("by hand without a gateway").await;
    app.restart();
    it.retried("gateway").await;
    it.ends("cut by provider and gateway").await;
    it.tab.console_is_clean(&[
        "ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONNECTION_REFUSED", "ERR_CONNECTION_RESET",
    ]);
}

#[tokio::test]
async fn stopping_workers_does_not_cut_a_stream() {
    let (_app, browser, mut it) = behind_the_gateway().await;
    let slow = Reply::stream(&sse::text(ANSWER), 40).slow(25);
    it.provider.answer_by_step([two_calls("stopped"), slow]);
    it.tab.say("stopped").await;
    it.asked.extend(two_titles("stopped"));
    it.tab.chat().answers().with("Both").are(1).await;
    let (mut stops, before) = (0, browser.worker_ends());
    while it.tab.chat().transcript().whose("busy", "true").is_there().await {
        // There is none to stop before somebody calls a tool.
        it.tab.titles().await;
        it.tab.stop_workers().await;
        stops += 1;
    }
    it.tab.chat().answers().with(ANSWER).are(1).await;
    assert!(stops >= 3, "workers were stopped in the middle of the stream: {stops}");
    let ended = browser.worker_ends() - before;
    assert!(ended >= 3, "workers ended in the middle of the stream: {ended}");
    assert_eq!(it.provider.requests().len(), 2, "nothing was asked for again");
    println!("{stops} stops in one stream, of which {ended} ended a worker");
    it.ends("workers stopped in mid-stream").await;
    it.tab.console_is_clean(&[]);
}

/// The app with a model that is not on this machine, as far as the page can tell, and reached straight.
async fn with_own_model() -> (App, Chromium, Conversation) {
    let provider = Provider::start([]).await;
    let url = provider.base_url().replace("127.0.0.1", "provider.test");
    let app = App::start_with(&format!("connect_origins = [\"{}\"]\n", url.trim_end_matches("/v1")));
    let browser = Chromium::start().await;
    let tab = browser.tab(&app.url()).await;
    tab.ready().await;
    let settings = json!({"model": "own", "own": {"url": url, "model": "m"}});
    tab.has_settings(&settings).await;
    tab.goto(&app.url()).await;
    tab.ready().await;
    (app, browser, Conversation { tab, provider, asked: vec![] })
}

#[tokio::test]
async fn a_stream_cut_while_the_network_goes_is_tried_again_when_it_is_back() {
    let (app, _browser, mut it) = with_own_model().await;
    it.until_half("offline").await;
    it.tab.network(false).await;
    it.tab.chat().is_busy().await;
    it.provider.cut();
    it.is_interrupted(&app).await;
    assert_eq!(it.provider.requests().len(), 2, "nothing left the machine");

    // Without a network: by hand, and as any client would call.
    it.by_hand("by hand offline").await;
    let reply = it.tab.call("todo_create", &json!({"title": "called offline"}), Some("offline")).await;
    assert!(reply["result"]["structuredContent"].is_object(), "{reply}");
    it.asked.push("called offline".to_owned());
    it.ends("offline").await;

    it.tab.network(true).await;
    it.retried("offline").await;
    it.ends("back online").await;
    let calls = it.tab.chat().call().now("all.map(call => call.dataset.status)").await;
    assert_eq!(calls, json!(["done", "done"]), "two calls, each once");
    it.tab.console_is_clean(&["ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_INTERNET_DISCONNECTED"]);
}
