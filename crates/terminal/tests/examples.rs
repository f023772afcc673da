//! The examples do what they say (S3-25, S3-31).
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests may stop where they stand")]

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Command;
use std::thread;

use serde_json::{Value, json};

/// An example, as cargo builds it beside the tests.
fn example(name: &str) -> Command {
    let mut folder: PathBuf = std::env::current_exe().unwrap();
    folder.pop();
    folder.pop();
    let mut command = Command::new(folder.join("examples").join(name));
    command.env("TZ", "Europe/Berlin").env("RUST_BACKTRACE", "0");
    command
}

fn said(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The body of a request that a client sends.
fn body(stream: &mut impl BufRead) -> Value {
    let (mut length, mut line) = (0, String::new());
    while stream.read_line(&mut line).unwrap() > 2 {
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        line.clear();
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).unwrap();
    serde_json::from_slice(&body).unwrap()
}

/// A provider over real HTTP that asks for the weather, and then says what it was told. It gives back what it was sent.
fn provider() -> (String, thread::JoinHandle<Vec<Value>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let call = |id: &str, city: &str| {
        json!({"tool_calls": [{"index": 0, "id": id, "type": "function",
            "function": {"name": "weather", "arguments": json!({"city": city}).to_string()}}]})
    };
    let text = |text: &str| json!({ "content": text });
    let answers = [
        (call("c1", "Paris"), "tool_calls"),
        (text("It is clear in Paris, at 14 °C."), "stop"),
        (call("c2", "London"), "tool_calls"),
        (text("Rain in London, at 11 °C."), "stop"),
        (text("Paris is warmer, by 3 °C."), "stop"),
    ];
    let serving = thread::spawn(move || {
        let one = |(delta, why): (Value, &str)| {
            let (mut stream, _) = listener.accept().unwrap();
            let asked = body(&mut BufReader::new(&stream));
            let chunk = |delta: Value, why: Option<&str>| {
                let chunk = json!({"id": "x", "object": "chat.completion.chunk", "model": "m",
                    "choices": [{"index": 0, "delta": delta, "finish_reason": why}]});
                format!("data: {chunk}\n\n")
            };
            let events = format!("{}{}data: [DONE]\n\n", chunk(delta, None), chunk(json!({}), Some(why)));
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close";
            write!(stream, "{head}\r\ncontent-length: {}\r\n\r\n{events}", events.len()).unwrap();
            asked
        };
        answers.into_iter().map(one).collect()
    });
    (url, serving)
}

#[test]
fn weather_in_three_turns_from_a_tool_of_ones_own() {
    let (url, serving) = provider();
    let said = said(
        example("weather").env("SATCHEL_MODEL", "m").env("OPENAI_BASE_URL", url).env_remove("OPENAI_API_KEY"),
    );
    assert_eq!(
        said,
        "What is the weather in Paris?\n  It is clear in Paris, at 14 °C.\nAnd in London?\n  Rain in London, at 11 °C.\n\
         Which of them is warmer?\n  Paris is warmer, by 3 °C.\n"
    );
    let asked = serving.join().unwrap();
    assert_eq!(asked[0]["tools"][0]["function"]["name"], "weather");
    let results = |request: &Value| -> Vec<String> {
        let messages = request["messages"].as_array().unwrap().iter();
        messages.filter(|m| m["role"] == "tool").map(|m| m["content"].as_str().unwrap().to_owned()).collect()
    };
    assert!(results(&asked[1])[0].contains(r#""celsius":14"#), "{:?}", results(&asked[1]));
    // What the last question is about goes along.
    assert_eq!(results(&asked[4]).len(), 2);
}

#[test]
fn the_weather_example_is_short() {
    let source = include_str!("../../../examples/weather.rs");
    let lines = source.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("//!")).count();
    assert!(lines < 60, "{lines} lines");
}

#[test]
fn without_a_model_the_example_says_what_to_set() {
    let output = example("weather").env_remove("SATCHEL_MODEL").output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("SATCHEL_MODEL"));
}

#[test]
fn a_single_step_is_a_value_in_and_a_value_out() {
    let said = said(&mut example("single_step"));
    assert!(said.starts_with("0: Streaming, 1 entries\n"), "{said}");
    assert!(said.contains("RunningTools") && said.contains(": Complete, "), "{said}");
    assert!(said.trim_end().ends_with("**Buy milk**"), "{said}");
}

#[test]
fn several_turns_stop_when_one_does_not_complete() {
    let said = said(&mut example("several_turns"));
    assert!(said.starts_with("Complete after "), "{said}");
    assert!(said.contains("**Buy milk** — state: open → done"), "{said}");
}

#[test]
fn a_long_conversation_stays_in_its_window_and_keeps_the_fact() {
    let said = said(&mut example("long_conversation"));
    let messages = said.split(", ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    assert!(messages.parse::<usize>().unwrap() <= 21, "{said}");
    assert!(said.contains("\"kept\"") && !said.contains("lost"), "{said}");
}

#[test]
fn a_conversation_is_saved_and_goes_on() {
    let said = said(&mut example("persistence"));
    let (first, rest) = said.split_once('\n').unwrap();
    let counts: Vec<&str> = first.rsplit(": ").next().unwrap().split(" and ").collect();
    assert_eq!(format!("{} entries", counts[0]), counts[1], "{first}");
    assert!(rest.contains("**Buy milk** — state: open → done"), "{rest}");
}
