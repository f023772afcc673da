//! What a client sees of two servers, in seconds.

use std::time::{Duration, Instant};

use nats::Servers;
use serde_json::json;

use crate::backup;
use crate::client::{Owner, ready};
use crate::journals;
use crate::processes::{Plan, Satchel, tokens};

/// Two servers with two owners over one server of NATS.
struct World {
    nats: Servers,
    satchels: [Satchel; 2],
    _folder: tempfile::TempDir,
}

impl World {
    async fn start(lease: Duration) -> Self {
        Self::over(Servers::start(1), lease).await
    }

    async fn over(nats: Servers, lease: Duration) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let tokens = tokens(folder.path(), &["anna".to_owned(), "bert".to_owned()]);
        let plan = Plan { nats: nats.url(), replicas: 1, lease, tokens };
        let satchels = [Satchel::start(&plan), Satchel::start(&plan)];
        for satchel in &satchels {
            ready(&satchel.base()).await;
        }
        Self { nats, satchels, _folder: folder }
    }

    fn bases(&self) -> [String; 2] {
        [self.satchels[0].base(), self.satchels[1].base()]
    }

    /// The places of the server that has an owner, and of the other one.
    async fn holder(&self, owner: &Owner) -> (usize, usize) {
        if owner.is_elsewhere(&self.satchels[0].base()).await { (1, 0) } else { (0, 1) }
    }
}

const QUICK: Duration = Duration::from_millis(2_000);

/// A session that is made at one server is read at both, and by nobody else; each message is answered once.
#[tokio::test]
async fn any_server_takes_any_request() {
    let world = World::start(QUICK).await;
    let (anna, bert, bases) = (Owner::new("anna"), Owner::new("bert"), world.bases());
    let session = anna.session(&bases[0], "groceries").await;
    for (base, key) in bases.iter().zip(["first", "second"]) {
        let events =
            anna.say(base, &session, key, &format!("add {key} to my list")).await.until("done").await;
        assert!(events.iter().any(|event| event.name == "tool_result"), "{events:?}");
        // Read on from the middle, and sent again: at the other one.
        for base in &bases {
            let again =
                anna.say(base, &session, key, &format!("add {key} to my list")).await.until("done").await;
            assert_eq!(again, events);
        }
    }
    for base in &bases {
        let (status, told) = anna.get(base, &format!("/v1/sessions/{session}")).await;
        assert_eq!((status.as_u16(), &told["messages"]), (200, &json!(2)), "{told}");
        assert_eq!(bert.get(base, "/v1/sessions").await.1, json!({"sessions": []}));
        assert_eq!(bert.get(base, &format!("/v1/sessions/{session}")).await.0.as_u16(), 404);
    }
    let written = journals::read(&world.nats.url(), "satchel").await;
    assert_eq!((written.answered.len(), written.titles.len()), (2, 2), "{written:?}");
    assert!(written.titles.values().all(|count| *count == 1), "{written:?}");
}

/// What was open at a server that is killed is gone on with at the other one, in the stream that was read there.
#[tokio::test]
async fn a_killed_server_is_replaced_in_the_middle_of_a_stream() {
    let mut world = World::start(QUICK).await;
    let (anna, bases) = (Owner::new("anna"), world.bases());
    let session = anna.session(&bases[0], "groceries").await;
    anna.say(&bases[0], &session, "add", "add milk to my list").await.until("done").await;
    let (holder, other) = world.holder(&anna).await;
    let mut events = anna.say(&bases[other], &session, "delete", "delete milk").await;
    let asked = events.until("structured_questions").await.pop().unwrap();
    world.satchels[holder].kill();
    let killed = Instant::now();
    let answer = json!({"callId": asked.data["callId"], "answers": {"approve": "yes"}});
    let path = format!("/v1/sessions/{session}/answers");
    let taken = loop {
        // It has no key, so a server that cannot say whether it was taken says so.
        let response = anna.post(&bases[other], &path, &answer).send().await.unwrap();
        if response.status().as_u16() != 503 {
            break response;
        }
        assert!(killed.elapsed() < Duration::from_secs(10), "nobody takes over");
    };
    assert_eq!(taken.status().as_u16(), 200, "{}", taken.text().await.unwrap());
    let rest = events.until("done").await;
    assert!(killed.elapsed() < Duration::from_secs(10), "{:?}", killed.elapsed());
    assert_eq!(rest.last().unwrap().data["stop"], "complete", "{rest:?}");
    assert!(!rest.iter().any(|event| event.name == "error"), "{rest:?}");
    // The one that was killed is started again, and reads it from the event that was last seen of its own.
    world.satchels[holder].run();
    ready(&bases[holder]).await;
    let read = anna
        .request(reqwest::Method::GET, &bases[holder], &format!("/v1/sessions/{session}/events"))
        .header("Last-Event-ID", asked.id.unwrap());
    let text = read.send().await.unwrap().text().await.unwrap();
    assert_eq!(text.matches("event: done\n").count(), 1, "{text}");
    assert_eq!(text.matches("event: tool_result\n").count(), 1, "{text}");
    let written = journals::read(&world.nats.url(), "satchel").await;
    assert_eq!(written.answered.len(), 2, "{written:?}");
}

/// A server that slept while another one took over writes nothing any more, and is one like any afterwards.
#[tokio::test]
async fn a_server_that_slept_writes_nothing_of_what_it_had() {
    let world = World::start(QUICK).await;
    let (anna, bases) = (Owner::new("anna"), world.bases());
    let session = anna.session(&bases[0], "groceries").await;
    anna.say(&bases[0], &session, "add", "add milk to my list").await.until("done").await;
    let (holder, other) = world.holder(&anna).await;
    // Read at the one that will sleep, which is about to write when it is woken.
    let mut asleep = anna.say(&bases[holder], &session, "delete", "delete milk").await;
    let asked = asleep.until("structured_questions").await.pop().unwrap();
    world.satchels[holder].sleep();
    let answer = json!({"callId": asked.data["callId"], "answers": {"approve": "yes"}});
    // Put into its socket while it sleeps: it reads it when it wakes.
    let path = format!("/v1/sessions/{session}/answers");
    let late = tokio::spawn(anna.post(&bases[holder], &path, &answer).send());
    let began = Instant::now();
    while anna.post(&bases[other], &path, &answer).send().await.unwrap().status().as_u16() != 200 {
        assert!(began.elapsed() < Duration::from_secs(10), "nobody takes over");
    }
    let path = format!("/v1/sessions/{session}/events");
    let last = asked.id.clone().unwrap();
    let read = anna.request(reqwest::Method::GET, &bases[other], &path).header("Last-Event-ID", &last);
    let text = read.send().await.unwrap().text().await.unwrap();
    assert_eq!(text.matches("event: done\n").count(), 1, "{text}");
    world.satchels[holder].wake();
    // What was answered meanwhile is no question any more.
    assert_ne!(late.await.unwrap().unwrap().status().as_u16(), 200);
    // The stream that was read there all the time ends as the other one has it.
    let rest = asleep.until("done").await;
    assert!(!rest.iter().any(|event| event.name == "error"), "{rest:?}");
    ready(&bases[holder]).await;
    anna.say(&bases[holder], &session, "more", "add bread to my list").await.until("done").await;
    let written = journals::read(&world.nats.url(), "satchel").await;
    assert_eq!(written.answered.len(), 3, "{written:?}");
    assert!(written.titles.values().all(|count| *count == 1), "{written:?}");
}

/// A backup is restored into other servers, and everything goes on there (docs/deploy.md).
#[tokio::test]
async fn what_is_restored_elsewhere_goes_on() {
    let mut world = World::start(QUICK).await;
    let (anna, bases) = (Owner::new("anna"), world.bases());
    let session = anna.session(&bases[0], "groceries").await;
    let said = anna.say(&bases[0], &session, "add", "add milk to my list").await.until("done").await;
    let mut open = anna.say(&bases[0], &session, "delete", "delete milk").await;
    let asked = open.until("structured_questions").await.pop().unwrap();
    world.satchels.iter_mut().for_each(Satchel::kill);
    let backups = backup::take(&async_nats::connect(world.nats.url()).await.unwrap()).await;
    drop(world);

    let nats = Servers::start(1);
    backup::put_back(&async_nats::connect(nats.url()).await.unwrap(), backups).await;
    let world = World::over(nats, QUICK).await;
    let bases = world.bases();
    let again = anna.say(&bases[1], &session, "add", "add milk to my list").await.until("done").await;
    assert_eq!(again, said);
    // What waited for a person waits.
    let path = format!("/v1/sessions/{session}/answers");
    let answer = json!({"callId": asked.data["callId"], "answers": {"approve": "yes"}});
    assert_eq!(anna.post(&bases[0], &path, &answer).send().await.unwrap().status().as_u16(), 200);
    let rest = anna.say(&bases[0], &session, "delete", "delete milk").await.until("done").await;
    assert!(!rest.iter().any(|event| event.name == "error"), "{rest:?}");
    let written = journals::read(&world.nats.url(), "satchel").await;
    assert_eq!((written.answered.len(), written.titles.len()), (2, 1), "{written:?}");
}

/// A server that is told to end gives back what it has: nobody waits for a lease to run out, and who reads along reads on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_ends_hands_over_at_once() {
    // Longer than the test waits for anything.
    let mut world = World::start(Duration::from_secs(20)).await;
    let (anna, bases) = (Owner::new("anna"), world.bases());
    let session = anna.session(&bases[0], "groceries").await;
    anna.say(&bases[0], &session, "add", "add milk to my list").await.until("done").await;
    let (holder, other) = world.holder(&anna).await;
    let mut events = anna.say(&bases[other], &session, "delete", "delete milk").await;
    let asked = events.until("structured_questions").await.pop().unwrap();
    let satchel = &mut world.satchels[holder];
    tokio::task::block_in_place(|| satchel.terminate());
    let ended = Instant::now();
    let answer = json!({"callId": asked.data["callId"], "decline": true});
    let path = format!("/v1/sessions/{session}/answers");
    while anna.post(&bases[other], &path, &answer).send().await.unwrap().status().as_u16() != 200 {
        assert!(ended.elapsed() < Duration::from_secs(10), "nobody takes over");
    }
    events.until("done").await;
    assert!(ended.elapsed() < Duration::from_secs(10), "{:?}", ended.elapsed());
    assert!(reqwest::get(format!("{}/readyz", bases[holder])).await.is_err());
    let written = journals::read(&world.nats.url(), "satchel").await;
    assert_eq!(written.answered.len(), 2, "{written:?}");
}
