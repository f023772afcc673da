//! A trip's map, budget, travellers, what is known of them, and how it leaves, by hand.

use std::time::Duration;

use e2e::{App, Browser, eventually, opened};
use serde_json::{Value, json};

use crate::accessibility::{axe, violations};

/// Calls a tool of the worker as another program would, and gives its answer.
async fn call(browser: &Browser, tool: &str, arguments: Value) -> Value {
    let answer = browser.call(tool, &arguments, None).await;
    let structured = answer["result"]["structuredContent"].clone();
    assert!(structured.is_object(), "{tool} {arguments}: {answer}");
    structured
}

/// A trip with a flight, a hotel and a visit, which is open.
async fn open_trip(app: App) -> (App, Browser, String) {
    let (app, browser) = opened(app).await;
    let made = call(
        &browser,
        "itinerary_create",
        json!({ "title": "Paris in June", "start": "2026-06-15", "end": "2026-06-22", "currency": "EUR" }),
    )
    .await;
    let id = made["itineraryId"].as_str().unwrap().to_owned();
    let flight = json!({ "itinerary": id, "from": "BER", "to": "CDG", "start": "2026-06-15T09:00", "end": "2026-06-15T10:50",
        "title": "Flight to Paris", "cost": 450, "code": "XYZ123" });
    call(&browser, "add_flight", flight).await;
    let hotel = json!({ "itinerary": id, "place": "Hotel Fabric, Paris", "start": "2026-06-15", "end": "2026-06-22", "cost": 3800 });
    call(&browser, "add_hotel", hotel).await;
    let louvre = json!({ "itinerary": id, "title": "Louvre", "place": "Louvre", "start": "2026-06-16T10:00", "end": "2026-06-16T13:00" });
    call(&browser, "add_activity", louvre).await;
    browser.trips().tab().click().await;
    browser.trips().open().click().await;
    (app, browser, id)
}

/// The list says what the map shows, and a day can be chosen for both.
#[tokio::test]
async fn the_map_has_numbered_stops_an_arc_and_a_list() {
    let (_app, browser, _) = open_trip(App::start()).await;
    browser.trips().show_map().click().await;
    let sections = browser.trip_sections();
    sections.map().is("drawn", "true").await;
    sections.stop().with("Louvre").shown().await;
    browser
        .until(
            "the flight is an arc",
            "return document.querySelectorAll('.world-map path.world-flight').length === 1",
        )
        .await;
    sections.spot().focus().await;
    sections.spot().click_unseen().await;
    browser
        .until("its stop has the focus", "return document.activeElement?.classList.contains('trip-stop')")
        .await;
    sections.map_day().choose("2026-06-16").await;
    sections.stop().are(1).await;
    sections.stop().with("Louvre").shown().await;
    browser.console_is_clean(&[]).await;
}

#[tokio::test]
async fn a_budget_is_set_and_what_is_left_is_told() {
    let (_app, browser, id) = open_trip(App::start()).await;
    browser.trips().show_budget().click().await;
    let sections = browser.trip_sections();
    sections.in_all().says("4,250 EUR").await;
    sections.unpriced().says("Louvre").await;
    sections.budget_edit().click().await;
    sections.currency().holds("EUR").await;
    sections.amount().fill("five").await;
    sections.budget_save().click().await;
    browser.says("Write an amount").await;
    sections.amount().holds("five").await;
    sections.amount().fill("5000").await;
    sections.budget_save().click().await;
    sections.left().says("750 EUR left").await;
    let known = call(&browser, "get_itinerary", json!({ "itinerary": id })).await;
    assert_eq!(known["itinerary"]["budget"], json!({ "minor": 500_000, "currency": "EUR" }));
}

#[tokio::test]
async fn a_traveller_is_added_by_hand_and_what_is_wrong_is_said_with_all_still_there() {
    let (_app, browser, id) = open_trip(App::start()).await;
    browser.trips().show_people().click().await;
    let sections = browser.trip_sections();
    sections.traveller_add().click().await;
    sections.traveller_name().focused().await;
    sections.traveller_name().fill("Ada").await;
    sections.country().fill("DE").await;
    sections.traveller_save().click().await;
    sections.traveller_wrong().says("until when").await;
    sections.traveller_name().holds("Ada").await;
    sections.until().set("2026-06-18").await;
    sections.traveller_save().click().await;
    sections.person().with("Ada").shown().await;
    // It ends before the trip does.
    sections.told().says("passport").await;
    let known = call(&browser, "get_itinerary", json!({ "itinerary": id })).await;
    let passport = &known["itinerary"]["travellers"][0]["passport"];
    assert_eq!(*passport, json!({ "country": "DE", "valid_until": "2026-06-18" }));
    sections.person_remove().click().await;
    sections.person().gone().await;
    browser.until("the focus is kept", "return document.activeElement?.id === 'trip-travellers-title'").await;
}

/// A correction begins with what is known, also where only nights or a sum are (D-20).
#[tokio::test]
async fn what_is_known_is_corrected_and_forgotten() {
    let (_app, browser, id) = open_trip(App::start()).await;
    let said = json!({ "itinerary": id, "dates": { "value": { "nights": 7, "around": "June" }, "said": "a week in June" },
        "budget": { "value": { "amount": 5000, "currency": "USD" }, "said": "5000 dollars" } });
    call(&browser, "update_preferences", said).await;
    browser.trips().show_people().click().await;
    let sections = browser.trip_sections();
    sections.known_dates().says("a week in June").await;
    sections.known_travelers().says("Not said").await;
    sections.known_dates().within("[data-testid=trip-correct]").click().await;
    sections.nights().holds("7").await;
    sections.profile_save().click().await;
    sections.known_dates().says("7 nights, June").await;
    sections.known_budget().within("[data-testid=trip-correct]").click().await;
    sections.said_amount().holds("5000").await;
    sections.said_currency().holds("USD").await;
    sections.said_amount().fill("6000").await;
    sections.profile_save().click().await;
    sections.known_budget().says("6,000 USD").await;
    sections.known_dates().within("[data-testid=trip-forget]").click_unseen().await;
    sections.known_dates().until("!all[0]?.textContent.includes('7 nights')").await;
    let known = call(&browser, "get_itinerary", json!({ "itinerary": id })).await;
    assert_eq!(
        (&known["profile"]["dates"], &known["profile"]["budget"]["value"]["minor"]),
        (&Value::Null, &json!(600_000))
    );
}

/// Codes leave only where the person says so; what is printed is the trip alone.
#[tokio::test]
async fn a_trip_leaves_as_a_file_and_on_paper_without_what_is_private() {
    let (_app, browser, _) = open_trip(App::start()).await;
    browser.trips().show_share().click().await;
    let sections = browser.trip_sections();
    browser.eval("window.saved = []; const make = URL.createObjectURL; URL.createObjectURL = (blob) => { blob.text().then(text => saved.push(text)); return make(blob); }; window.print = () => { window.printed = document.querySelector('.trip-paper')?.innerText ?? document.querySelector('.trip-paper')?.textContent; }; return true").await;
    sections.save_file().click().await;
    let is_saved =
        || async { browser.eval("return saved.length === 1 && saved[0].includes('Louvre')").await == true };
    assert!(eventually(Duration::from_secs(20), is_saved).await, "the file is saved");
    assert_eq!(browser.eval("return saved[0].includes('XYZ123')").await, false);
    sections.private().click().await;
    sections.save_file().click().await;
    let is_saved =
        || async { browser.eval("return saved.length === 2 && saved[1].includes('XYZ123')").await == true };
    assert!(eventually(Duration::from_secs(20), is_saved).await, "with its code");
    sections.print().click().await;
    browser
        .until(
            "all rows are on paper",
            "return ['Flight to Paris', 'Louvre', 'XYZ123'].every(word => window.printed?.includes(word))",
        )
        .await;
    browser.eval("dispatchEvent(new Event('afterprint')); return true").await;
    sections.paper().gone().await;
    // Whoever presses Ctrl+P gets the same.
    browser.eval("dispatchEvent(new Event('beforeprint')); return true").await;
    sections.paper().until("all[0]?.textContent.includes('Louvre')").await;
}

#[tokio::test]
async fn axe_finds_nothing_serious_in_the_sections_of_a_trip() {
    let axe = axe();
    let (_app, browser, _) = open_trip(App::start()).await;
    let mut found = Vec::new();
    let (trips, sections) = (browser.trips(), browser.trip_sections());
    trips.show_map().click().await;
    sections.map().is("drawn", "true").await;
    found.extend(violations(&browser, &axe, "map").await);
    trips.show_budget().click().await;
    sections.budget_edit().click().await;
    found.extend(violations(&browser, &axe, "budget").await);
    trips.show_people().click().await;
    sections.traveller_add().click().await;
    sections.known_dates().within("[data-testid=trip-correct]").click().await;
    found.extend(violations(&browser, &axe, "travellers").await);
    trips.show_share().click().await;
    found.extend(violations(&browser, &axe, "share").await);
    assert!(found.is_empty(), "{found:#?}");
}
