//! A tool of a server elsewhere that answers the trip assistant's searches: chosen in the settings, used in the conversation (S4-10).

use e2e::Manner;
use serde_json::{Value, json};

use crate::servers::Ground;

fn find_stays() -> Value {
    json!({"name": "find_stays", "title": "Find stays", "description": "Finds places to stay.", "inputSchema": {
        "type": "object", "required": ["city"],
        "properties": {"city": {"type": "string"}, "check_in": {"type": "string"}, "check_out": {"type": "string"},
            "guests": {"type": "string"}, "sort": {"type": "string"}}},
        "annotations": {"readOnlyHint": true}})
}

/// S4-10, S4-31: a person says in the settings that a tool elsewhere answers searches for hotels, tries it, and the conversation searches there;
/// what cannot be had there is said, and never taken from the demo catalogue unsaid.
#[tokio::test]
async fn a_search_for_hotels_goes_to_the_tool_that_was_chosen_for_it() {
    let on = Ground::start(vec![find_stays()], false).await;
    let stays = json!({"data": {"stays": [
        {"name": "Rue Verte", "total": "1,234.50 €", "ref": 71}, {"name": "Inn", "total": 90, "ref": 72},
    ]}});
    on.server.answers_with("find_stays", stays);
    on.add("").await;
    on.link_is("on").await;
    on.browser.servers().all_on().click().await;
    on.stands("find_stays", "on").await;

    // The form is filled in by the names, and says that this is a guess.
    let servers = on.browser.servers();
    servers.source_search().choose("search_hotels").await;
    servers.source_guess().shown().await;
    for (argument, ours) in [
        ("city", "place"),
        ("check_in", "start"),
        ("check_out", "end"),
        ("guests", "travelers"),
        ("sort", ""),
    ] {
        servers.source_argument().whose("of", argument).holds(ours).await;
    }
    servers.source_argument().whose("of", "sort").choose("=").await;
    servers.source_value().whose("of", "sort").set("price").await;
    servers.source_try().click().await;
    servers.source_list().holds("/data/stays").await;
    servers.source_field().whose("of", "title").holds("/name").await;
    servers.source_field().whose("of", "price").holds("/total").await;
    servers.source_read().says("Rue Verte; Inn").await;
    // With a currency there are prices.
    servers.source_field().whose("of", "currency").choose("=").await;
    servers.source_value().whose("of", "currency").set("EUR").await;
    servers.source_read().says("Rue Verte (1,234.50 EUR)").await;
    let tried = on.server.calls("find_stays").pop().unwrap();
    assert_eq!(
        (&tried["city"], &tried["guests"], &tried["sort"]),
        (&json!("Paris"), &json!("2"), &json!("price"))
    );
    servers.source_keep().click().await;
    servers.source_said().says("searches for hotels").await;
    on.browser.close_dialog().await;

    on.has_called(
        "itinerary_create",
        json!({"title": "Lyon in June", "start": "2026-06-15", "end": "2026-06-18"}),
    )
    .await;
    let lyon = json!({"place": "Lyon", "check_in": "2026-06-15", "check_out": "2026-06-18", "travelers": 2});
    let told = on.has_called("search_hotels", lyon.clone()).await;
    let sent = json!({"city": "Lyon", "check_in": "2026-06-15", "check_out": "2026-06-18", "guests": "2", "sort": "price"});
    assert_eq!(on.server.calls("find_stays").pop(), Some(sent));
    assert!(
        told.contains("2 results of Notes: Rue Verte (1,234.50 EUR)") && told.contains("<tool_output "),
        "{told}"
    );
    assert!(!told.contains("demo result"), "{told}");
    on.browser.chat().calls_of("search_hotels").says("Notes").await;
    // The same within five minutes is not asked there again.
    let count = on.server.calls("find_stays").len();
    let told = on.has_called("search_hotels", lyon).await;
    assert!(told.contains("Rue Verte"), "{told}");
    assert_eq!(on.server.calls("find_stays").len(), count);

    // What cannot be had there is said; the catalogue answers who wants it.
    on.server.behave(Manner::Html);
    let paris = json!({"place": "Paris", "check_in": "2026-06-15", "check_out": "2026-06-18"});
    let told = on.has_called("search_hotels", paris).await;
    assert!(
        told.contains("Notes: ") && told.contains("Nothing was looked up in the demo catalogue"),
        "{told}"
    );
    assert!(!told.contains("Hotel Henriette"), "{told}");
    let told = on.has_called("search_hotels", json!({"place": "Paris", "demo": true})).await;
    assert!(told.contains("demo result") && told.contains("Hotel Henriette"), "{told}");

    // It goes with the server.
    on.programs().await;
    servers.remove().click().await;
    servers.card().gone().await;
    on.browser.close_dialog().await;
    let told = on.has_called("search_hotels", json!({"place": "Paris"})).await;
    assert!(told.contains("demo result"), "{told}");
    on.browser.console_is_clean(&[]).await;
}
