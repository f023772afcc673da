//! Pictures in a message, dictation, and answers read aloud (issue 5; S0-63, D-22). Neither a microphone nor a voice is on a test
//! machine, so a stand-in takes the place of the browser's speech before the page starts; pictures are real.

use e2e::{App, Browser, PASTE, Provider, Reply, with_model};
use serde_json::{Value, json};

const DROP: &str = "document.querySelector('[data-testid=\"transcript\"]')
    .dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true, cancelable: true}))";
const CHOOSE: &str = "const file = document.querySelector('[data-testid=\"attach-file\"]');
    file.files = data.files; file.dispatchEvent(new Event('change', {bubbles: true}))";

async fn in_the_tray(browser: &Browser, count: u64) {
    browser.chat().tray().within("img").are(count).await;
}

async fn note(browser: &Browser) -> String {
    browser.chat().note().until("all[0]?.innerText.length > 0").await;
    browser.chat().note().text().await
}

/// The parts of the last message that the provider was sent.
fn parts(provider: &Provider) -> Vec<Value> {
    let request = provider.requests().pop().unwrap();
    let messages = request["messages"].as_array().unwrap().clone();
    let said = messages.iter().rev().find(|message| message["role"] == "user").unwrap();
    said["content"].as_array().cloned().unwrap_or_default()
}

/// The width and height of the JPEGs among them, as the browser decodes them.
async fn sizes(browser: &Browser, parts: &[Value]) -> Value {
    let urls: Vec<&Value> = parts.iter().filter_map(|part| part.pointer("/image_url/url")).collect();
    assert!(urls.iter().all(|url| url.as_str().unwrap().starts_with("data:image/jpeg;base64,/9j/")));
    let script = format!(
        "const sizes = [];
         for (const src of {}) {{
             const image = Object.assign(new Image(), {{src}});
             await image.decode();
             sizes.push([image.naturalWidth, image.naturalHeight]);
         }}
         return sizes",
        json!(urls)
    );
    browser.eval_async(&script).await
}

#[tokio::test]
async fn pictures_are_made_smaller_sent_and_kept() {
    let provider = Provider::start([]).await;
    let (_app, browser) = with_model(&provider, json!({})).await;
    // Pasted, dropped, chosen; one taken out again.
    browser.give(&[(3_136, 100)], PASTE).await;
    in_the_tray(&browser, 1).await;
    browser.give(&[(40, 30)], DROP).await;
    in_the_tray(&browser, 2).await;
    browser.give(&[(50, 50), (60, 60)], CHOOSE).await;
    in_the_tray(&browser, 4).await;
    let leave_out = browser.chat().tray().within("li:nth-child(3) button");
    assert_eq!(leave_out.now("all[0].getAttribute('aria-label')").await, "Leave out roof-50.png");
    leave_out.click().await;
    in_the_tray(&browser, 3).await;
    provider.push([Reply::says("A blue roof.")]);
    browser.send("What is this?").await;
    browser.says("A blue roof.").await;
    browser.idle().await;
    let sent = parts(&provider);
    assert_eq!(sent[0], json!({"type": "text", "text": "What is this?"}));
    assert_eq!(sizes(&browser, &sent).await, json!([[1_568, 50], [40, 30], [60, 60]]));
    in_the_tray(&browser, 0).await;

    // A picture alone is a message; earlier ones are still before the model's eyes.
    browser.give(&[(70, 70)], PASTE).await;
    in_the_tray(&browser, 1).await;
    provider.push([Reply::says("Another one.")]);
    browser.chat().send().click().await;
    browser.says("Another one.").await;
    browser.idle().await;
    assert_eq!(sizes(&browser, &parts(&provider)).await, json!([[70, 70]]));
    let request = provider.requests().pop().unwrap().to_string();
    assert_eq!(request.matches("data:image/jpeg;base64,").count(), 4);

    // They are in the log: a page that comes back shows them, and tells them to the model.
    browser.reload().await;
    let drawn = "all.map((one) => [one.alt, one.naturalWidth]).join()";
    browser.chat().picture().are(4).await;
    assert_eq!(
        browser.chat().picture().now(drawn).await,
        "roof-3136.png,1568,roof-40.png,40,roof-60.png,60,roof-70.png,70"
    );
    provider.push([Reply::says("Four in all.")]);
    browser.send("How many?").await;
    browser.says("Four in all.").await;
    assert_eq!(provider.requests().pop().unwrap().to_string().matches("data:image/jpeg;base64,").count(), 4);
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn what_cannot_be_attached_is_said_and_nothing_is_lost() {
    let provider = Provider::start([]).await;
    let (_app, browser) = with_model(&provider, json!({})).await;
    let text_file = "data.items.add(new File(['hello'], 'notes.txt', {type: 'text/plain'}));";
    browser.give(&[], &format!("{text_file} {DROP}")).await;
    assert_eq!(note(&browser).await, "Only pictures can be attached here.");
    let broken = "data.items.add(new File(['not one'], 'broken.png', {type: 'image/png'}));";
    browser.give(&[], &format!("{broken} {PASTE}")).await;
    browser.chat().note().says("cannot read").await;
    // Words that come with a picture are what is meant.
    browser.give(&[(40, 40)], &format!("data.setData('text/plain', 'Table 1'); {PASTE}")).await;
    browser.give(&[(20, 20); 6], PASTE).await;
    in_the_tray(&browser, 5).await;
    assert_eq!(note(&browser).await, "A message takes at most 5 pictures.");

    // The model is changed for one that sees nothing: the message stays, with its words and its pictures.
    browser.choose_model("builtin").await;
    assert_eq!(browser.chat().attach().count().await, 0);
    browser.send("What are these?").await;
    assert!(note(&browser).await.starts_with("This model cannot see pictures."));
    in_the_tray(&browser, 5).await;
    assert_eq!(browser.chat().field().value().await, "What are these?");
    assert!(provider.requests().is_empty());

    // Behind a setting.
    browser.choose_model("own").await;
    browser.chat().attach().shown().await;
    browser.settings().open_at("voice").await;
    browser.settings().pictures().click().await;
    browser.close_dialog().await;
    browser.chat().attach().gone().await;
    browser.give(&[(40, 40)], PASTE).await;
    assert_eq!(note(&browser).await, "Pictures are switched off in the settings.");
    browser.console_is_clean(&[]).await;
}

/// A microphone that hears what the test says, and a voice that notes what it reads.
const SPEECH: &str = r"
    window.heard = null;
    window.read = [];
    class Recognition extends EventTarget {
        static async available({langs, processLocally}) { return processLocally && langs.length ? 'available' : 'unavailable'; }
        start() {
            if (window.denied) {
                setTimeout(() => { this.onerror({error: 'not-allowed'}); this.onend({}); });
                return;
            }
            window.heard = this;
        }
        stop() { this.onend?.({}); }
        abort() { window.heard = null; }
    }
    window.SpeechRecognition = Recognition;
    window.hears = (...pieces) => heard.onresult({resultIndex: 0, results: pieces.map((transcript) => Object.assign([{transcript}], {isFinal: true}))});
    speechSynthesis.speak = (utterance) => { read.push(utterance); };
    speechSynthesis.cancel = () => { read.push('hush'); };
";

#[tokio::test]
async fn a_message_is_dictated_and_an_answer_read_aloud() {
    let provider = Provider::start([]).await;
    let (_app, browser) = with_model(&provider, json!({})).await;
    browser.prepare(SPEECH).await;
    browser.reload().await;
    // Nothing listens and nothing speaks unless somebody wants it.
    assert_eq!(browser.chat().dictate().count().await, 0);
    browser.settings().open_at("voice").await;
    browser.settings().dictation().click().await;
    browser.conversations().reading().choose("asked").await;
    browser.close_dialog().await;

    browser.chat().field().set("Please").await;
    browser.chat().dictate().click().await;
    browser.until("it listens", "return !!heard").await;
    assert_eq!(
        browser.eval("return [heard.processLocally, heard.continuous, heard.interimResults]").await,
        json!([true, true, true])
    );
    browser.eval("hears('add'); hears('add milk', ' and eggs')").await;
    browser.chat().field().holds("Please add milk and eggs").await;
    provider.push([Reply::says("# Done\n\nI added **milk**.\n\n- and eggs")]);
    browser.chat().send().click().await;
    browser.until("nobody listens", "return heard === null").await;
    browser.says("I added milk.").await;
    assert_eq!(browser.chat().field().value().await, "");
    browser.idle().await;
    let said =
        provider.requests().pop().unwrap()["messages"].as_array().unwrap().last().unwrap()["content"].clone();
    assert_eq!(said, "Please add milk and eggs");

    // Read line by line, without the marks; the same button ends it.
    let pressed = |pressed: &str| browser.chat().read_aloud().that(&format!("[aria-pressed={pressed}]"));
    let read = "return window.read.filter((one) => one !== 'hush').map((one) => one.text)";
    browser.eval("window.read = []").await;
    browser.chat().read_aloud().click().await;
    assert_eq!(browser.eval(read).await, json!(["Done", "I added milk.", "and eggs"]));
    pressed("true").shown().await;
    browser.chat().read_aloud().click().await;
    assert_eq!(browser.eval("return read.at(-1)").await, "hush");
    browser.chat().read_aloud().click().await;
    browser.eval("read.at(-1).onend({})").await;
    pressed("false").shown().await;

    // Every new answer by itself, and none of those that a reload brings back.
    browser.settings().open_at("voice").await;
    browser.conversations().reading().choose("always").await;
    browser.close_dialog().await;
    browser.reload().await;
    browser.chat().read_aloud().shown().await;
    assert_eq!(browser.eval(read).await, json!([]));
    provider.push([Reply::says("You are welcome.")]);
    browser.send("Thanks").await;
    browser.until("it is read", "return window.read.some((one) => one.text === 'You are welcome.')").await;

    // Where nobody can speak, it is over as well; and it ends with the conversation.
    browser.chat().read_aloud().click().await;
    pressed("true").shown().await;
    browser.eval("read.at(-1).onerror({error: 'synthesis-failed'})").await;
    pressed("false").shown().await;
    browser.chat().read_aloud().click().await;
    pressed("true").shown().await;
    browser.chat().new_one().click().await;
    browser.until("nobody reads", "return read.at(-1) === 'hush'").await;

    // Nobody listens in another conversation, nor where it was switched off in the middle.
    browser.chat().dictate().click().await;
    browser.until("it listens", "return !!heard").await;
    browser.conversations().row().click().await;
    browser.until("nobody listens", "return heard === null").await;
    browser.chat().dictate().click().await;
    browser.until("it listens", "return !!heard").await;
    browser.settings().open_at("voice").await;
    browser.settings().dictation().click().await;
    browser.until("nobody listens", "return heard === null").await;
    browser.settings().dictation().click().await;
    browser.close_dialog().await;

    // The same button ends listening.
    browser.chat().dictate().click().await;
    browser.until("it listens", "return !!heard").await;
    browser.chat().dictate().click().await;
    browser.until("nobody listens", "return heard === null").await;
    // A microphone that may not be used.
    browser.eval("window.denied = true").await;
    browser.chat().dictate().click().await;
    assert!(note(&browser).await.starts_with("The page may not use the microphone."));
    browser.chat().dictate().that("[aria-pressed=false]").shown().await;
    browser.console_is_clean(&[]).await;
}

/// A picture that is still being made smaller goes with its own message; two drops at once stay within what one message takes.
#[tokio::test]
async fn a_message_waits_for_its_pictures() {
    let provider = Provider::start([]).await;
    let (_app, browser) = with_model(&provider, json!({})).await;
    browser
        .eval(
            "const make = window.createImageBitmap.bind(window); window.waiting = [];
             window.createImageBitmap = async (...all) => { await new Promise((done) => window.waiting.push(done)); return make(...all); };",
        )
        .await;
    let go_on = "window.waiting.splice(0).forEach((done) => done())";
    browser.give(&[(40, 30)], DROP).await;
    browser.send("What is this?").await;
    assert!(note(&browser).await.contains("still being prepared"));
    assert_eq!(provider.requests().len(), 0, "nothing was sent without it");
    assert_eq!(browser.chat().field().value().await, "What is this?");
    browser.eval(go_on).await;
    in_the_tray(&browser, 1).await;
    provider.push([Reply::says("A roof.")]);
    browser.chat().send().click().await;
    browser.says("A roof.").await;
    browser.idle().await;
    assert_eq!(sizes(&browser, &parts(&provider)).await, json!([[40, 30]]));

    // Three and three, none of them there yet when the second come: five are taken.
    let three = [(41, 30), (42, 30), (43, 30)];
    browser.give(&three, DROP).await;
    browser.give(&three, DROP).await;
    assert!(note(&browser).await.contains('5'));
    browser
        .until(
            "all are there",
            &format!("{go_on}; return document.querySelectorAll('[data-testid=\"tray\"] img').length === 5"),
        )
        .await;
    browser.console_is_clean(&[]).await;
}

/// A picture that is still being made smaller stays in the conversation it was dropped into.
#[tokio::test]
async fn a_picture_stays_in_the_conversation_it_was_put_into() {
    let provider = Provider::start([]).await;
    let (_app, browser) = with_model(&provider, json!({})).await;
    provider.push([Reply::says("Show me.")]);
    browser.ask("I have a roof").await;
    browser
        .eval(
            "const make = window.createImageBitmap.bind(window);
             window.createImageBitmap = async (...all) => {
                 await new Promise((done) => { window.letGo = done; });
                 return make(...all);
             };",
        )
        .await;
    browser.give(&[(40, 30)], PASTE).await;
    browser.until("it is being made smaller", "return !!window.letGo").await;
    browser.chat().new_one().click().await;
    browser.chat().message().are(0).await;
    browser.eval("window.letGo()").await;
    // What is said here waits for no picture and takes none along.
    provider.push([Reply::says("Hello.")]);
    browser.ask("Good morning").await;
    assert!(!provider.requests().pop().unwrap().to_string().contains("data:image/jpeg"));
    in_the_tray(&browser, 0).await;
    browser.conversations().row().last().click().await;
    in_the_tray(&browser, 1).await;
    provider.push([Reply::says("A blue roof.")]);
    browser.ask("What is this?").await;
    assert_eq!(sizes(&browser, &parts(&provider)).await, json!([[40, 30]]));
    browser.console_is_clean(&[]).await;
}

/// An answer that is to be read aloud goes from the page before its turn comes: the next message was waiting for it.
#[tokio::test]
async fn an_answer_that_is_gone_before_it_is_read_ends_nothing() {
    let app = App::start();
    let browser = Browser::start().await;
    // Frames come late, as on a page that is busy.
    let late = "const frame = window.requestAnimationFrame.bind(window);
        window.requestAnimationFrame = (f) => window.isLate ? setTimeout(() => frame(f), 300) : frame(f);";
    browser.prepare(&format!("{SPEECH} {late}")).await;
    browser.open(&app.url()).await;
    browser.call("todo_create", &json!({"items": [{"title": "Apples"}, {"title": "Bread"}]}), None).await;
    browser.settings().open_at("voice").await;
    browser.conversations().reading().choose("always").await;
    browser.close_dialog().await;
    browser.send("Delete apples").await;
    browser.approvals().card().shown().await;
    browser.eval("window.isLate = true").await;
    // It declines, and is said as soon as that is answered: the answer is there for less than two frames.
    browser.send("no, complete bread").await;
    browser.chat().field().holds("").await;
    browser.idle().await;
    browser
        .until("the second answer is read", "return window.read.some((one) => one.text?.includes('Bread'))")
        .await;
    browser.shows(&[("Apples", "open"), ("Bread", "done")]).await;
    browser.ask("Show my to-dos").await;
    browser.console_is_clean(&[]).await;
}
