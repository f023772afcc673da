//! How much of anything: messages a minute, sessions at once, money.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use api::{Limits, ModelChoice, Options, Spending};
use futures::future::join_all;
use llm::Price;
use serde_json::json;

use crate::client::{self, last};
use crate::scripted::{Scripted, Step, last_message};
use crate::server::{Server, itinerary as itinerary_of, options, remote, titles, unhurried};

#[tokio::test(flavor = "multi_thread")]
async fn twenty_messages_a_minute_and_repeats_are_free() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::built_in(folder.path()).await;
    let anna = server.anna();
    let session = anna.session().await;
    for at in 0..20 {
        let events = anna.say(&session, &format!("k{at}"), "hello").await;
        assert_eq!(last(&events).name, "done");
    }
    let refused = anna.refused(&session, "k20", "hello").await;
    assert_eq!((refused.status, refused.code()), (429, "rate_limit_exceeded"));
    let after = refused.body["retryAfter"].as_u64().unwrap();
    assert!((1..=60).contains(&after), "{refused:?}");
    anna.say(&session, "k3", "hello").await;
    // Another's minute is another's.
    let bert = server.bert();
    bert.say(&bert.session().await, "k", "hello").await;
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn two_hundred_sessions_at_once() {
    let folder = tempfile::tempdir().unwrap();
    // One after the other these answers would take 200 × 0.6 s.
    let model = Scripted::start(|_, request| {
        let messages = request["messages"].as_array().unwrap();
        let last = messages.last().unwrap();
        match last["role"].as_str().unwrap() {
            "user" => Step::call("", "todo_create", json!({"title": last["content"]})),
            _ => Step::slowly("All is well now.", 150),
        }
    })
    .await;
    let server =
        Server::start(Options { limits: unhurried(), ..options(folder.path(), remote(&model.url)) }).await;
    let began = Instant::now();
    let all = (0..200).map(|at| {
        let client = if at % 2 == 0 { server.anna() } else { server.bert() };
        async move {
            let session = client.session().await;
            let events = client.say(&session, "k", &format!("Item {at:03}")).await;
            assert_eq!(last(&events).data["message"], "All is well now.", "{at}: {events:?}");
        }
    });
    join_all(all).await;
    let took = began.elapsed();
    assert!(took < Duration::from_secs(60), "{took:?}");
    eprintln!("200 sessions took {took:?}");
    let listed = server.anna().call("listSessions", &[], None).await.body;
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 100);
    server.stop().await;
    let expected =
        |first: usize| (first..200).step_by(2).map(|at| format!("Item {at:03}")).collect::<Vec<_>>();
    assert_eq!(titles(folder.path(), "anna").await, expected(0));
    assert_eq!(titles(folder.path(), "bert").await, expected(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_finds_no_place_waits_and_what_finds_none_to_wait_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let model = Scripted::start(|_, _| Step::slowly("a b c d e f", 100)).await;
    let limits = Limits { runs: 1, waiting_runs: 1, ..unhurried() };
    let server = Server::start(Options { limits, ..options(folder.path(), remote(&model.url)) }).await;
    let anna = server.anna();
    let mut streams = Vec::new();
    for at in 0..2 {
        let session = anna.session().await;
        let parameters = [("session", session.as_str()), ("Idempotency-Key", "k")];
        let mut stream =
            anna.stream("sendMessage", &parameters, Some(json!({"text": "hello"}))).await.unwrap();
        if at == 0 {
            // It has its place.
            stream.next().await.unwrap();
        }
        streams.push(stream);
    }
    let third = anna.session().await;
    let refused = anna.refused(&third, "k", "hello").await;
    assert_eq!((refused.status, refused.code()), (503, "overloaded"));
    for stream in streams {
        assert_eq!(last(&stream.all().await).data["message"], "a b c d e f");
    }
    assert_eq!(last(&anna.say(&third, "k", "hello").await).name, "done");
    server.stop().await;
}

/// A message that waits for a person leaves its place to others, and has one again when it goes on.
#[tokio::test(flavor = "multi_thread")]
async fn what_waits_for_a_person_leaves_its_place_until_they_decide() {
    let folder = tempfile::tempdir().unwrap();
    let question =
        json!({"questions": [{"id": "much", "question": "How much?", "type": "scale", "min": 1, "max": 9}]});
    let model = Scripted::start(move |_, request| match last_message(request) {
        (role, said) if role == "user" && said.contains("ask me") => {
            Step::call("", "ask_person", question.clone())
        }
        (role, _) if role == "user" => Step::say("Well."),
        _ => Step::slowly("a b c d e f g h i j", 100),
    })
    .await;
    let limits = Limits { runs: 1, ..unhurried() };
    let server = Server::start(Options { limits, ..options(folder.path(), remote(&model.url)) }).await;
    let anna = server.anna();
    let (first, second) = (anna.session().await, anna.session().await);
    let named = [("session", first.as_str())];
    let keyed = [named[0], ("Idempotency-Key", "k")];
    let mut waits = anna.stream("sendMessage", &keyed, Some(json!({"text": "ask me"}))).await.unwrap();
    let asked = waits.until("structured_questions").await;
    assert_eq!(last(&anna.say(&second, "k", "hello").await).name, "done");
    let body = json!({"callId": asked[1].data["callId"], "answers": {"much": 3}});
    assert_eq!(anna.call("answerQuestions", &named, Some(body)).await.status, 200);
    waits.until("text").await;
    let before = model.asked.load(Ordering::SeqCst);
    let (meanwhile, other) = futures::join!(
        async {
            tokio::time::sleep(Duration::from_millis(400)).await;
            model.asked.load(Ordering::SeqCst)
        },
        anna.say(&second, "l", "hello"),
    );
    assert_eq!(meanwhile, before, "the other one waits for the place");
    assert_eq!(last(&waits.all().await).data["message"], "a b c d e f g h i j");
    assert_eq!(last(&other).name, "done");
    server.stop().await;
}

/// S4-33: $2 a session, $10 an itinerary, $50 a month, with a warning at 80 %. An answer of the scripted model is 1,000 tokens in and
/// 500 out; here that is $0.50.
#[tokio::test(flavor = "multi_thread")]
async fn money_has_its_limits_and_is_warned_of() {
    const MUCH: u64 = 100_000_000;
    // An answer may cost $1, and each costs half of that: after six, $3.00 are spent, of which 80 % of the limit is $2.88.
    const LIMIT: u64 = 3_600_000;
    // Session, itinerary, month, and which words say it.
    for (session, itinerary, month, near, words) in [
        (LIMIT, MUCH, MUCH, "$3.00 of this session’s limit of $3.60", "This conversation’s limit"),
        (MUCH, LIMIT, MUCH, "$3.00 of this itinerary’s limit of $3.60", "this itinerary’s limit"),
        (MUCH, MUCH, LIMIT, "$3.00 of this month’s limit of $3.60", "This month’s limit"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        itinerary_of(folder.path(), "anna", "Paris").await;
        let model = Scripted::start(|_, _| Step::say("Well.")).await;
        let with = || {
            let mut with = options(folder.path(), remote(&model.url));
            let ModelChoice::Remote(choice) = &mut with.model else { unreachable!() };
            // What is sent costs nothing: how much that is, is estimated.
            choice.price = Some(Price { input: 0, cached: 0, output: 1_000_000_000 });
            with.limits.spending =
                Spending { session: Some(session), itinerary: Some(itinerary), month: Some(month) };
            with
        };
        let mut server = Server::start(with()).await;
        let made =
            async || server.anna().call("createSession", &[], Some(json!({"itinerary": "Paris"}))).await.body;
        let (one, two) = (made().await, made().await);
        let (one, two) = (one["id"].as_str().unwrap(), two["id"].as_str().unwrap());
        let other = if session == LIMIT { one } else { two };
        for at in 0..5 {
            let said =
                server.anna().say(if at % 2 == 0 { one } else { other }, &format!("k{at}"), "hello").await;
            let done = &last(&said).data;
            assert_eq!(done["cost"], 0.5, "{at}: {done}");
            assert_eq!(done["tokens"], json!({"input": 1000, "output": 500}));
            assert!(done.get("warnings").is_none(), "{at}: {done}");
        }
        let sixth = server.anna().say(other, "sixth", "hello").await;
        let warnings = &last(&sixth).data["warnings"];
        assert!(warnings.to_string().contains(near), "{sixth:?}");
        let over = server.anna().say(other, "over", "hello").await;
        let error = &last(&over).data;
        assert_eq!(error["type"], "cost_limit_exceeded", "{error}");
        assert!(error["message"].as_str().unwrap().contains(words), "{error}");
        // The next process has counted too.
        server.stop().await;
        server = Server::start(with()).await;
        assert_eq!(server.anna().say(other, "sixth", "hello").await, sixth);
        let over = server.anna().say(other, "again", "hello").await;
        assert_eq!(last(&over).data["type"], "cost_limit_exceeded");
        assert_eq!(model.asked.load(Ordering::SeqCst), 6, "nothing more was sent");
        server.stop().await;
    }
}

/// The longest message there may be, full of things to do, holds nobody else up for long: owners share threads.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_message_holds_nobody_up() {
    let folder = tempfile::tempdir().unwrap();
    let owners: String = (0..8).map(|at| format!("owner{at}:owner-{at}-0123456789abcdef\n")).collect();
    let mut with = options(folder.path(), ModelChoice::BuiltIn);
    with.tokens = api::Tokens::read(&owners).unwrap();
    let server = Server::start(with).await;
    let client =
        |at: usize| crate::client::Client::new(&server.base, &format!("owner-{at}-0123456789abcdef"));
    let text = "add milk and ".repeat(307);
    assert!(text.chars().count() <= 4_000 && text.chars().count() > 3_980);
    let began = Instant::now();
    let long = async {
        let session = client(0).session().await;
        client(0).say(&session, "k", &text).await
    };
    let others = join_all((1..8).map(|at| {
        let client = client(at);
        async move { client.say(&client.session().await, "k", "add bread").await }
    }));
    let (long, others) = futures::join!(long, others);
    assert_eq!(last(&long).name, "done", "{long:?}");
    assert!(others.iter().all(|said| last(said).name == "done"));
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    server.stop().await;
}

/// Where only an itinerary has a limit, a model without a price is not asked for it either.
#[tokio::test(flavor = "multi_thread")]
async fn an_itinerary_s_limit_needs_a_price_too() {
    let folder = tempfile::tempdir().unwrap();
    itinerary_of(folder.path(), "anna", "Paris").await;
    let model = Scripted::start(|_, _| Step::say("Well.")).await;
    let mut with = options(folder.path(), remote(&model.url));
    let ModelChoice::Remote(choice) = &mut with.model else { unreachable!() };
    choice.is_here = false;
    with.limits.spending = Spending { session: None, itinerary: Some(1_000_000), month: None };
    let server = Server::start(with).await;
    let anna = server.anna();
    let made = anna.call("createSession", &[], Some(json!({"itinerary": "Paris"}))).await.body;
    let refused = anna.say(made["id"].as_str().unwrap(), "k", "hello").await;
    let error = &last(&refused).data;
    assert_eq!(error["type"], "cost_limit_exceeded", "{error}");
    assert!(error["message"].as_str().unwrap().contains("price"), "{error}");
    assert_eq!(model.asked.load(Ordering::SeqCst), 0, "nothing was sent");
    // Without an itinerary there is no limit.
    assert_eq!(last(&anna.say(&anna.session().await, "k", "hello").await).name, "done");
    server.stop().await;
}

/// What a request may have cost that was ended with its process counts, for the session and for its itinerary.
#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_was_cut_off_counts() {
    let folder = tempfile::tempdir().unwrap();
    itinerary_of(folder.path(), "anna", "Paris").await;
    // The first time it is asked it does not come to an end.
    let model = Scripted::start(|at, _| match at {
        0 => Step::slowly("one two three four", 2_000),
        _ => Step::say("Well."),
    })
    .await;
    let with = || {
        let mut with = options(folder.path(), remote(&model.url));
        let ModelChoice::Remote(choice) = &mut with.model else { unreachable!() };
        choice.price = Some(Price { input: 0, cached: 0, output: 1_000_000_000 });
        with.limits.spending = Spending { session: None, itinerary: Some(2_000_000), month: None };
        with
    };
    let mut server = Server::start(with()).await;
    let made = server.anna().call("createSession", &[], Some(json!({"itinerary": "Paris"}))).await.body;
    let session = made["id"].as_str().unwrap();
    let keyed = [("session", session), ("Idempotency-Key", "k")];
    let mut stream =
        server.anna().stream("sendMessage", &keyed, Some(json!({"text": "hello"}))).await.unwrap();
    stream.next().await;
    drop(stream);
    server.stop().await;
    for _ in 0..2 {
        server = Server::start(with()).await;
        let whole = server.anna().say(session, "k", "hello").await;
        assert_eq!(last(&whole).data["cost"], 0.5, "{whole:?}");
        let told = server.anna().call("getSession", &keyed[..1], None).await.body;
        // An answer may cost $1, and that much was put by for the one that was cut off.
        assert!((1.4..1.7).contains(&told["cost"].as_f64().unwrap()), "{told}");
        server.stop().await;
    }
    // It is counted for the itinerary: of $2 there is not enough left for another answer.
    server = Server::start(with()).await;
    let over = server.anna().say(session, "l", "hello").await;
    assert_eq!(last(&over).data["type"], "cost_limit_exceeded", "{over:?}");
    server.stop().await;
}

/// Who cuts an answer off at the run's time limit has not had it for nothing: what it may have cost counts, here and after a restart.
#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_ran_out_of_time_counts() {
    let folder = tempfile::tempdir().unwrap();
    let model = Scripted::start(|_, _| Step::slowly("one two three four five six", 400)).await;
    let with = || {
        let mut with = options(folder.path(), remote(&model.url));
        let ModelChoice::Remote(choice) = &mut with.model else { unreachable!() };
        choice.price = Some(Price { input: 0, cached: 0, output: 1_000_000_000 });
        with.limits.spending = Spending { session: Some(1_500_000), itinerary: None, month: None };
        with.limits.run_time = Duration::from_secs(1);
        with
    };
    let mut server = Server::start(with()).await;
    let session = server.anna().session().await;
    let cut = server.anna().say(&session, "k", "hello").await;
    assert_eq!(last(&cut).data["stop"], "limited", "{cut:?}");
    assert!(cut.iter().any(|event| event.name == "text"), "it had begun to answer: {cut:?}");
    // Its end says the same: nothing would be wrong.
    let cost = last(&cut).data["cost"].as_f64().unwrap();
    assert!((0.9..1.2).contains(&cost), "{cut:?}");
    for key in ["l", "m"] {
        let told = server.anna().call("getSession", &[("session", &session)], None).await.body;
        // An answer may cost $1, and what this one did cost nobody said.
        assert!((0.9..1.2).contains(&told["cost"].as_f64().unwrap()), "{told}");
        let over = server.anna().say(&session, key, "hello").await;
        assert_eq!(last(&over).data["type"], "cost_limit_exceeded", "{over:?}");
        server.stop().await;
        server = Server::start(with()).await;
        let again = server.anna().say(&session, "k", "hello").await;
        assert_eq!(client::told(&again), client::told(&cut), "it is told as it was");
    }
    assert_eq!(model.asked.load(Ordering::SeqCst), 1, "nothing more was sent");
    server.stop().await;
}

/// What an answer cost that was cut off, of a model whose price nobody knows, is not told as nothing; on this machine it is nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_cut_off_answer_without_a_price_costs_nobody_knows_what() {
    for (is_here, cost) in [(false, json!(null)), (true, json!(0.0))] {
        let folder = tempfile::tempdir().unwrap();
        let model = Scripted::start(|_, _| Step::slowly("one two three four five six", 400)).await;
        let mut with = options(folder.path(), remote(&model.url));
        let ModelChoice::Remote(choice) = &mut with.model else { unreachable!() };
        choice.is_here = is_here;
        with.limits.spending = Spending { session: None, itinerary: None, month: None };
        with.limits.run_time = Duration::from_secs(1);
        let server = Server::start(with).await;
        let cut = server.anna().say(&server.anna().session().await, "k", "hello").await;
        let done = &last(&cut).data;
        assert_eq!((&done["stop"], &done["cost"]), (&json!("limited"), &cost), "{cut:?}");
        server.stop().await;
    }
}
