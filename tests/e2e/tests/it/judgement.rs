//! What a model asks, plans and says: questions that are answered with a tap, plans that are changed and approved before anything
//! is done, answers held to what the tools said, and long results read by pages (issue 5; S0-58, S1-27, S4-17, D-03).

use e2e::{Provider, Reply, with_model};
use serde_json::{Value, json};

fn calls(id: &str, name: &str, arguments: Value) -> Reply {
    Reply::calls(id, name, arguments)
}

fn says(text: &str) -> Reply {
    Reply::says(text)
}

/// The last tool result that the provider was sent.
fn told(provider: &Provider) -> String {
    let request = provider.requests().pop().unwrap();
    let messages = request["messages"].as_array().unwrap().clone();
    let result = messages.iter().rev().find(|message| message["role"] == "tool").unwrap();
    result["content"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_question_is_answered_with_one_tap_in_words_or_in_a_form() {
    let provider = Provider::start([]).await;
    let (_app, browser) = with_model(&provider, json!({})).await;
    let which = json!({"questions": [{"question": "Which day?", "type": "single_choice", "options": [
        {"id": "sat", "label": "Saturday", "description": "the market is open"}, {"id": "sun", "label": "Sunday"}]}]});
    provider.push([calls("q1", "ask_person", which.clone()), says("Saturday it is.")]);
    browser.send("Plan my shopping").await;
    browser.approvals().question().shown().await;
    assert!(browser.approvals().question().text().await.contains("the market is open"));
    browser.approvals().option().click().await;
    browser.says("Saturday it is.").await;
    browser.idle().await;
    assert!(told(&provider).contains(r#"{"answers":{"q1":{"id":"sat","label":"Saturday"}}}"#));
    assert_eq!(browser.approvals().answer().texts().await, ["Saturday"]);

    // The same in words, in the message field; and something else is said when the run has ended.
    provider.push([calls("q2", "ask_person", which.clone()), says("Sunday then.")]);
    browser.send("Again").await;
    browser.approvals().question().is("status", "done").await;
    browser.find("[data-status=awaiting]").shown().await;
    browser.send("sunday").await;
    browser.says("Sunday then.").await;
    browser.idle().await;
    assert!(told(&provider).contains(r#""label":"Sunday""#));
    provider.push([calls("q3", "ask_person", which), says("As you like."), says("Hello to you.")]);
    browser.send("Once more").await;
    browser.find("[data-status=awaiting]").shown().await;
    browser.send("hello").await;
    browser.says("Hello to you.").await;
    browser.idle().await;

    // Several at once are a form; what is missing is said, and nothing is lost by a reload in between.
    let form = json!({"questions": [
        {"id": "days", "question": "When?", "type": "date_range"},
        {"id": "who", "question": "Who comes?", "type": "multiple_choice", "options": [{"id": "a", "label": "Anna"}, {"id": "b", "label": "Ben"}]},
        {"id": "how", "question": "How sure are you?", "type": "scale", "max": 3},
        {"id": "fee", "question": "What may it cost?", "type": "text", "validation": {"format": "number", "max": 500},
            "context": "You paid 400 last time.", "image_url": "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"},
        {"id": "more", "question": "Anything else?", "type": "text", "optional": true}]});
    provider.push([calls("q4", "ask_person", form), says("All noted.")]);
    browser.send("Plan a trip").await;
    browser.approvals().send().shown().await;
    browser.reload().await;
    browser.approvals().send().shown().await;
    browser.approvals().from().set("2026-12-05").await;
    browser.approvals().to().set("2026-12-07").await;
    browser.approvals().send().click().await;
    browser.says("Please answer: Who comes?").await;
    for at in [1, 0, 4] {
        browser.approvals().option().nth(at).click().await;
    }
    assert_eq!(browser.approvals().why().texts().await, ["You paid 400 last time."]);
    browser.approvals().picture().are(1).await;
    browser.approvals().words().nth(0).set("900").await;
    browser.approvals().send().click().await;
    browser.says("At most 500, please: What may it cost?").await;
    browser.approvals().words().nth(0).set("450,5").await;
    browser.approvals().send().click().await;
    browser.says("All noted.").await;
    browser.idle().await;
    let answers = told(&provider);
    for words in [
        r#""from":"2026-12-05","to":"2026-12-07""#,
        r#"[{"id":"b","label":"Ben"},{"id":"a","label":"Anna"}]"#,
        r#""how":3"#,
        r#""fee":450.5"#,
    ] {
        assert!(answers.contains(words), "{words}: {answers}");
    }
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn a_plan_is_changed_and_approved_before_anything_is_done() {
    let provider = Provider::start([]).await;
    let (_app, browser) = with_model(&provider, json!({"planning": "first"})).await;
    let plan = json!({"goal": "Everything for breakfast", "confidence": 0.9, "steps": [
        {"title": "Add milk", "tool": "todo_create"}, {"title": "Add coal", "tool": "todo_create"}]});
    provider.push([
        calls("c1", "todo_create", json!({"title": "Milk"})),
        calls("c2", "plan_propose", plan),
        calls("c3", "todo_create", json!({"title": "Milk"})),
        calls("c4", "plan_update", json!({"step": 2, "status": "skipped"})),
        says("Done."),
    ]);
    browser.send("Get breakfast ready").await;
    browser.approvals().plan_approve().shown().await;
    assert!(told(&provider).contains("Call plan_propose"), "{}", told(&provider));
    assert!(browser.todos().await.is_empty(), "nothing is done before the plan is approved");
    assert!(browser.approvals().plan().text().await.contains("90 % sure"));
    // The person takes a step out and adds another.
    browser.approvals().plan_remove().nth(1).click().await;
    browser.approvals().plan_add().click().await;
    browser.approvals().plan_edit().that("li:nth-child(2) > *").set("Add tea").await;
    browser.approvals().plan_approve().click().await;
    browser.says("Done.").await;
    browser.idle().await;
    let all = provider.requests().pop().unwrap()["messages"].to_string();
    assert!(
        all.contains("approved the plan with changes")
            && all.contains("2. [open] Add tea")
            && !all.contains("[open] Add coal"),
        "{all}"
    );
    browser.shows(&[("Milk", "open")]).await;
    let step = "all.map(step => step.innerText.trim() + ' ' + step.dataset.status)";
    let steps = browser.approvals().plan_step().now(step).await;
    assert_eq!(steps, json!(["Add milk done", "Add tea skipped"]));
    // Declined, nothing is done.
    provider.push([
        calls(
            "c5",
            "plan_propose",
            json!({"steps": [{"title": "Delete everything", "tool": "todo_delete"}]}),
        ),
        says("Then not."),
    ]);
    browser.send("Now clean up").await;
    browser.approvals().plan_decline().shown().await;
    browser.approvals().plan_decline().click().await;
    browser.says("Then not.").await;
    browser.idle().await;
    browser.shows(&[("Milk", "open")]).await;
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn what_no_result_supports_is_marked_or_sent_back() {
    let provider = Provider::start([]).await;
    let (_app, browser) = with_model(&provider, json!({})).await;
    provider.push([
        calls("c1", "todo_create", json!({"title": "Milk"})),
        calls("c2", "todo_list", json!({})),
        says("You have **17 to-dos** [todo_list:c2]; *Milk* is one of them [todo_list:c2]."),
    ]);
    browser.ask("Add milk and count").await;
    let marked = browser.find("mark.doubt").texts().await.join("\n");
    assert!(marked.contains("17") && !marked.contains("Milk"), "{marked}");
    assert!(browser.chat().doubts().text().await.contains("not in the tools’ results"));
    // The citation is a number that leads to its call.
    assert_eq!(browser.chat().citation().texts().await, ["1", "1"]);
    browser.chat().citation().click().await;
    let focused = browser.eval("return document.activeElement.id").await;
    assert_eq!(focused, json!("call-c2"));
    let system = provider.requests().pop().unwrap()["messages"][0].to_string();
    assert!(system.contains("cite its call as [tool:call]"), "{system}");

    // Sent back: the person reads the second answer only.
    browser.settings().open_at("answers").await;
    browser.settings().evidence().choose("repair").await;
    browser.close_dialog().await;
    provider.push([
        calls("c3", "todo_list", json!({})),
        says("You have 23 to-dos [todo_list:c3]."),
        says("You have 1 to-do [todo_list:c3]."),
    ]);
    let answer = browser.ask("Count again").await;
    assert!(answer.contains("You have 1 to-do") && !answer.contains("23"), "{answer}");
    let messages = provider.requests().pop().unwrap()["messages"].clone();
    let last = messages.as_array().unwrap().last().unwrap().clone();
    assert!(last["role"] == "user" && last["content"].as_str().unwrap().contains("23"), "{last}");
    // Only the first answer is marked.
    browser.chat().doubts().are(1).await;
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn a_long_result_is_read_by_pages() {
    let provider = Provider::start([]).await;
    let (_app, browser) = with_model(&provider, json!({})).await;
    for n in 0..60 {
        browser
            .call(
                "todo_create",
                &json!({"title": format!("Number {n:02} of many things to do")}),
                Some(&format!("k{n}")),
            )
            .await;
    }
    provider.push([calls("c1", "todo_list", json!({"limit": 60}))]);
    provider.push([Reply::plain(500, "text/plain", "later").header("x-should-retry", "false")]);
    browser.send("List them all").await;
    browser.chat().calls_of("todo_list").whose("status", "done").shown().await;
    browser.idle().await;
    let short = told(&provider);
    let reference =
        short.split_whitespace().find(|word| word.starts_with("mem://todo_list/")).unwrap().to_owned();
    assert!(short.contains("Summary: ") && short.len() < 2_500 && !short.contains("Number 30"), "{short}");
    provider.push([
        calls("c2", "memory_read", json!({"ref": reference, "from": 30, "count": 2})),
        says("The thirty-first is number 30."),
    ]);
    let tools = provider.requests().pop().unwrap()["tools"].to_string();
    assert!(tools.contains("memory_read") && tools.contains("memory_list"), "{tools}");
    browser.ask("Which is the thirty-first?").await;
    let page = told(&provider);
    assert!(page.contains("\"next\":32") && page.contains("\"total\":60"), "{page}");
    browser.console_is_clean(&["500"]).await;
}

#[tokio::test]
async fn a_conversation_has_a_kind_and_an_answer_is_asked_for_again() {
    let provider = Provider::start([]).await;
    let (_app, browser) = with_model(&provider, json!({})).await;
    browser.chat().template().last().click().await;
    browser.chat().template().last().that("[aria-pressed=true]").shown().await;
    provider.push([says("Here is what is found.")]);
    browser.ask("What do I have to do?").await;
    let request = provider.requests().pop().unwrap();
    let system = request["messages"][0]["content"].as_str().unwrap().to_owned();
    assert_eq!(system.matches("you gather what is known about a question").count(), 1, "{system}");
    assert!(request["tools"].to_string().contains("plan_propose"));
    // Its kind is the conversation's own, also after a reload, and is told once.
    browser.reload().await;
    provider.push([says("Briefly: nothing.")]);
    browser.chat().refine().click().await;
    browser.says("Briefly: nothing.").await;
    browser.idle().await;
    let request = provider.requests().pop().unwrap();
    let messages = request["messages"].as_array().unwrap();
    let asked = messages.last().unwrap()["content"].as_str().unwrap();
    assert_eq!(asked, "About your last answer: shorter\n\nAdjust your approach, and answer again.");
    let system = messages[0]["content"].as_str().unwrap();
    assert_eq!(system.matches("you gather what is known about a question").count(), 1, "{system}");
    browser.chat().said().says("Answer again: shorter").await;
    // The next conversation is an ordinary one.
    browser.chat().new_one().click().await;
    provider.push([says("Hello.")]);
    browser.ask("Hello").await;
    let request = provider.requests().pop().unwrap();
    assert!(!request["messages"][0].to_string().contains("you gather what is known"));
    browser.console_is_clean(&[]).await;
}
