//! The server as a process of its own that is killed, again and again, in the middle of its messages.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use api::Options;
use serde_json::{Value, json};

use crate::client::{Client, Event, told};
use crate::scripted::{Scripted, Step, last_message};
use crate::server::{ANNA, options, remote, titles, unhurried};

/// Tells the child what to serve: the folder and the model's address.
const FOLDER: &str = "SATCHEL_API_TEST_FOLDER";
const MODEL: &str = "SATCHEL_API_TEST_MODEL";

/// How often it is killed.
const KILLS: usize = 20;

/// Not a test: the process that is killed. Alone it does nothing.
#[test]
#[ignore = "it is the server of another test"]
fn server_process() {
    let (Ok(folder), Ok(model)) = (std::env::var(FOLDER), std::env::var(MODEL)) else { return };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let with = Options { limits: unhurried(), ..options(Path::new(&folder), remote(&model)) };
        let running = api::serve(with).await.unwrap();
        println!("\nhttp://{}", running.local_addr());
        running.until(std::future::pending()).await;
    });
}

struct Process {
    child: Child,
    client: Client,
}

impl Process {
    fn start(folder: &Path, model: &str) -> Self {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "kill::server_process", "--ignored", "--nocapture"])
            .env(FOLDER, folder)
            .env(MODEL, model)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let base = lines.map(Result::unwrap).find(|line| line.starts_with("http://")).unwrap();
        Self { child, client: Client::new(&base, ANNA) }
    }

    /// SIGKILL on Unix.
    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// Reads on until the connection breaks or the message is answered; true for the latter.
async fn read(client: &Client, session: &str, key: &str, text: &str, events: &mut Vec<Event>) -> bool {
    let id = events.last().map(|event| event.id.clone());
    let mut parameters = vec![("session", session)];
    let request = match &id {
        Some(id) => {
            parameters.push(("Last-Event-ID", id));
            client.request("getEvents", &parameters, None)
        }
        None => {
            parameters.push(("Idempotency-Key", key));
            client.request("sendMessage", &parameters, Some(json!({"text": text})))
        }
    };
    // Killed before it answered.
    let Ok(response) = request.send().await else { return false };
    assert_eq!(response.status(), 200, "{:?}", response.text().await);
    let mut stream = crate::client::Stream::of(response);
    while let Ok(Some(event)) = stream.try_next().await {
        let is_last = event.name == "done" || event.name == "error";
        events.push(event);
        if is_last {
            return true;
        }
    }
    false
}

/// Twenty kills at moments that are spread over all of a message's steps; what was read and what comes after each is one whole.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_twenty_times_every_message_is_answered_once() {
    let folder = tempfile::tempdir().unwrap();
    // Asked again it begins otherwise: what was said by the one before is void.
    let model = Scripted::start(|at, request| {
        let (role, said) = last_message(request);
        match role.as_str() {
            "user" => Step::call("One moment. ", "todo_create", json!({"title": said})),
            _ => Step::slowly(&format!("Attempt {at} has added it to the list of things to do."), 8),
        }
    })
    .await;
    let mut process = Process::start(folder.path(), &model.url);
    let session = process.client.session().await;
    let (mut kills, mut messages, mut restarts, mut broken) = (0, 0, 0, 0);
    let mut answers = Vec::new();
    while kills < KILLS {
        let (key, text) = (format!("key {messages}"), format!("Item {messages:02}"));
        let mut events: Vec<Event> = Vec::new();
        loop {
            let client = process.client.clone();
            let is_killed = kills < KILLS;
            // Spread without chance, so that a failure comes again: 3 to 200 ms.
            let moment = Duration::from_millis(3 + (kills as u64 * 67) % 197);
            let done = {
                let reading = read(&client, &session, &key, &text, &mut events);
                tokio::pin!(reading);
                tokio::select! {
                    done = &mut reading => done,
                    () = tokio::time::sleep(moment), if is_killed => {
                        kills += 1;
                        process.kill();
                        reading.await
                    }
                }
            };
            if done {
                break;
            }
            broken += 1;
            if process.child.try_wait().unwrap().is_some() {
                process = Process::start(folder.path(), &model.url);
            }
        }
        // A kill that came right behind the end.
        if process.child.try_wait().unwrap().is_some() {
            process = Process::start(folder.path(), &model.url);
        }
        restarts += events.iter().filter(|event| event.data["restart"] == true).count();
        let told = told(&events);
        let names: Vec<&str> = told.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["text", "tool_call", "tool_result", "text", "done"], "{messages}: {events:?}");
        assert_eq!(told[3].1, told[4].1["message"], "{messages}: {events:?}");
        // From the log it is the same.
        let again = process.client.say(&session, &key, &text).await;
        assert_eq!(crate::client::told(&again), told, "{messages}");
        answers.push(told[3].1.clone());
        messages += 1;
    }
    eprintln!(
        "{messages} messages, {kills} kills, {broken} broken connections, {restarts} texts begun anew, {} requests",
        model.asked.load(std::sync::atomic::Ordering::SeqCst)
    );
    assert!(broken >= KILLS / 2 && restarts > 0, "the kills came in the middle");
    // Each message once, each with its one answer.
    let detail = process.client.call("getSession", &[("session", &session)], None).await.body;
    let lines = |role: &str| -> Vec<Value> {
        let lines = detail["transcript"].as_array().unwrap().iter();
        lines.filter(|line| line["role"] == role).map(|line| line["text"].clone()).collect()
    };
    let items: Vec<String> = (0..messages).map(|at| format!("Item {at:02}")).collect();
    assert_eq!(lines("user"), items.iter().map(|item| json!(item)).collect::<Vec<_>>());
    let said: Vec<Value> = lines("assistant").into_iter().filter(|text| text != "One moment. ").collect();
    assert_eq!(said, answers);
    process.kill();
    assert_eq!(titles(folder.path(), "anna").await, items, "each once");
}

/// A message that was taken is answered, also when nobody comes back for it.
#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_answers_what_it_had_taken() {
    let folder = tempfile::tempdir().unwrap();
    let model = Scripted::start(|_, request| match last_message(request).0.as_str() {
        "user" => Step::call("", "todo_create", json!({"title": "Milk"})),
        _ => Step::slowly("It is on the list.", 100),
    })
    .await;
    let mut process = Process::start(folder.path(), &model.url);
    let session = process.client.session().await;
    let parameters = [("session", session.as_str()), ("Idempotency-Key", "k")];
    let mut stream =
        process.client.stream("sendMessage", &parameters, Some(json!({"text": "milk"}))).await.unwrap();
    stream.until("tool_call").await;
    process.kill();
    process = Process::start(folder.path(), &model.url);
    for _ in 0..100 {
        let told = process.client.call("getSession", &parameters[..1], None).await.body;
        if told["status"] == "ready" {
            let last = told["transcript"].as_array().unwrap().last().unwrap();
            assert_eq!(last["text"], "It is on the list.");
            process.kill();
            assert_eq!(titles(folder.path(), "anna").await, ["Milk"]);
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("it is not answered");
}
