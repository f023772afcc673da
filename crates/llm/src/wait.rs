//! How long an error answer asks us to wait. Browsers hide `retry-after` from script on another origin
//! unless the server lists it, so the body is read as well. The order: header, RetryInfo, the
//! message's words, the reset of the rate limit.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::Value;

use crate::Headers;
use crate::failure::header;

/// The wait in milliseconds, when any is asked for.
pub(crate) fn wait_asked_for(
    status: u16,
    headers: &Headers,
    body: &Value,
    message: &str,
    now_ms: i64,
) -> Option<u64> {
    let milliseconds = || order::decimal(header(headers, "retry-after-ms")?).and_then(from_ms);
    let seconds_or_date = || {
        seconds(header(headers, "retry-after")?)
            .or_else(|| until_http_date(header(headers, "retry-after")?, now_ms))
    };
    milliseconds()
        .or_else(seconds_or_date)
        .or_else(|| retry_info(body))
        .or_else(|| in_words(message))
        .or_else(|| if status == 429 { limit_reset(headers, body, now_ms) } else { None })
}

/// Google's `{"@type":"…RetryInfo","retryDelay":"34.4s"}`.
fn retry_info(body: &Value) -> Option<u64> {
    let body = body.get(0).unwrap_or(body);
    let details = body.pointer("/error/details")?.as_array()?;
    let info = details.iter().find(|detail| {
        detail.get("@type").and_then(Value::as_str).is_some_and(|name| name.ends_with("RetryInfo"))
    })?;
    duration(info.get("retryDelay")?.as_str()?)
}

/// "Please try again in 41.724s.", "Please retry in 6m0s".
fn in_words(message: &str) -> Option<u64> {
    let message = message.to_lowercase();
    let (_, rest) = message.split_once("try again in ").or_else(|| message.split_once("retry in "))?;
    let mut words = rest.split_whitespace();
    let first = words.next()?.trim_end_matches(['.', ',', ')']);
    duration(first).or_else(|| {
        // "in 20 seconds": the unit is a word of its own.
        let unit = words.next()?.trim_end_matches(['.', ',', ')']);
        duration(&format!("{first} {unit}"))
    })
}

/// When the limit that was hit is free again: the one with nothing remaining, else the soonest.
fn limit_reset(headers: &Headers, body: &Value, now_ms: i64) -> Option<u64> {
    let mut soonest: Option<u64> = None;
    for (name, value) in headers {
        let name = name.to_ascii_lowercase();
        if !name.contains("ratelimit") || !name.contains("reset") {
            continue;
        }
        let Some(wait_ms) = until_reset(value, now_ms) else { continue };
        if header(headers, &name.replace("reset", "remaining")) == Some("0") {
            return Some(wait_ms);
        }
        soonest = Some(soonest.map_or(wait_ms, |other| other.min(wait_ms)));
    }
    // OpenRouter repeats the provider's header in the body.
    let in_body = || body.pointer("/error/metadata/headers/X-RateLimit-Reset")?.as_str();
    soonest.or_else(|| until_reset(in_body()?, now_ms))
}

/// A reset is a duration ("6m0s"), a date, seconds to go, or a time since 1970 in s or ms.
fn until_reset(text: &str, now_ms: i64) -> Option<u64> {
    const A_YEAR_S: f64 = 31_536_000.0;
    if let Some(number) = order::decimal(text) {
        return if number < A_YEAR_S {
            from_ms(number * 1_000.0)
        } else if number < 100_000_000_000.0 {
            from_ms(number * 1_000.0 - now_ms as f64)
        } else {
            from_ms(number - now_ms as f64)
        };
    }
    let until_date = || humantime::parse_rfc3339(text).ok().map(|date| until(date, now_ms));
    duration(text).or_else(until_date)
}

fn until_http_date(text: &str, now_ms: i64) -> Option<u64> {
    Some(until(httpdate::parse_http_date(text).ok()?, now_ms))
}

/// A date that has passed asks for no wait.
fn until(date: SystemTime, now_ms: i64) -> u64 {
    let at = date.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    u64::try_from(at.saturating_sub(u128::try_from(now_ms).unwrap_or(0))).unwrap_or(u64::MAX)
}

fn seconds(text: &str) -> Option<u64> {
    from_ms(order::decimal(text)? * 1_000.0)
}

/// "41.724s", "6m0s", "20ms", "1h2m3s", "20 seconds".
fn duration(text: &str) -> Option<u64> {
    // Libraries for this take no fraction ("8.64s"), or bring every calendar with them.
    let mut rest = text.trim();
    let mut ms = 0.0;
    while !rest.is_empty() {
        let number = rest.find(|c: char| c != '.' && !c.is_ascii_digit())?;
        let (digits, after) = rest.split_at(number);
        let after = after.trim_start();
        let (unit, after) = after.split_at(after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len()));
        ms += order::decimal(digits)? * unit_ms(unit)?;
        rest = after.trim_start();
    }
    if text.trim().is_empty() { None } else { from_ms(ms) }
}

fn unit_ms(unit: &str) -> Option<f64> {
    Some(match unit {
        "ms" | "msec" | "millisecond" | "milliseconds" => 1.0,
        "s" | "sec" | "secs" | "second" | "seconds" => 1_000.0,
        "m" | "min" | "mins" | "minute" | "minutes" => 60_000.0,
        "h" | "hr" | "hrs" | "hour" | "hours" => 3_600_000.0,
        "d" | "day" | "days" => 86_400_000.0,
        _ => return None,
    })
}

fn from_ms(ms: f64) -> Option<u64> {
    // A float to integer cast saturates, so a silly number becomes a wait nobody waits for.
    ms.is_finite().then(|| ms.max(0.0).ceil() as u64)
}
