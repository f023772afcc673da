//! The checker on whatever rows there may be: it never panics, says the same whatever the order, and an idea far away changes nothing.

use proptest::prelude::*;
use trip::check::check;
use trip::{
    Assumptions, Itinerary, Kind, Mode, Money, Passport, Place, Segment, Status, Traveller, Visa, When,
};

fn at() -> BoxedStrategy<String> {
    prop_oneof![
        6 => (2025_i32..2028, 1_u32..13, 1_u32..29, 0_u32..24, 0_u32..60)
            .prop_map(|(year, month, day, hour, minute)| format!("{year}-{month:02}-{day:02}T{hour:02}:{minute:02}")),
        // Close together, so that rows meet.
        8 => (1_u32..9, 0_u32..24, 0_u32..60).prop_map(|(day, hour, minute)| format!("2026-03-{:02}T{hour:02}:{minute:02}", day + 24 - 1)),
        4 => (1_u32..9).prop_map(|day| format!("2026-03-{:02}", day + 24 - 1)),
        1 => prop_oneof![
            Just("9999-12-31T23:59"), Just("0000-01-01T00:00"), Just("0001-01-01"), Just("9999-12-31"), Just("2026-02-30"), Just(""),
            Just("-9999-01-01"), Just("next week"), Just("2026-03-29T02:30"), Just("２０２６-03-29"), Just("2026-03-29T02:30:00+99:00"),
        ].prop_map(str::to_owned),
        1 => ".{0,20}",
    ]
    .boxed()
}

fn zone() -> BoxedStrategy<String> {
    prop_oneof![
        6 => prop_oneof![
            Just("Europe/Berlin"), Just("Europe/Paris"), Just("America/New_York"), Just("Australia/Lord_Howe"), Just("Pacific/Apia"),
            Just("Pacific/Kiritimati"), Just("Pacific/Pago_Pago"), Just("Asia/Kathmandu"), Just("UTC"), Just(""),
        ].prop_map(str::to_owned),
        1 => ".{0,12}",
    ]
    .boxed()
}

fn degree() -> BoxedStrategy<Option<f64>> {
    prop_oneof![
        8 => (-90.0..90.0).prop_map(Some),
        2 => Just(None),
        1 => prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(-1e300), Just(180.0), Just(-0.0), Just(90.0)].prop_map(Some),
    ]
    .boxed()
}

fn place() -> BoxedStrategy<Option<Place>> {
    let country = prop_oneof![Just("FR"), Just("DE"), Just("JP"), Just(""), Just("?")];
    let iata = prop_oneof![3 => Just(""), 1 => Just("CDG"), 1 => Just("JFK")];
    let known = (".{0,8}", country, degree(), degree(), zone(), iata).prop_map(
        |(name, country, lat, lon, zone, iata)| {
            Some(Place {
                name,
                city: String::new(),
                country: country.into(),
                lat,
                lon,
                zone,
                iata: iata.into(),
            })
        },
    );
    prop_oneof![3 => known, 1 => Just(None)].boxed()
}

fn money() -> BoxedStrategy<Option<Money>> {
    let minor =
        prop_oneof![4 => 0_i64..1_000_000, 1 => Just(i64::MAX), 1 => Just(i64::MIN), 1 => any::<i64>()];
    let currency = prop_oneof![Just("EUR"), Just("JPY"), Just("KWD"), Just("")];
    prop_oneof![
        2 => (minor, currency).prop_map(|(minor, currency)| Some(Money { minor, currency: currency.into() })),
        1 => Just(None),
    ]
    .boxed()
}

fn segment() -> BoxedStrategy<Segment> {
    let when =
        || prop_oneof![5 => (at(), zone()).prop_map(|(at, zone)| Some(When { at, zone })), 1 => Just(None)];
    let opening = prop_oneof![
        2 => Just(String::new()),
        1 => prop_oneof![Just("Mo-Fr 09:00-18:00; Sa off"), Just("24/7"), Just("Fr-Sa 22:00-06:00"), Just("off")].prop_map(str::to_owned),
        1 => ".{0,20}",
    ];
    let who = prop::collection::vec(prop_oneof![Just("a"), Just("b"), Just("stranger")], 0..3);
    let room = prop_oneof![Just(None), Just(Some(0)), Just(Some(1)), Just(Some(u32::MAX))];
    let kind = prop::sample::select(Kind::ALL);
    let mode = prop_oneof![1 => Just(None), 2 => prop::sample::select(Mode::ALL).prop_map(Some)];
    let status = prop::sample::select(Status::ALL);
    (
        (kind, ".{0,12}", status, when(), when(), place(), place(), place()),
        (money(), opening, room.clone(), room, mode, who, any::<i32>(), any::<i64>()),
    )
        .prop_map(
            |(
                (kind, title, status, start, end, from, to, place),
                (cost, opening, sleeps, rooms, mode, who, rank, made),
            )| {
                let mut segment = Segment::new(String::new(), "trip".into(), kind, title);
                segment.status = status;
                (segment.start, segment.end) = (start, end);
                (segment.from, segment.to, segment.place) = (from, to, place);
                (segment.cost, segment.opening, segment.sleeps, segment.rooms) =
                    (cost, opening, sleeps, rooms);
                segment.mode = mode;
                segment.who = who.into_iter().map(str::to_owned).collect();
                (segment.rank, segment.created_ms) = (rank, made);
                segment
            },
        )
        .boxed()
}

fn segments() -> BoxedStrategy<Vec<Segment>> {
    let all = prop::collection::vec(segment(), 0..40).prop_map(|mut all| {
        for (number, segment) in all.iter_mut().enumerate() {
            segment.id = format!("s{number}");
        }
        all
    });
    all.boxed()
}

fn itinerary() -> BoxedStrategy<Itinerary> {
    let day = || prop_oneof![1 => Just(None), 3 => at().prop_map(|at| Some(at.chars().take(10).collect()))];
    let figures = prop_oneof![Just(None), Just(Some(0)), Just(Some(u32::MAX)), (1_u32..500).prop_map(Some)];
    (day(), day(), place(), money(), at(), at(), prop::collection::vec(figures, 8))
        .prop_map(|(start, end, home, budget, from, until, figures)| {
            let traveller = |id: &str| Traveller {
                id: id.into(),
                name: id.to_uppercase(),
                born: Some(from.clone()),
                passport: Some(Passport {
                    country: "DE".into(),
                    valid_until: until.chars().take(10).collect(),
                }),
                visas: vec![Visa {
                    country: "JP".into(),
                    valid_from: from.clone(),
                    valid_until: until.clone(),
                }],
                ..Traveller::default()
            };
            Itinerary {
                id: "trip".into(),
                title: "Anywhere".into(),
                start,
                end,
                home,
                budget,
                travellers: vec![traveller("a"), traveller("b")],
                assumptions: Assumptions {
                    connection_domestic_min: figures[0],
                    connection_international_min: figures[1],
                    before_flight_min: figures[2],
                    leave_airport_min: figures[3],
                    walking_kmh: figures[4],
                    driving_kmh: figures[5],
                    rail_kmh: figures[6],
                    room_sleeps: figures[7],
                },
                ..Itinerary::default()
            }
        })
        .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn whatever_the_rows_are_findings_are_of_them_and_in_any_order_the_same(
        itinerary in itinerary(),
        (segments, shuffled) in segments().prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle())),
    ) {
        let findings = check(&itinerary, None, &segments);
        for found in &findings {
            prop_assert!(found.rows.iter().all(|id| segments.iter().any(|segment| segment.id == *id)));
            prop_assert!(!found.text.is_empty() && !found.way_out.is_empty());
        }
        prop_assert_eq!(&findings, &check(&itinerary, None, &segments));
        prop_assert_eq!(&findings, &check(&itinerary, None, &shuffled));
    }

    #[test]
    fn an_idea_far_away_changes_nothing(itinerary in itinerary(), segments in segments(), kind in prop::sample::select(Kind::ALL)) {
        let before = check(&itinerary, None, &segments);
        let mut idea = Segment::new("idea".into(), "trip".into(), kind, "Easter Island, some day".into());
        idea.status = Status::Idea;
        idea.start = Some(When::new("2026-03-26T10:00", "Pacific/Easter"));
        idea.end = Some(When::new("2026-03-28T10:00", "Pacific/Easter"));
        idea.place = Some(Place { lat: Some(-27.1), lon: Some(-109.4), country: "CL".into(), ..Place::named("Rapa Nui") });
        idea.cost = Some(Money { minor: i64::MAX, currency: "CLP".into() });
        let mut with_it = segments;
        with_it.push(idea);
        prop_assert_eq!(before, check(&itinerary, None, &with_it));
    }
}

#[test]
fn sums_beyond_all_money_say_so() {
    let mut segments = Vec::new();
    for number in 0..3 {
        let mut segment =
            Segment::new(format!("s{number}"), "trip".into(), Kind::Activity, "A palace".into());
        segment.cost = Some(Money { minor: i64::MAX, currency: "EUR".into() });
        segments.push(segment);
    }
    let budget = Some(Money { minor: 1, currency: "EUR".into() });
    let findings = check(&Itinerary { budget, ..Itinerary::default() }, None, &segments);
    assert_eq!(findings.len(), 1);
    assert!(
        findings[0].text.starts_with("What is planned costs more than 92,233,720,368,547,758.07 EUR"),
        "{}",
        findings[0].text
    );
}

/// In which zone a trip is that nobody said any of is not for an idea to say.
#[test]
fn an_idea_does_not_set_the_zone_of_the_rest() {
    let row = |id: &str, start: &str, end: &str| {
        let mut segment = Segment::new(id.into(), "trip".into(), Kind::Activity, id.to_uppercase());
        (segment.start, segment.end) = (Some(When::new(start, "")), Some(When::new(end, "")));
        segment
    };
    let mut all = vec![
        row("a", "2026-03-29T02:30", "2026-03-29T04:00"),
        row("b", "2026-03-29T03:30", "2026-03-29T05:00"),
    ];
    let before = check(&Itinerary::default(), None, &all);
    assert_eq!(before.len(), 1, "{before:?}");
    for zone in ["Europe/Paris", "Asia/Tokyo"] {
        let mut idea = row("idea", "2026-08-01T10:00", "2026-08-01T11:00");
        idea.status = Status::Idea;
        idea.start = Some(When::new("2026-08-01T10:00", zone));
        all.push(idea);
        assert_eq!(check(&Itinerary::default(), None, &all), before);
    }
}

fn flight(id: &str, (from, start): (&str, &str), (to, end): (&str, &str)) -> Segment {
    let airport = |iata: &str| Some(Place { iata: iata.into(), country: "DE".into(), ..Place::named(iata) });
    let mut flight = Segment::new(id.into(), "trip".into(), Kind::Flight, id.to_uppercase());
    (flight.from, flight.to) = (airport(from), airport(to));
    flight.start = Some(When::new(start, "Europe/Berlin"));
    flight.end = Some(When::new(end, "Europe/Berlin"));
    flight
}

/// Nobody moves a flight: what to do about one is said, and no call does it.
#[test]
fn no_call_moves_a_flight() {
    let rows = [
        flight("one", ("BER", "2026-06-15T08:00"), ("FRA", "2026-06-15T09:10")),
        flight("two", ("FRA", "2026-06-15T09:30"), ("MUC", "2026-06-15T10:30")),
    ];
    let findings = check(&Itinerary::default(), None, &rows);
    let found: Vec<_> = findings.iter().map(|found| (found.rule, found.call.is_some())).collect();
    assert_eq!(found, [("short-connection", false)]);
    assert!(findings[0].way_out.starts_with("Take a flight at least 25 min later"), "{findings:?}");
}

/// `update_itinerary` reads a budget in the itinerary's currency: where the budget is in another one its sum would become one of that.
#[test]
fn a_budget_is_raised_in_its_own_currency_or_by_no_call() {
    let money = |minor: i64, currency: &str| Some(Money { minor, currency: currency.into() });
    let mut row = Segment::new("row".into(), "trip".into(), Kind::Activity, "Opera".into());
    row.cost = money(60_000, "USD");
    for (currency, has_call) in [("USD", true), ("", true), ("EUR", false)] {
        let itinerary =
            Itinerary { budget: money(50_000, "USD"), currency: currency.into(), ..Itinerary::default() };
        let findings = check(&itinerary, None, std::slice::from_ref(&row));
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!(findings[0].call.is_some(), has_call, "{currency}");
    }
}

/// A visa that cannot be read is an error of its own, and the one for another country is looked at all the same.
#[test]
fn one_visa_that_cannot_be_read_hides_no_other() {
    let visa = |country: &str, from: &str| Visa {
        country: country.into(),
        valid_from: from.into(),
        valid_until: "2026-12-31".into(),
    };
    let traveller = Traveller {
        id: "a".into(),
        name: "Aarav".into(),
        visas: vec![visa("JP", "soon"), visa("AU", "2026-07-01")],
        ..Traveller::default()
    };
    let mut stay = Segment::new("stay".into(), "trip".into(), Kind::Hotel, "Sydney".into());
    (stay.start, stay.end) = (Some(When::new("2026-06-01", "")), Some(When::new("2026-06-05", "")));
    stay.place = Some(Place { country: "AU".into(), ..Place::named("Sydney") });
    let itinerary = Itinerary { travellers: vec![traveller], ..Itinerary::default() };
    let rules: Vec<_> = check(&itinerary, None, &[stay]).iter().map(|found| found.rule).collect();
    assert_eq!(rules, ["impossible-date", "visa-dates"]);
}
