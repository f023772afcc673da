//! The three turns of a trip with a model elsewhere, whose every request is read: what nobody said is refused, offers say that they are a
//! demo, and adding is never called booking (S4-07, S4-13, S4-15, S4-18 to S4-20 with their traps, D-20).

use e2e::{Provider, Reply, sse, with_model};
use serde_json::{Value, json};

/// The results that the last request brought, in their order: the tool of the call that each answers, and its text.
fn results(provider: &Provider) -> Vec<(String, String)> {
    let request = provider.requests().pop().unwrap();
    let messages = request["messages"].as_array().unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let from = messages.iter().rposition(|message| message["tool_calls"].is_array()).unwrap();
    let calls = messages[from]["tool_calls"].as_array().unwrap();
    let answered = &messages[from + 1..];
    assert_eq!(answered.len(), calls.len(), "one result for each call");
    let tool = |id: &Value| text(&calls.iter().find(|call| &call["id"] == id).unwrap()["function"]["name"]);
    answered.iter().map(|message| (tool(&message["tool_call_id"]), text(&message["content"]))).collect()
}

/// The JSON of a result that travelled whole, between the marks that delimit it.
fn data(result: &str) -> Value {
    let inner = result.split_once('\n').and_then(|(_, rest)| rest.rsplit_once('\n'));
    inner
        .and_then(|(inner, _)| serde_json::from_str(inner).ok())
        .unwrap_or_else(|| panic!("no JSON: {result}"))
}

/// The names of the tools that a request offered.
fn offered(request: &Value) -> Vec<&str> {
    request["tools"].as_array().unwrap().iter().filter_map(|tool| tool["function"]["name"].as_str()).collect()
}

/// Answers with several calls at once.
fn calls(all: &[(&str, &str, Value)]) -> Reply {
    Reply::stream(&sse::calls(all), usize::MAX)
}

#[tokio::test]
async fn three_turns_with_a_model_elsewhere_in_which_nothing_is_made_up() {
    let provider = Provider::start([]).await;
    let (_app, browser) = with_model(&provider, json!({})).await;

    // S4-18: the model makes up that four travel. That is refused with what to do, and the person is asked.
    provider.push([
        Reply::calls(
            "c1",
            "itinerary_create",
            json!({ "title": "Paris in June", "destinations": ["Paris"] }),
        ),
        Reply::calls(
            "c2",
            "update_preferences",
            json!({
                "destination": { "value": ["Paris"], "said": "a week in Paris" },
                "travelers": { "value": 4, "said": "for my family" },
            }),
        ),
        Reply::calls(
            "c3",
            "ask_person",
            json!({ "questions": [
            { "id": "who", "question": "How many travel?", "type": "text" },
            { "id": "bed", "question": "Where do you like to sleep?", "type": "single_choice", "options": [
                { "id": "hotel", "label": "Hotel", "description": "with service" },
                { "id": "boutique", "label": "Boutique hotel", "description": "small, with character" },
                { "id": "rental", "label": "Rental", "description": "a flat with a kitchen" },
            ] },
        ] }),
        ),
        Reply::says("Noted. Shall I look for hotels?"),
    ]);
    browser.send("Plan a week in Paris in June for my family").await;
    browser.approvals().send().shown().await;
    let requests = provider.requests();
    assert!(offered(&requests[0]).contains(&"itinerary_create"));
    assert!(!offered(&requests[0]).contains(&"update_preferences"), "there is nothing yet to work on");
    assert!(offered(&requests[1]).contains(&"update_preferences"), "what there is now can be worked on");
    let (_, refused) = results(&provider).pop().unwrap();
    assert!(refused.contains("does not say that 4 travel"), "{refused}");
    browser.approvals().words().set("4, two of them children").await;
    browser.approvals().option().nth(1).click().await;
    browser.approvals().send().click().await;
    browser.says("Noted. Shall I look for hotels?").await;
    browser.idle().await;
    let answers = results(&provider).pop().unwrap().1;
    assert!(answers.contains("4, two of them children") && answers.contains("boutique"), "{answers}");
    // The trip of the requirement is on the screen, and nobody travels yet who was not named.
    let shown = browser.call("get_itinerary", &json!({}), None).await["result"]["structuredContent"].clone();
    assert_eq!(
        (&shown["profile"].get("travelers"), &shown["itinerary"]["title"]),
        (&None, &json!("Paris in June"))
    );

    // S4-19: two calls in one answer; each has one result in the next request, in their order.
    provider.push([
        calls(&[
            ("call_1", "get_itinerary", json!({})),
            ("call_2", "search_hotels", json!({ "place": "Paris", "month": "June", "budget": 5000, "currency": "USD", "travelers": 4 })),
        ]),
        Reply::says(
            "Three from the demo catalogue, 7 nights: Hotel Henriette for $3,200, Hotel Providence for $4,100, Hotel Fabric for $3,800.",
        ),
    ]);
    browser.send("Yes, for up to $5,000").await;
    browser.says("Hotel Fabric for $3,800").await;
    browser.idle().await;
    let both = results(&provider);
    assert_eq!(
        both.iter().map(|(tool, _)| tool.as_str()).collect::<Vec<_>>(),
        ["get_itinerary", "search_hotels"]
    );
    // Three hotels are too long to travel whole: in short are all three with their prices, and the first of them as it is.
    for part in [
        "Hotel Henriette (3,200 USD); Hotel Providence (4,100 USD); Hotel Fabric (3,800 USD)",
        "an invented catalogue",
        "mem://search_hotels/",
        r#""title":"Hotel Henriette""#,
    ] {
        assert!(both[1].1.contains(part), "{part} in {}", both[1].1);
    }
    let asked =
        json!({ "place": "Paris", "month": "June", "budget": 5000, "currency": "USD", "travelers": 4 });
    let found = browser.call("search_hotels", &asked, None).await["result"]["structuredContent"].clone();
    for (hotel, price) in
        [("Hotel Henriette", 320_000), ("Hotel Providence", 410_000), ("Hotel Fabric", 380_000)]
    {
        let of = found["found"].as_array().unwrap().iter().find(|of| of["title"] == hotel);
        let of = of.unwrap_or_else(|| panic!("{hotel} in {found}"));
        assert_eq!((&of["price"]["minor"], &of["demo"]), (&json!(price), &json!(true)), "{of}");
        assert!(
            !of["pros"].as_array().unwrap().is_empty() && !of["cons"].as_array().unwrap().is_empty(),
            "{of}"
        );
    }
    let fabric = found["found"].as_array().unwrap().iter().find(|of| of["title"] == "Hotel Fabric").unwrap();

    // S4-20: “book” adds it and looks; the row says what was not done, whatever the model says.
    provider.push([
        calls(&[
            ("call_3", "add_hotel", json!({ "from_search": fabric["id"], "start": "2026-06-15", "end": "2026-06-22" })),
            ("call_4", "get_itinerary", json!({})),
        ]),
        Reply::says("Hotel Fabric is on your itinerary from 15 to 22 June; nothing was booked. A food tour, the Louvre or a Seine cruise next?"),
    ]);
    browser.send("Book Hotel Fabric").await;
    browser.says("A food tour, the Louvre or a Seine cruise next?").await;
    browser.idle().await;
    let both = results(&provider);
    let added = data(&both[0].1);
    assert!(added["summary"].as_str().unwrap().contains("nothing was booked"), "{added}");
    assert_eq!(added["itineraryUpdated"], json!(true), "{added}");
    assert_eq!(added["segmentsModified"].as_array().map(Vec::len), Some(1), "{added}");
    assert!(both[1].1.contains("Hotel Fabric"), "what was added is there: {}", both[1].1);
    browser.console_is_clean(&[]).await;
}
