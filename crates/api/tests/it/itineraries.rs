//! Sessions that are about an itinerary: how they are made and found, what the model is told, what a message did to it (S4-02, S4-15,
//! S4-21, S4-22, S4-27, S4-32).

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use api::{ModelChoice, Options};
use serde_json::{Value, json};

use crate::client::{Client, last, names};
use crate::scripted::{Scripted, Step, last_message};
use crate::server::{Server, by_hand, clock, itinerary, options, remote};

/// A session about an itinerary.
async fn about(client: &Client, named: &str) -> String {
    let made = client.call("createSession", &[], Some(json!({ "itinerary": named }))).await;
    assert_eq!(made.status, 201, "{made:?}");
    made.body["id"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_made_for_an_itinerary_that_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let paris = itinerary(folder.path(), "anna", "Paris in June").await;
    itinerary(folder.path(), "anna", "Tokyo").await;
    itinerary(folder.path(), "anna", "Tokyo again").await;
    let server = Server::built_in(folder.path()).await;
    let anna = server.anna();
    let make = async |named: &str| anna.call("createSession", &[], Some(json!({ "itinerary": named }))).await;
    for named in [&paris, "Paris in June", "  paris IN june ", "june"] {
        let made = make(named).await;
        assert_eq!(made.status, 201, "{named}: {made:?}");
        assert_eq!(made.body["itinerary"], paris.as_str(), "{named}");
        assert_eq!(made.body["itineraryTitle"], "Paris in June", "{named}");
        assert_eq!(made.body["state"], "active");
    }
    // A whole title is that one's, whatever else has it in its own.
    assert_eq!(make("Tokyo").await.body["itineraryTitle"], "Tokyo");
    let wrong = make("toky").await;
    assert_eq!((wrong.status, wrong.code()), (409, "ambiguous_itinerary"));
    for missing in ["Rome", "itin_nope"] {
        let wrong = make(missing).await;
        assert_eq!((wrong.status, wrong.code()), (404, "itinerary_not_found"), "{wrong:?}");
    }
    // Another's is not there for Bert.
    let theirs = server.bert().call("createSession", &[], Some(json!({ "itinerary": paris }))).await;
    assert_eq!((theirs.status, theirs.code()), (404, "itinerary_not_found"));
    assert_eq!(anna.call("listSessions", &[], None).await.body["sessions"].as_array().unwrap().len(), 5);
    server.stop().await;
}

/// S4-32: Paris active, Tokyo idle, New York archived; any is resumed by the name or the id of its itinerary, also after a restart.
#[tokio::test(flavor = "multi_thread")]
async fn several_at_once_each_in_its_state_and_resumed_by_name_or_id() {
    let folder = tempfile::tempdir().unwrap();
    let mut ids = Vec::new();
    for title in ["New York", "Tokyo", "Paris", "Rome"] {
        ids.push(itinerary(folder.path(), "anna", title).await);
    }
    let (clock, ahead) = clock();
    let with = || Options { clock: clock.clone(), ..options(folder.path(), ModelChoice::BuiltIn) };
    let mut server = Server::start(with()).await;
    let (hour, day) = (3_600_000, 86_400_000);
    // Rome's is the oldest by far; then New York's, three days before now, Tokyo's two hours, Paris' just now.
    let mut sessions = Vec::new();
    for (title, at) in
        [("Rome", 0), ("New York", 28 * day), ("Tokyo", 31 * day - 2 * hour), ("Paris", 31 * day)]
    {
        ahead.store(at, Ordering::Relaxed);
        let session = about(&server.anna(), title).await;
        server.anna().say(&session, "k", &format!("add see {title}")).await;
        sessions.push((title, session));
    }
    for restarts in [false, true] {
        if restarts {
            server.stop().await;
            server = Server::start(with()).await;
        }
        let listed = server.anna().call("listSessions", &[], None).await.body;
        let told = listed["sessions"].as_array().unwrap().iter().map(|session| {
            let text = |name: &str| session[name].as_str().unwrap().to_owned();
            (text("itineraryTitle"), text("state"))
        });
        let expected =
            [("Paris", "active"), ("Tokyo", "idle"), ("New York", "archived"), ("Rome", "expired")];
        assert_eq!(
            told.collect::<Vec<_>>(),
            expected.map(|(title, state)| (title.to_owned(), state.to_owned()))
        );
        for name in [&ids[0], "New York", &sessions[1].1] {
            let found = server.anna().call("getSession", &[("session", name)], None).await;
            assert_eq!(found.body["id"], sessions[1].1.as_str(), "{name}: {found:?}");
        }
    }
    // The expired one is read and takes no message; the archived one wakes up, by the itinerary's name.
    let refused = server.anna().refused("Rome", "l", "hello").await;
    assert_eq!((refused.status, refused.code()), (410, "session_expired"));
    assert_eq!(last(&server.anna().say("New York", "l", "hello").await).name, "done");
    let woken = server.anna().call("getSession", &[("session", "New York")], None).await.body;
    assert_eq!((&woken["state"], &woken["messages"]), (&json!("active"), &json!(2)));
    // Two about one itinerary are told apart by their ids.
    about(&server.anna(), "New York").await;
    let several = server.anna().call("getSession", &[("session", "New York")], None).await;
    assert_eq!((several.status, several.code()), (409, "ambiguous_session"));
    server.stop().await;
}

/// The same key makes one session, also where the name means something else by then.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_is_asked_for_again_is_about_what_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let paris = itinerary(folder.path(), "anna", "Paris").await;
    let server = Server::built_in(folder.path()).await;
    let keyed = [("Idempotency-Key", "one")];
    let ask = json!({ "itinerary": "Paris" });
    let made = server.anna().call("createSession", &keyed, Some(ask.clone())).await;
    server.stop().await;
    by_hand(folder.path(), "anna", "update_itinerary", json!({ "itinerary": paris, "title": "Lyon" })).await;
    let server = Server::built_in(folder.path()).await;
    let again = server.anna().call("createSession", &keyed, Some(ask)).await;
    assert_eq!((again.status, &again.body["id"]), (201, &made.body["id"]));
    let other = server.anna().call("createSession", &keyed, Some(json!({ "itinerary": "Lyon" }))).await;
    assert_eq!((other.status, other.code()), (422, "idempotency_key_reused"));
    server.stop().await;
}

/// S4-32: an itinerary is named by what it is called now, also where its old name is another's by then.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_found_by_what_its_itinerary_is_called_now() {
    let folder = tempfile::tempdir().unwrap();
    let first = itinerary(folder.path(), "anna", "Paris").await;
    let server = Server::built_in(folder.path()).await;
    let of_first = about(&server.anna(), "Paris").await;
    server.stop().await;
    by_hand(folder.path(), "anna", "update_itinerary", json!({ "itinerary": first, "title": "Lyon" })).await;
    itinerary(folder.path(), "anna", "Paris").await;
    let server = Server::built_in(folder.path()).await;
    let found = async |name: &str| server.anna().call("getSession", &[("session", name)], None).await;
    for name in ["Lyon", &first] {
        let told = found(name).await.body;
        assert_eq!((&told["id"], &told["itineraryTitle"]), (&json!(of_first), &json!("Lyon")), "{name}");
    }
    let nobodys = found("Paris").await;
    assert_eq!((nobodys.status, nobodys.code()), (404, "session_not_found"));
    let of_second = about(&server.anna(), "Paris").await;
    assert_eq!(found("Paris").await.body["id"], of_second.as_str());
    let listed = server.anna().call("listSessions", &[], None).await.body;
    let mut titles: Vec<_> = listed["sessions"]
        .as_array()
        .unwrap()
        .iter()
        .map(|session| session["itineraryTitle"].as_str().unwrap())
        .collect();
    titles.sort_unstable();
    assert_eq!(titles, ["Lyon", "Paris"]);
    server.stop().await;
    // What is deleted is called as it was.
    by_hand(folder.path(), "anna", "itinerary_delete", json!({ "itinerary": "Paris" })).await;
    let server = Server::built_in(folder.path()).await;
    let told = server.anna().call("getSession", &[("session", "Paris")], None).await.body;
    assert_eq!((&told["id"], &told["itineraryTitle"]), (&json!(of_second), &json!("Paris")));
    server.stop().await;
}

/// Which itinerary is meant is in what the model is told, in each message anew; one that is deleted is said to be gone.
#[tokio::test(flavor = "multi_thread")]
async fn the_model_is_told_what_the_session_is_about() {
    let folder = tempfile::tempdir().unwrap();
    itinerary(folder.path(), "anna", "Paris in June").await;
    // This one was worked on last.
    itinerary(folder.path(), "anna", "Tokyo").await;
    let prompts: Arc<Mutex<Vec<String>>> = Arc::default();
    let seen = Arc::clone(&prompts);
    let model = Scripted::start(move |_, request| {
        seen.lock().unwrap().push(request["messages"][0]["content"].to_string());
        Step::say("Well.")
    })
    .await;
    let start = async || Server::start(options(folder.path(), remote(&model.url))).await;
    let prompt = || prompts.lock().unwrap().last().unwrap().clone();
    let mut server = start().await;
    let session = about(&server.anna(), "Paris in June").await;
    server.anna().say(&session, "k", "hello").await;
    let told = prompt();
    let (lead, rest) = told.split_once("This conversation is about this itinerary").unwrap();
    assert!(rest.contains("- “Paris in June”") && rest.contains("Other itineraries: “Tokyo”"), "{told}");
    assert!(!lead.contains("worked on last"), "{told}");
    // A session about nothing in particular is told of the one that was worked on last.
    server.anna().say(&server.anna().session().await, "k", "hello").await;
    assert!(prompt().contains("worked on last") && !prompt().contains("This conversation is about"));
    server.stop().await;
    by_hand(folder.path(), "anna", "itinerary_delete", json!({ "itinerary": "Paris in June" })).await;
    server = start().await;
    server.anna().say(&session, "l", "hello").await;
    let told = prompt();
    assert!(told.contains("is not there any more") && told.contains("- Paris in June"), "{told}");
    server.stop().await;
}

/// S4-15: the end of a message says whether the itinerary changed and which segments, whatever tools did it, and the next process says the
/// same.
#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_message_says_what_it_did_to_the_itinerary() {
    let folder = tempfile::tempdir().unwrap();
    let paris = itinerary(folder.path(), "anna", "Paris").await;
    let add = |title: &str| json!({ "itinerary": "Paris", "title": title, "start": "2026-06-16T10:00" });
    let model = Scripted::start(move |_, request| {
        let (role, said) = last_message(request);
        match (&*role, &*said) {
            ("user", said) if said.contains("two") => Step::call("", "add_activity", add("Louvre")),
            ("user", said) if said.contains("undo") => Step::call("", "undo", json!({})),
            ("user", said) if said.contains("to-do") => {
                Step::call("", "todo_create", json!({ "title": "Milk" }))
            }
            ("user", said) if said.contains("wrong") => {
                Step::call("", "update_segment", json!({ "segment": "Nothing", "title": "Much" }))
            }
            ("tool", said) if said.contains("Louvre") && said.contains("itineraryUpdated") => Step::call(
                "",
                "add_meeting",
                json!({ "itinerary": "Paris", "title": "Anna", "start": "2026-06-17T10:00" }),
            ),
            _ => Step::say("Well."),
        }
    })
    .await;
    let start = async || Server::start(options(folder.path(), remote(&model.url))).await;
    let mut server = start().await;
    let session = about(&server.anna(), &paris).await;
    let said = async |server: &Server, key: &str, text: &str| {
        let events = server.anna().say(&session, key, text).await;
        let done = last(&events);
        assert_eq!(done.name, "done", "{events:?}");
        let ids = done.data["segmentsModified"].as_array().unwrap().clone();
        (done.data["itineraryUpdated"].as_bool().unwrap(), ids, events)
    };
    let nothing: Vec<Value> = Vec::new();
    let (updated, ids, events) = said(&server, "a", "add two").await;
    assert!(updated && ids.len() == 2, "{events:?}");
    let results = events.iter().filter(|event| event.name == "tool_result");
    let of_each: Vec<Value> =
        results.map(|event| event.data["structured"]["segmentsModified"][0].clone()).collect();
    assert_eq!(ids, of_each);
    let (updated, none, events) = said(&server, "b", "a to-do").await;
    assert_eq!((updated, &none), (false, &nothing), "{events:?}");
    let (updated, none, events) = said(&server, "c", "something wrong").await;
    assert_eq!((updated, &none), (false, &nothing), "{events:?}");
    // The to-do, and then the meeting: an undo of a trip says so by its rows.
    let mut undone = Vec::new();
    for key in ["d", "e"] {
        let parameters = [("session", session.as_str()), ("Idempotency-Key", key)];
        let anna = server.anna();
        let mut stream =
            anna.stream("sendMessage", &parameters, Some(json!({ "text": "undo" }))).await.unwrap();
        let mut events = stream.until("tool_call").await;
        let next = stream.next().await.unwrap();
        if next.name == "structured_questions" {
            let answer = json!({ "callId": next.data["callId"], "answers": { "approve": "yes" } });
            assert_eq!(anna.call("answerQuestions", &parameters[..1], Some(answer)).await.status, 200);
        }
        events.extend(stream.all().await);
        let done = &last(&events).data;
        undone.push((done["itineraryUpdated"].clone(), done["segmentsModified"].clone()));
    }
    assert_eq!(undone, [(json!(false), json!([])), (json!(true), json!([ids[1]]))]);
    server.stop().await;
    server = start().await;
    let (updated, again, events) = said(&server, "a", "add two").await;
    assert!(updated && again == ids, "{events:?}");
    assert_eq!(names(&events).iter().filter(|name| **name == "tool_result").count(), 2);
    server.stop().await;
}
