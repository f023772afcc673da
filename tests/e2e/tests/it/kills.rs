//! Kills: of the worker, of the tab, of the whole browser, at any point of a run that writes. What was
//! acknowledged is stored, and nothing is stored twice (T1 to T3, T10; issue 3, acceptance 1).

use std::time::{Duration, Instant};

use e2e::{App, CALL, Chromium, Provider, Reply, Seed, eventually, exactly_once, sse};
use serde_json::{Value, json};

/// How many times the worker or the tab is killed.
const KILLS: usize = 200;

/// As many kills as one run of 20 writes gets.
const KILLS_IN_A_RUN: usize = 20;

/// How many times the browser is killed.
const BROWSERS: usize = 50;

/// A run of twenty writes: five steps of four calls, then an answer. Streams take their time, so that a kill
/// may fall into them.
fn run_of_twenty(name: &str) -> Vec<Reply> {
    let step = |step: usize| {
        let calls: Vec<(String, Value)> = (0..4)
            .map(|n| (format!("call_{n}"), json!({"title": format!("{name} {}", step * 4 + n)})))
            .collect();
        let calls: Vec<_> =
            calls.iter().map(|(id, args)| (id.as_str(), "todo_create", args.clone())).collect();
        Reply::stream(&sse::calls(&calls), 300).slow(2)
    };
    let answer = Reply::stream(&sse::text(&format!("Twenty of {name} are added.")), 200).slow(5);
    (0..5).map(step).chain([answer]).collect()
}

#[tokio::test]
async fn two_hundred_kills_of_worker_or_tab_during_runs_of_twenty_writes() {
    let provider = Provider::start([]).await;
    let app = App::start_before(&provider);
    let browser = Chromium::start().await;
    let mut seed = Seed::new(0x0200_dead);
    let started = Instant::now();
    let mut leader = browser.tab(&app.url()).await;
    leader.ready().await;
    leader.choose_model("gateway:test/m").await;
    provider.push([Reply::says("Hello.")]);
    leader.say("hello").await;
    leader.chat().message().until(&line("Hello.")).await;
    leader.idle().await;
    // A second tab stands by, so that somebody goes on at once when the first is killed.
    let mut spare = browser.tab(&app.url()).await;
    spare.ready().await;
    spare.chat().message().until(&line("Hello.")).await;

    let (mut kills, mut of_tabs, mut runs) = (0, 0, 0);
    let mut asked = vec![];
    while kills < KILLS {
        runs += 1;
        let name = format!("run {runs}");
        provider.answer_by_step(run_of_twenty(&name));
        asked.extend((0..20).map(|n| format!("{name} {n}")));
        leader.chat().takes_a_message().await;
        leader.say(&name).await;
        // What the other tab sees is saved; from here on nothing may be lost.
        spare.chat().message().until(&line(&name)).await;
        for _ in 0..KILLS_IN_A_RUN.min(KILLS - kills) {
            kills += 1;
            let of_worker = seed.below(4) > 0;
            if of_worker {
                // The one before it was stopped just now; the next call starts another. None comes when the run has ended.
                eventually(Duration::from_secs(2), || browser.has_worker()).await;
            }
            tokio::time::sleep(Duration::from_millis(seed.below(60))).await;
            if of_worker {
                leader.stop_workers().await;
            } else {
                of_tabs += 1;
                if seed.below(2) == 0 {
                    leader.crash().await
                } else {
                    leader.close().await
                }
                leader = spare;
                spare = browser.tab(&app.url()).await;
                spare.ready().await;
            }
        }
        leader.chat().message().until(&line(&format!("Twenty of {name} are added."))).await;
        leader.idle().await;
        spare.chat().message().until(&line(&format!("Twenty of {name} are added."))).await;
    }
    println!("{kills} kills ({of_tabs} of tabs) in {runs} runs, {:?}", started.elapsed());
    let ended = browser.worker_ends();
    println!("{ended} workers ended");
    // A few stops may come to a run that has ended, or to a worker that is just starting.
    assert!(ended >= (KILLS - of_tabs) * 3 / 4, "workers were stopped: {ended} of {}", KILLS - of_tabs);
    assert!(of_tabs >= KILLS / 8, "tabs were killed: {of_tabs}");
    exactly_once("200 kills", &asked, &asked, &leader.titles().await);
    // The saved conversation too: every call that a response asked for has one answer, none more (D-05).
    let log = leader.eval(CALLS_AND_ANSWERS).await;
    assert_eq!(
        log["calls"].as_array().unwrap().len(),
        asked.len(),
        "each write was asked for by one saved response"
    );
    assert_eq!(log["calls"], log["answers"], "each call has its answer, once, in order");
    assert_eq!(log["failed"], 0, "each answer is a good one");
    // A part of the page whose fetch died with the worker is complained of, and fetched again.
    leader.console_is_clean(&["TypeError: Failed to fetch"]);
}

/// The ids of the calls in the saved responses and of the saved answers, in the order of the log, and how many of
/// the answers are failures.
const CALLS_AND_ANSWERS: &str = r#"
    const open = indexedDB.open("satchel-conversations");
    const db = await new Promise((done, no) => { open.onsuccess = () => done(open.result); open.onerror = () => no(open.error); });
    const all = db.transaction("entries").objectStore("entries").getAll();
    const records = await new Promise((done, no) => { all.onsuccess = () => done(all.result); all.onerror = () => no(all.error); });
    db.close();
    const entries = records.map(record => JSON.parse(record.json));
    const answers = entries.flatMap(entry => [...(entry.result ? [entry.result] : []), ...(entry.repairs ?? [])]);
    return {
        calls: entries.flatMap(entry => (entry.calls ?? []).map(it => it.call.id)),
        answers: answers.map(answer => answer.call_id),
        failed: answers.filter(answer => answer.is_error).length,
    };"#;

/// One of the lines of a message is this.
fn line(text: &str) -> String {
    format!("all.some(e => e.innerText.split('\\n').includes({}))", json!(text))
}

#[tokio::test]
async fn fifty_kills_of_the_browser_lose_no_acknowledged_write() {
    let app = App::start();
    let profile = tempfile::tempdir().unwrap();
    let mut seed = Seed::new(0x519_2119);
    let (mut asked, mut acked): (Vec<String>, Vec<String>) = (vec![], vec![]);
    for round in 0..=BROWSERS {
        let browser = Chromium::start_in(profile.path()).await;
        let tab = browser.tab(&app.url()).await;
        tab.ready().await;
        let stored = tab.titles().await;
        let lost: Vec<_> = acked.iter().filter(|title| !stored.contains(title)).collect();
        assert!(lost.is_empty(), "lost with browser {round}: {lost:?}");
        if round == BROWSERS {
            exactly_once("50 browsers killed", &asked, &acked, &stored);
            assert!(stored.len() - acked.len() <= 4 * BROWSERS, "no more than what was on the way");
            tab.console_is_clean(&[]);
            browser.close().await;
            break;
        }
        // Four writers; each write leaves the page by a binding as soon as it is acknowledged.
        for name in ["asked", "acked"] {
            tab.session.send("Runtime.addBinding", json!({"name": name})).await;
        }
        tab.eval(&format!(
            r#"{CALL} for (const writer of [0, 1, 2, 3]) (async () => {{
                for (let n = 0; ; n++) {{
                    const title = `${{writer}} ${{n}} of {round}`;
                    asked(title);
                    const reply = await call("todo_create", {{title}}, title);
                    if (!reply.result || reply.result.isError) return;
                    acked(title);
                }}
            }})();"#
        ))
        .await;
        let devtools = browser.devtools.clone();
        let called = |name: &str| -> Vec<String> {
            let calls = devtools.events("Runtime.bindingCalled").into_iter();
            let calls = calls.filter(|event| event.params["name"] == name);
            calls.map(|event| event.params["payload"].as_str().unwrap().to_owned()).collect()
        };
        let begun = eventually(Duration::from_secs(20), || async { !called("acked").is_empty() }).await;
        assert!(begun, "a first write is acknowledged");
        tokio::time::sleep(Duration::from_millis(seed.below(120))).await;
        browser.kill().await;
        // What was asked last may have got to the worker and not to us: what the browser had still to tell us died with it, on a
        // busy machine a few writes of each writer.
        const UNHEARD: usize = 8;
        let heard = called("asked");
        for writer in 0..4 {
            let before = heard.iter().filter(|title| title.starts_with(&format!("{writer} "))).count();
            asked.extend((0..before + UNHEARD).map(|n| format!("{writer} {n} of {round}")));
        }
        acked.extend(called("acked"));
    }
}

/// What a Chromium leaves that is killed between a record's head and its body: a checksum, a length and the kind of a whole record
/// (LevelDB's log format).
const CUT_OFF: [u8; 7] = [1, 2, 3, 4, 200, 0, 1];

#[tokio::test]
async fn a_record_that_was_cut_off_takes_nothing_with_it_that_came_later() {
    let app = App::start();
    let profile = tempfile::tempdir().unwrap();
    let folder = e2e::indexed_db(profile.path(), app.port());
    let asked = |start: usize| format!("add item {start}");
    for start in 0..4 {
        let browser = Chromium::start_in(profile.path()).await;
        let tab = browser.tab(&app.url()).await;
        tab.ready().await;
        tab.idle().await;
        // What was said has no second copy, unlike the to-dos.
        for before in 0..start {
            let said = tab.eval(EVERYTHING_SAID).await;
            assert!(said.to_string().contains(&asked(before)), "start {start} has {before}: {said}");
        }
        tab.chat().takes_a_message().await;
        tab.say(&asked(start)).await;
        tab.idle().await;
        let titles = || async { tab.titles().await.len() == start + 1 };
        assert!(eventually(Duration::from_secs(20), titles).await, "start {start}: {:?}", tab.titles().await);
        browser.kill().await;
        let files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let log = files.filter(|file| file.extension().is_some_and(|it| it == "log")).max().expect("a log");
        let mut log = std::fs::OpenOptions::new().append(true).open(log).unwrap();
        std::io::Write::write_all(&mut log, &CUT_OFF).unwrap();
    }
}

/// All entries of all conversations.
const EVERYTHING_SAID: &str = r#"
    const open = indexedDB.open("satchel-conversations");
    const db = await new Promise((done, no) => { open.onsuccess = () => done(open.result); open.onerror = () => no(open.error); });
    if (!db.objectStoreNames.contains("entries")) return [];
    const all = db.transaction("entries").objectStore("entries").getAll();
    const records = await new Promise((done, no) => { all.onsuccess = () => done(all.result); all.onerror = () => no(all.error); });
    db.close();
    return records.map(record => JSON.parse(record.json));"#;
