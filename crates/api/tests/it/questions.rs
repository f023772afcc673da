//! What a session asks, and the answers.

use serde_json::{Value, json};

use crate::client::{last, names};
use crate::scripted::{Scripted, Step, last_message};
use crate::server::{Server, options, remote, titles};

fn answer(call_id: &Value, answers: Value) -> Option<Value> {
    Some(json!({"callId": call_id, "answers": answers}))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_asks_and_is_answered_over_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let model = Scripted::start(|_, request| {
        let (role, said) = last_message(request);
        match role.as_str() {
            "user" => Step::call(
                "",
                "ask_person",
                json!({"questions": [
                    {"id": "milk", "question": "Which milk?", "type": "single_choice",
                        "options": [{"id": "oat", "label": "Oat milk"}, {"id": "cow", "label": "Cow milk"}]},
                    {"id": "much", "question": "How much?", "type": "scale", "min": 1, "max": 9}]}),
            ),
            _ if said.contains("Oat milk") => Step::say("Oat milk it is."),
            _ => Step::say("Never mind."),
        }
    })
    .await;
    let mut server = Server::start(options(folder.path(), remote(&model.url))).await;
    let session = server.anna().session().await;
    let named = [("session", session.as_str())];
    let keyed = [named[0], ("Idempotency-Key", "k")];
    let message = Some(json!({"text": "get milk"}));
    let mut stream = server.anna().stream("sendMessage", &keyed, message.clone()).await.unwrap();
    let asked = stream.until("structured_questions").await;
    assert_eq!(names(&asked), ["tool_call", "structured_questions"]);
    let questions = &asked[1].data;
    assert_eq!(
        (&questions["kind"], &questions["questions"][0]["options"][0]["label"]),
        (&json!("questions"), &json!("Oat milk"))
    );
    drop(stream);
    // The process ends, and the next one still waits.
    server.stop().await;
    server = Server::start(options(folder.path(), remote(&model.url))).await;
    let anna = server.anna();
    let detail = anna.call("getSession", &named, None).await.body;
    assert_eq!((&detail["status"], &detail["questions"][0]), (&json!("waiting"), questions));
    let busy = anna.refused(&session, "other", "hello?").await;
    assert!(busy.status == 409 && busy.body["detail"].as_str().unwrap().contains("/answers"), "{busy:?}");
    let id = &questions["callId"];
    for (body, status, code) in [
        (answer(id, json!({"milk": "goat", "much": 3})), 422, "invalid_answer"),
        (answer(id, json!({"milk": "oat"})), 422, "invalid_answer"),
        (answer(&json!("nothing"), json!({"milk": "oat", "much": 3})), 404, "question_not_found"),
    ] {
        let refused = anna.call("answerQuestions", &named, body).await;
        assert_eq!((refused.status, refused.code()), (status, code));
    }
    let mut stream = anna.stream("sendMessage", &keyed, message).await.unwrap();
    assert_eq!(stream.until("structured_questions").await, asked, "the same events with the same ids");
    let good = answer(id, json!({"milk": "oat", "much": 3}));
    assert_eq!(anna.call("answerQuestions", &named, good.clone()).await.status, 200);
    let rest = stream.all().await;
    assert_eq!(names(&rest), ["tool_result", "text", "done"]);
    assert_eq!(last(&rest).data["message"], "Oat milk it is.");
    let again = anna.call("answerQuestions", &named, good).await;
    assert_eq!((again.status, again.code()), (404, "question_not_found"));
    // One that is declined goes on without.
    let keyed = [named[0], ("Idempotency-Key", "l")];
    let mut stream = anna.stream("sendMessage", &keyed, Some(json!({"text": "get milk"}))).await.unwrap();
    let asked = stream.until("structured_questions").await;
    let decline = json!({"callId": last_id(&asked), "decline": true});
    assert_eq!(anna.call("answerQuestions", &named, Some(decline)).await.status, 200);
    assert_eq!(last(&stream.all().await).data["message"], "Never mind.");
    server.stop().await;
}

fn last_id(asked: &[crate::client::Event]) -> Value {
    asked.last().unwrap().data["callId"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_destroys_asks_first_and_says_what_it_would_do() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::built_in(folder.path()).await;
    let anna = server.anna();
    let session = anna.session().await;
    let named = [("session", session.as_str())];
    anna.say(&session, "a", "add milk, bread").await;
    for (key, yes, error) in [("no", "no", true), ("yes", "yes", false)] {
        let (stream, asked) = anna.delete(&session, key, "milk").await;
        let question = &asked.last().unwrap().data;
        assert_eq!(question["kind"], "approval");
        assert_eq!(question["preview"], "This would delete 1 to-do:\n- Milk", "{question}");
        let choices: Vec<_> = question["questions"][0]["options"]
            .as_array()
            .unwrap()
            .iter()
            .map(|option| option["id"].as_str().unwrap())
            .collect();
        assert_eq!(choices, ["yes", "all", "no"]);
        let wrong =
            anna.call("answerQuestions", &named, answer(&last_id(&asked), json!({"approve": "maybe"}))).await;
        assert_eq!((wrong.status, wrong.code()), (422, "invalid_answer"));
        let taken =
            anna.call("answerQuestions", &named, answer(&last_id(&asked), json!({"approve": yes}))).await;
        assert_eq!(taken.status, 200);
        let rest = stream.all().await;
        let result = rest.iter().find(|event| event.name == "tool_result").unwrap();
        assert_eq!(result.data["isError"], error, "{rest:?}");
        // Read again from the log it is the same.
        let again = anna.say(&session, key, "delete milk").await;
        assert_eq!(again, [asked, rest].concat());
    }
    server.stop().await;
    assert_eq!(titles(folder.path(), "anna").await, ["Bread"]);
}

/// S4-27: what nobody uses is on disk only, also while it waits for somebody, and goes on when they come.
#[tokio::test(flavor = "multi_thread")]
async fn a_question_outlives_its_session_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    let limits = api::Limits { memory: std::time::Duration::ZERO, ..api::Limits::default() };
    let with = || api::Options { limits, ..options(folder.path(), api::ModelChoice::BuiltIn) };
    let server = Server::start(with()).await;
    let anna = server.anna();
    let session = anna.session().await;
    let named = [("session", session.as_str())];
    anna.say(&session, "a", "add milk, bread").await;
    for (key, item) in [("b", "milk"), ("c", "bread")] {
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let (stream, asked) = anna.delete(&session, key, item).await;
        drop(stream);
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let listed = anna.call("listSessions", &[], None).await.body;
        assert_eq!(listed["sessions"][0]["status"], "waiting", "{listed}");
        let taken =
            anna.call("answerQuestions", &named, answer(&last_id(&asked), json!({"approve": "yes"}))).await;
        assert_eq!(taken.status, 200, "{taken:?}");
        let id = asked.last().unwrap().id.as_str();
        let rest =
            anna.stream("getEvents", &[named[0], ("Last-Event-ID", id)], None).await.unwrap().all().await;
        assert_eq!(names(&rest)[0], "tool_result");
        assert_eq!(
            (&rest[0].data["isError"], last(&rest).name.as_str()),
            (&json!(false), "done"),
            "{rest:?}"
        );
    }
    server.stop().await;
    assert!(titles(folder.path(), "anna").await.is_empty());
}

/// A message that was answered is read to its end while another one waits.
#[tokio::test(flavor = "multi_thread")]
async fn a_repeat_at_its_own_end_does_not_wait_for_another_message() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::built_in(folder.path()).await;
    let anna = server.anna();
    let session = anna.session().await;
    let named = ("session", session.as_str());
    let first = anna.say(&session, "a", "add milk").await;
    let _waiting = anna.delete(&session, "b", "milk").await;
    let at = ("Last-Event-ID", last(&first).id.as_str());
    let keyed = [named, ("Idempotency-Key", "a"), at];
    let again = anna.stream("sendMessage", &keyed, Some(json!({"text": "add milk"}))).await.unwrap();
    let again = tokio::time::timeout(std::time::Duration::from_secs(10), again.all());
    assert_eq!(again.await.expect("it ends"), []);
    server.stop().await;
}
