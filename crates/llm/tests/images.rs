//! Pictures beside the person's words, as each provider takes them (S0-63).

use crate::asked;

use std::sync::Arc;

use llm::{Endpoint, Wire};
use protocol::{Image, Message};
use serde_json::{Value, json};

use asked::request;

fn image(data: &str) -> Arc<Image> {
    let (name, media_type) = ("roof.jpg".into(), "image/jpeg".into());
    Arc::new(Image { name, media_type, data: data.into(), width: 1_568, height: 1_045 })
}

fn body(wire: Wire, messages: Vec<Message>) -> Value {
    let request = request(messages);
    let endpoint = Endpoint { wire, ..Endpoint::open("https://models.example.org/v1") };
    serde_json::from_slice(&endpoint.encode(&request).body).unwrap()
}

#[test]
fn each_wire_has_its_own_form() {
    let system = || Message::System { content: "You are a test.".into() };
    let both =
        || Message::User { content: "What is this?".into(), images: vec![image("AAAA"), image("BBBB")] };
    let alone = || Message::User { content: String::new(), images: vec![image("AAAA")] };
    let said = |wire: Wire, message: Message| body(wire, vec![system(), message]);

    let url = |data: &str| format!("data:image/jpeg;base64,{data}");
    let part = |data: &str| json!({"type": "image_url", "image_url": {"url": url(data)}});
    let chat = said(Wire::OpenAiChat, both());
    let text = json!({"type": "text", "text": "What is this?"});
    assert_eq!(chat["messages"][1], json!({"role": "user", "content": [text, part("AAAA"), part("BBBB")]}));
    assert_eq!(said(Wire::OpenAiChat, alone())["messages"][1]["content"], json!([part("AAAA")]));

    let part = |data: &str| json!({"type": "input_image", "image_url": url(data)});
    let responses = said(Wire::OpenAiResponses, both());
    let words = json!({"type": "input_text", "text": "What is this?"});
    assert_eq!(
        responses["input"][1],
        json!({"role": "user", "content": [words, part("AAAA"), part("BBBB")]})
    );
    assert_eq!(said(Wire::OpenAiResponses, alone())["input"][1]["content"], json!([part("AAAA")]));

    let part = |data: &str| {
        let source = json!({"type": "base64", "media_type": "image/jpeg", "data": data});
        json!({"type": "image", "source": source})
    };
    let mut anthropic = said(Wire::AnthropicMessages, both());
    let blocks = anthropic["messages"][0]["content"].as_array_mut().unwrap();
    assert_eq!(blocks[..2], [part("AAAA"), part("BBBB")]);
    assert_eq!(blocks[2]["text"], "What is this?");
    // Picture alone: it is the last block, which carries the mark of the cache.
    let alone = said(Wire::AnthropicMessages, alone());
    assert_eq!(alone["messages"][0]["content"][0]["source"]["data"], "AAAA");
    assert_eq!(alone["messages"][0]["content"].as_array().unwrap().len(), 1);
}

/// A picture costs by its size: a full one about what providers charge, and the limit on spending knows it.
#[test]
fn a_picture_is_counted_before_it_is_sent() {
    let tokens = |images: Vec<Arc<Image>>| {
        let message = Message::User { content: "What is this?".into(), images };
        llm::estimated_tokens(&request([message]))
    };
    let (without, with) = (tokens(vec![]), tokens(vec![image("AAAA")]));
    assert_eq!(with - without, 2_185);
}
