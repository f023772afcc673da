//! Prices, costs and limits (S1-37, S4-33), and the windows over calls and tokens (S0-59, D-14).

use llm::{
    PRICES, PRICES_READ_ON, Price, Rates, Span, Throttle, Wait, dollars, estimated_tokens, is_near_limit,
    listed_price, within_limit,
};
use proptest::prelude::*;
use protocol::{FailureKind, Message, ModelRequest, RunId, Usage};

fn request(text: &str, max_output_tokens: Option<u32>) -> ModelRequest {
    ModelRequest {
        run_id: RunId("run_1".into()),
        step: 1,
        model: "m".into(),
        messages: vec![Message::user(text).into()],
        tools: vec![],
        temperature: None,
        max_output_tokens,
    }
}

#[test]
fn a_name_finds_its_row_and_no_other() {
    let rows = [
        ("gpt-4o-mini", Some("gpt-4o-mini")),
        ("gpt-4o-mini-2024-07-18", Some("gpt-4o-mini")),
        ("openai/gpt-5.4-mini", Some("gpt-5.4-mini")),
        ("GPT-5", Some("gpt-5")),
        ("gpt-5-2025-08-07", Some("gpt-5")),
        ("claude-opus-4-20250514", Some("claude-opus-4")),
        ("claude-opus-4-5-20251101", Some("claude-opus-4.5")),
        ("anthropic/claude-opus-4.5", Some("claude-opus-4.5")),
        ("claude-3-5-haiku-latest", Some("claude-3.5-haiku")),
        ("claude-haiku-4-5", Some("claude-haiku-4.5")),
        // Another model whose name begins alike has another price.
        ("gpt-4o-audio-preview", None),
        ("gpt-5-2", None),
        ("gpt-50", None),
        ("gpt", None),
        ("claude-opus-4-9", None),
        ("qwen3:8b", None),
        ("pocket", None),
        ("", None),
    ];
    for (name, expected) in rows {
        assert_eq!(listed_price(name, 10).map(|row| row.model), expected, "{name}");
    }
    let haiku = |tokens| listed_price("claude-haiku-5-5", tokens).unwrap().price.input;
    assert_eq!(
        (haiku(100_000), haiku(100_001)),
        (100_000, 500_000),
        "long requests have a price of their own"
    );
}

#[test]
fn every_row_says_where_it_is_from_and_is_found_by_its_own_name() {
    assert!(PRICES_READ_ON.len() == 10 && PRICES.len() > 40);
    for row in PRICES {
        assert!(row.source.starts_with("https://"), "{}", row.model);
        assert_eq!(listed_price(row.model, row.above_tokens.map_or(0, |tokens| tokens + 1)), Some(*row));
        let Price { input, cached, output } = row.price;
        assert!(0 < cached && cached <= input && input < output, "{}", row.model);
    }
}

#[test]
fn costs_are_what_the_price_list_says() {
    let price = listed_price("claude-opus-5", 0).unwrap().price;
    let usage = |input_tokens, cached_input_tokens, output_tokens| Usage {
        input_tokens,
        output_tokens,
        cached_input_tokens,
        ..Usage::default()
    };
    // $5, $0.50 and $25 a million.
    assert_eq!(price.cost_micro_usd(&usage(1_000_000, 0, 0)), 5_000_000);
    assert_eq!(price.cost_micro_usd(&usage(1_000_000, 1_000_000, 0)), 500_000);
    assert_eq!(price.cost_micro_usd(&usage(10_000, 4_000, 200)), 30_000 + 2_000 + 5_000);
    assert_eq!(price.cost_micro_usd(&usage(1, 0, 0)), 5);
    // Rounded up, so that a limit is never passed by many small ones.
    assert_eq!(listed_price("gpt-5-nano", 0).unwrap().price.cost_micro_usd(&usage(1, 0, 0)), 1);
    assert_eq!(Price::FREE.cost_micro_usd(&usage(u64::MAX, 0, u64::MAX)), 0);
    assert_eq!(price.cost_micro_usd(&usage(u64::MAX, 0, u64::MAX)), u64::MAX);
    // More cached than sent, as one that counts it apart says.
    assert_eq!(price.cost_micro_usd(&usage(10, 4_000_000, 0)), 5);
}

#[test]
fn a_request_is_estimated_at_the_dear_side() {
    let tokenizer = tiktoken_rs::o200k_base().unwrap();
    for text in [
        "Could you move the dentist to Thursday afternoon and remind me the evening before?",
        "Die Hausverwaltung schreibt, dass die Heizung am Freitag von acht bis zwölf Uhr abgestellt wird.",
        "Перенеси, пожалуйста, стоматолога на четверг после обеда и напомни мне накануне вечером.",
        "请把牙医的预约改到星期四下午，并在前一天晚上提醒我。",
        r#"{"items":[{"id":"t_01","title":"Buy milk","due":"2026-11-22","tags":["home","shop"],"priority":"high"}],"total":1}"#,
    ] {
        let (tokens, estimate) =
            (tokenizer.encode_ordinary(text).len() as u64, estimated_tokens(&request(text, None)));
        assert!(
            estimate >= tokens && estimate <= tokens * 3,
            "{text}: {tokens} tokens, estimated {estimate}"
        );
    }
    let price = Price { input: 1_000_000, cached: 0, output: 2_000_000 };
    assert_eq!(price.estimate_micro_usd(&request("abcabc", Some(10))), 2 + 20);
    assert_eq!(price.estimate_micro_usd(&request("abcabc", None)), 2 + 2_000);
}

#[test]
fn a_limit_says_what_it_is_and_what_is_spent() {
    let check = |limit, spent, estimate| within_limit(Span::Month, limit, spent, estimate);
    assert_eq!(check(None, u64::MAX, u64::MAX), Ok(()));
    assert_eq!(check(Some(100), 60, 40), Ok(()));
    assert_eq!(check(Some(0), 0, 0), Ok(()), "what costs nothing is not stopped");
    let failure = check(Some(2_000_000), 1_990_000, 12_300).unwrap_err();
    assert_eq!(failure.kind, FailureKind::CostLimit);
    assert_eq!(
        failure.message,
        "This month’s limit is $2.00: $1.99 is spent, and the next request would cost up to $0.0123. Nothing was sent."
    );
    assert!(failure.is_own_limit);
    assert!(check(Some(100), u64::MAX, 1).is_err());
    for (spent, near) in [(0, false), (79, false), (80, true), (500, true)] {
        assert_eq!(is_near_limit(Some(100), spent), near, "{spent}");
    }
    assert!(!is_near_limit(None, 500) && !is_near_limit(Some(0), 0));
}

#[test]
fn amounts_are_said_as_people_say_them() {
    for (micro_usd, said) in [
        (0, "$0.00"),
        (1, "$0.000001"),
        (250, "$0.00025"),
        (9_999, "$0.009999"),
        (12_345, "$0.0123"),
        (100_000, "$0.10"),
        (2_000_000, "$2.00"),
        (1_234_567_890, "$1234.56"),
    ] {
        assert_eq!(dollars(micro_usd), said);
    }
}

#[test]
fn the_windows_slide() {
    let mut throttle = Throttle::default();
    let rates = Rates { calls_per_minute: Some(2), tokens_per_hour: Some(100) };
    let wait = |result: Result<_, Wait>| result.err();
    let first = throttle.admit(0, 40, rates).unwrap();
    assert_eq!(wait(throttle.admit(10_000, 40, rates)), None);
    assert_eq!(wait(throttle.admit(20_000, 1, rates)), Some(Wait::Ms(40_000)), "two in this minute already");
    assert_eq!(
        wait(throttle.admit(60_000, 30, rates)),
        Some(Wait::Ms(3_540_000)),
        "80 of 100 tokens are used"
    );
    // The answer was shorter than estimated: there is room.
    throttle.record(first, 10);
    assert_eq!(wait(throttle.admit(60_000, 30, rates)), None);
    assert_eq!(wait(throttle.admit(200_000, 101, rates)), Some(Wait::Forever), "it alone is too much");
    let none = Rates { calls_per_minute: Some(0), tokens_per_hour: None };
    assert_eq!(wait(throttle.admit(9_000_000, 1, none)), Some(Wait::Forever));
    // What is said of a call that is long forgotten changes nothing.
    throttle.record(first, u64::MAX);
    assert_eq!(wait(throttle.admit(9_000_001, 100, rates)), None);
}

/// The same, without thinking: everything is kept, and the wait is found by trying every moment at which something leaves.
struct Naive(Vec<(u64, u64)>);

impl Naive {
    fn fits(&self, now_ms: u64, tokens: u64, rates: Rates) -> bool {
        let since = |window: u64| self.0.iter().filter(move |(at, _)| at + window > now_ms);
        let calls = since(60_000).count() as u64 + 1;
        let used: u64 = since(3_600_000).map(|(_, tokens)| tokens).sum::<u64>() + tokens;
        rates.calls_per_minute.is_none_or(|limit| calls <= u64::from(limit))
            && rates.tokens_per_hour.is_none_or(|limit| used <= limit)
    }

    fn admit(&mut self, now_ms: u64, tokens: u64, rates: Rates) -> Result<(), Wait> {
        if self.fits(now_ms, tokens, rates) {
            self.0.push((now_ms, tokens));
            return Ok(());
        }
        let leave = self.0.iter().flat_map(|(at, _)| [at + 60_000, at + 3_600_000]);
        let mut moments: Vec<u64> = leave.filter(|at| *at > now_ms).collect();
        moments.sort_unstable();
        let first = moments.into_iter().find(|at| self.fits(*at, tokens, rates));
        Err(first.map_or(Wait::Forever, |at| Wait::Ms(at - now_ms)))
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    /// However calls come, the windows say what the naive model says, to the millisecond.
    #[test]
    fn windows_are_as_a_naive_model_has_them(
        calls in prop::collection::vec((0_u64..900_000, 0_u64..600, prop::option::of(0_u64..600)), 1..60),
        per_minute in prop::option::of(0_u32..5),
        per_hour in prop::option::of(0_u64..2_000),
    ) {
        let rates = Rates { calls_per_minute: per_minute, tokens_per_hour: per_hour };
        let (mut throttle, mut naive) = (Throttle::default(), Naive(vec![]));
        let mut now_ms = 0;
        for (pause_ms, tokens, in_the_end) in calls {
            // Many at once, many close together, some after long.
            now_ms += pause_ms / if pause_ms % 3 == 0 { 1 } else { 100 };
            let admitted = throttle.admit(now_ms, tokens, rates);
            prop_assert_eq!(admitted.map(drop), naive.admit(now_ms, tokens, rates));
            if let (Ok(admitted), Some(in_the_end)) = (admitted, in_the_end) {
                throttle.record(admitted, in_the_end);
                naive.0.last_mut().unwrap().1 = in_the_end;
            }
        }
    }
}
