//! Many sessions while servers are killed, put to sleep and started again (acceptance 2 of issue 18).

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use nats::Servers;

use crate::client::{Owner, ready};
use crate::journals;
use crate::processes::{Plan, Satchel, tokens};

/// How many owners the sessions are of.
const OWNERS: usize = 20;

/// How many messages are sent at the same time.
const AT_ONCE: usize = 160;

/// What a client may wait for an owner's next answer when a server was killed.
const TAKEOVER: Duration = Duration::from_secs(10);

/// How long the holder sleeps.
const ASLEEP: Duration = Duration::from_secs(30);

fn size(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// An owner's answers as they came.
type Answers = Arc<Mutex<Vec<(usize, Instant)>>>;

/// The longest time around a moment in which one owner, who had asked, got no answer; and whose. From the last answer before it to the
/// first behind it.
fn longest_gap(answers: &[(usize, Instant)], at: Instant) -> (Duration, usize) {
    let gap = |owner: usize| {
        let own = || answers.iter().filter(move |(other, _)| *other == owner).map(|(_, when)| *when);
        let before = own().filter(|when| *when <= at).max();
        // Who had no more to ask has no gap.
        let after = own().filter(|when| *when > at).min();
        before.zip(after).map_or(Duration::ZERO, |(before, after)| after - before)
    };
    (0..OWNERS).map(|owner| (gap(owner), owner)).max().unwrap()
}

/// Waits until so many answers have come.
async fn answered(answers: &Answers, count: usize) {
    while answers.lock().unwrap().len() < count {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "minutes: cargo xtask soak runs it"]
async fn every_message_is_answered_once_whatever_is_killed() {
    let (sessions, messages) = (size("SATCHEL_SOAK_SESSIONS", 500), size("SATCHEL_SOAK_MESSAGES", 20));
    let all = sessions * messages;
    let (mut nats, folder) = (Servers::start(3), tempfile::tempdir().unwrap());
    let owners: Vec<String> = (0..OWNERS).map(|number| format!("owner{number}")).collect();
    let lease = Duration::from_secs(6);
    let plan = Plan { nats: nats.url(), replicas: 3, lease, tokens: tokens(folder.path(), &owners) };
    let mut satchels = [Satchel::start(&plan), Satchel::start(&plan)];
    let bases: Vec<String> = satchels.iter().map(Satchel::base).collect();
    for base in &bases {
        ready(base).await;
    }
    let clients: Vec<Owner> = owners.iter().map(|owner| Owner::new(owner)).collect();
    let places = Arc::new(tokio::sync::Semaphore::new(AT_ONCE));
    let answers = Answers::default();
    let began = Instant::now();
    let talking: Vec<_> = (0..sessions)
        .map(|number| {
            let (owner, mut bases) = (number % OWNERS, bases.clone());
            let (client, places, answers) =
                (clients[owner].clone(), Arc::clone(&places), Arc::clone(&answers));
            tokio::spawn(async move {
                bases.rotate_left(number % 2);
                let session = {
                    let _place = places.acquire().await.unwrap();
                    client.session(&bases[0], &format!("session{number}")).await
                };
                let mut tries = 0;
                for message in 0..messages {
                    let _place = places.acquire().await.unwrap();
                    let title = title(number, message);
                    tries +=
                        client.insist(&bases, &session, &title, &format!("add {title} to my list")).await;
                    answers.lock().unwrap().push((owner, Instant::now()));
                }
                tries
            })
        })
        .collect();
    let mut said = Vec::new();
    // What happens in the middle of it, one thing after each tenth.
    for step in 1..=8 {
        answered(&answers, all * step / 10).await;
        let (place, at) = (step % 2, Instant::now());
        match step {
            3 | 6 => {
                let server = step / 3;
                nats.kill(server);
                tokio::time::sleep(Duration::from_secs(3)).await;
                nats.run(server);
                said.push((format!("NATS server {server} killed"), at));
            }
            4 => {
                satchels[place].sleep();
                tokio::time::sleep(ASLEEP).await;
                satchels[place].wake();
                said.push((format!("server {place} asleep for {ASLEEP:?}"), at));
            }
            _ => {
                satchels[place].kill();
                // Until the other one has all of it.
                tokio::time::sleep(TAKEOVER).await;
                satchels[place].run();
                said.push((format!("server {place} killed"), at));
            }
        }
    }
    let mut tries = 0;
    for talk in talking {
        tries += talk.await.unwrap();
    }
    let took = began.elapsed();
    let answers = answers.lock().unwrap().clone();
    println!(
        "{all} messages in {sessions} sessions of {OWNERS} owners: {:.0} s, {:.1}/s; sent {} times more than that",
        took.as_secs_f64(),
        f64::from(u32::try_from(all).unwrap()) / took.as_secs_f64(),
        tries - all,
    );
    for (what, at) in &said {
        let (gap, owner) = longest_gap(&answers, *at);
        println!("{what}: longest without an answer {:.1} s (owner{owner})", gap.as_secs_f64());
    }
    let read = Instant::now();
    let written = journals::read(&nats.url(), "satchel").await;
    println!(
        "{} messages of {} sessions in the stream, {} holds; read in {:.1} s",
        written.messages,
        written.sessions,
        written.holds,
        read.elapsed().as_secs_f64()
    );
    assert_eq!((written.sessions, written.answered.len()), (sessions, all));
    let mut missing = 0;
    for number in 0..sessions {
        for message in 0..messages {
            let (owner, title) = (format!("owner{}", number % OWNERS), title(number, message));
            let made = written
                .titles
                .iter()
                .filter(|((of, name), _)| *of == owner && name.eq_ignore_ascii_case(&title));
            let made: u64 = made.map(|(_, count)| *count).sum();
            assert!(made <= 1, "{title} of {owner} is there {made} times");
            missing += 1 - made;
        }
    }
    println!("{missing} to-dos whose tool was told that NATS does not answer");
    assert_eq!(missing, written.failed, "what is not there was said to have failed");

    // And once more with all that was said, where nobody else wants the machine's two cores.
    for base in &bases {
        ready(base).await;
    }
    tokio::time::sleep(2 * lease).await;
    satchels[0].kill();
    let killed = Instant::now();
    let again = clients.iter().map(|client| client.again(&bases[1]));
    let took = futures::future::join_all(again).await;
    let took: Vec<Duration> = took.into_iter().map(|at| at - killed).collect();
    let last = took.iter().max().unwrap();
    println!("the last of {OWNERS} owners is there again {:.1} s after a kill", last.as_secs_f64());
    assert!(*last <= TAKEOVER, "{took:?}");
}

/// The title of a to-do that no other message makes.
fn title(session: usize, message: usize) -> String {
    format!("thing{session}x{message}")
}
