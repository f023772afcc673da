//! What is elsewhere: models, a collector of spans, a webhook.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};

use serde_json::Value;

use crate::*;

/// A request as it came: its first line and its headers, and its body.
type Request = (String, String);

/// A server that answers every request in the same way, and all that it was asked.
fn server(kind: &'static str, body: &'static str) -> (u16, Arc<Mutex<Vec<Request>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked: Arc<Mutex<Vec<Request>>> = Arc::default();
    let seen = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, seen) = (stream.unwrap(), Arc::clone(&seen));
            std::thread::spawn(move || {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let (mut head, mut line, mut length) = (String::new(), String::new(), 0);
                while reader.read_line(&mut line).unwrap() > 2 {
                    if let Some(text) = line.to_lowercase().strip_prefix("content-length:") {
                        length = text.trim().parse().unwrap();
                    }
                    head.push_str(&std::mem::take(&mut line));
                }
                let mut sent = vec![0; length];
                reader.read_exact(&mut sent).unwrap();
                seen.lock().unwrap().push((head, String::from_utf8(sent).unwrap()));
                let head = format!(
                    "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                    body.len()
                );
                let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes()));
            });
        }
    });
    (port, asked)
}

#[test]
fn models_elsewhere_play_and_their_keys_are_nowhere() {
    let words = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"I see, Ada.\"},\"finish_reason\":null}]}\n\n\
                 data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":9,\"completion_tokens\":3}}\n\n\
                 data: [DONE]\n\n";
    let (port, asked) = server("text/event-stream", words);
    let folder = folder(
        "remote",
        &[
            (
                "a.yaml",
                "name: talk\nclient: {says: [I am Ada.]}\ntools: {mode: none}\nchecks: [{said: I see}]\njudge: Is it polite?\n",
            ),
            (
                "b.yaml",
                "name: play\nclient: {model: client}\nmax_turns: 3\ntools: {mode: none}\nchecks: [{status: [turn_limit]}]\n",
            ),
            (
                "c.yaml",
                "name: ours\nclient: {says: [Hello]}\nassistant: {model: built-in}\ntools: {mode: none}\n",
            ),
        ],
    );
    let config = folder.join("satchel.toml");
    let models = "models = [{ id = \"m\", window = 8000 }]\nkey_env = \"REHEARSED_KEY\"\n";
    fs::write(&config, format!("[upstreams.mine]\nbase_url = \"http://127.0.0.1:{port}/v1\"\n{models}"))
        .unwrap();
    let out = folder.join("out");
    let done = satchel()
        .env("REHEARSED_KEY", "sk-never-to-be-seen")
        .args(["rehearse", folder.join("scenarios").to_str().unwrap(), "--out", out.to_str().unwrap()])
        .args([
            "--config",
            config.to_str().unwrap(),
            "--model",
            "mine/m",
            "--client-model",
            "mine",
            "--judge",
            "mine/m",
        ])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(0), "{}{errors}", String::from_utf8_lossy(&done.stdout));
    let outcomes = outcomes(&out);
    assert_eq!(outcomes["talk#1"]["models"]["assistant"], "m");
    assert_eq!(outcomes["talk#1"]["judgement"]["model"], "m");
    assert_eq!(outcomes["play#1"]["models"]["client"], "m");
    assert_eq!(outcomes["ours#1"]["models"]["assistant"], "built-in");
    let asked = asked.lock().unwrap();
    assert!(asked.len() >= 4 && asked.iter().all(|(head, _)| head.contains("sk-never-to-be-seen")));
    for entry in fs::read_dir(&out).unwrap().chain(fs::read_dir(out.join("runs")).unwrap()) {
        let path = entry.unwrap().path();
        assert!(
            path.is_dir() || !String::from_utf8_lossy(&fs::read(&path).unwrap()).contains("sk-never"),
            "{path:?}"
        );
    }
    assert!(!errors.contains("sk-never"));
}

#[test]
fn spans_go_to_a_collector_too_and_one_that_is_not_there_stops_nothing() {
    let (port, asked) = server("application/json", "{}");
    let folder = folder("otlp", &[("a.yaml", SHORT)]);
    let scenarios = folder.join("scenarios");
    let sent = |url: &str, out: &str| {
        let out = folder.join(out);
        let done = satchel()
            .env("OTEL_EXPORTER_OTLP_HEADERS", "x-key=k-1")
            .args([
                "rehearse",
                scenarios.to_str().unwrap(),
                "--out",
                out.to_str().unwrap(),
                "--repeat",
                "5",
                "--otlp",
                url,
            ])
            .output()
            .unwrap();
        assert_eq!(done.status.code(), Some(0));
        String::from_utf8(done.stderr).unwrap()
    };
    sent(&format!("http://127.0.0.1:{port}"), "out");
    let asked = asked.lock().unwrap();
    assert!(
        asked.iter().all(|(head, _)| head.starts_with("POST /v1/traces ") && head.contains("x-key: k-1"))
    );
    let requests: Vec<Value> = asked.iter().map(|(_, body)| serde_json::from_str(body).unwrap()).collect();
    let spans = requests.iter().flat_map(|request| request["resourceSpans"].as_array().unwrap());
    assert_eq!(spans.count(), 5);
    // Nobody listens there.
    assert!(sent("http://127.0.0.1:9/", "lost").contains("did not come to the collector"));
}

/// A server that answers as the path says, and how often it was asked.
fn webhook() -> (u16, Arc<Mutex<BTreeMap<String, u32>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let asked: Arc<Mutex<BTreeMap<String, u32>>> = Arc::default();
    let seen = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let (mut stream, seen) = (stream.unwrap(), Arc::clone(&seen));
            std::thread::spawn(move || {
                let mut first = String::new();
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                reader.read_line(&mut first).unwrap();
                let mut line = String::new();
                while reader.read_line(&mut line).unwrap() > 2 {
                    line.clear();
                }
                let path = first.split(' ').nth(1).unwrap_or_default().to_owned();
                let times = {
                    let mut seen = seen.lock().unwrap();
                    let times = seen.entry(path.clone()).or_default();
                    *times += 1;
                    *times
                };
                let (status, kind, body) = match path.as_str() {
                    "/good" => (
                        200,
                        "application/json",
                        br#"{"variables": {"who": "Ada"}, "session_id": "s-77"}"#.to_vec(),
                    ),
                    "/later" if times < 3 => (503, "text/plain", b"soon".to_vec()),
                    "/later" => (200, "application/json", br#"{"who": "Ada"}"#.to_vec()),
                    "/broken" => (500, "text/plain", b"it broke".to_vec()),
                    "/html" => (200, "text/html", b"<html><body>Please log in".to_vec()),
                    "/big" => (200, "application/json", vec![b' '; 10_000_000]),
                    "/elsewhere" => (302, "text/plain", Vec::new()),
                    // Never: as long as the other side has patience.
                    _ => {
                        let _ = stream.read(&mut [0]);
                        return;
                    }
                };
                let head = format!(
                    "HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nlocation: http://127.0.0.1:1/\r\nconnection: close\r\n\r\n",
                    body.len()
                );
                // Whoever read enough hangs up.
                let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body));
            });
        }
    });
    (port, asked)
}

#[test]
fn a_webhook_that_fails_is_said_and_the_conversation_goes_on() {
    let kinds = ["good", "later", "broken", "html", "big", "never", "elsewhere"];
    let scenario = |kind: &str| {
        format!(
            "name: {kind}\nvariables: {{client_id: {kind}}}\nclient: {{says: ['I am {{{{ who | default(\"nobody\") }}}}']}}\n\
             assistant: {{script: [{{say: 'Hello {{{{ who | default(\"nobody\") }}}}'}}]}}\ntools: {{mode: none}}\n"
        )
    };
    let files: Vec<(String, String)> =
        kinds.iter().map(|kind| (format!("{kind}.yaml"), scenario(kind))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let folder = folder("webhook", &files);
    let (port, asked) = webhook();
    let url = format!("http://127.0.0.1:{port}/{{client_id}}");
    let (scenarios, out) = (folder.join("scenarios"), folder.join("out"));
    let arguments = [scenarios.to_str().unwrap(), "--webhook", &url, "--webhook-timeout", "2.5", "--out"];
    let done = rehearse(&[&arguments[..], &[out.to_str().unwrap(), "--allow-host", "127.0.0.1"]].concat());
    assert_eq!(done.code, Some(0), "{}{}", done.out, done.errors);
    let outcomes = outcomes(&out);
    let note = |kind: &str| outcomes[&format!("{kind}#1")]["notes"][0]["what"].as_str().unwrap_or_default();
    let said =
        |kind: &str| outcomes[&format!("{kind}#1")]["record"]["conversation_history"][1]["content"].clone();
    assert_eq!((said("good"), said("later")), ("Hello Ada".into(), "Hello Ada".into()));
    assert_eq!(outcomes["good#1"]["record"]["session_id"], "s-77");
    for (kind, says) in [
        ("broken", "status 500"),
        ("html", "text/html"),
        ("big", "kB long"),
        ("never", "did not answer within 2.5 s"),
        ("elsewhere", "status 302"),
    ] {
        assert!(note(kind).contains(says), "{kind}: {}", note(kind));
        assert_eq!(said(kind), "Hello nobody");
    }
    let asked = |kind: &str| asked.lock().unwrap()[&format!("/{kind}")];
    assert_eq!(["good", "later", "broken", "html", "never"].map(asked), [1, 3, 3, 1, 3]);

    // Without being allowed by name, a private address is not asked.
    let refused = folder.join("refused");
    let done = rehearse(&[&arguments[..], &[refused.to_str().unwrap()]].concat());
    assert_eq!(done.code, Some(0), "{}", done.errors);
    let outcomes = self::outcomes(&refused);
    assert!(outcomes["good#1"]["notes"][0]["what"].as_str().unwrap().contains("private address 127.0.0.1"));
    assert_eq!(asked("good"), 1);
}
