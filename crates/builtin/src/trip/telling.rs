//! What tools gave, in words. What somebody wrote is data, and is escaped wherever it is told.

use dates::iso::{day_month, read_day, read_moment};
use dates::names::{short, weekday_name};
use serde_json::Value;

use super::known::{list, text};
use crate::text::{escape, quoted};

/// How many lines a list has.
pub const TOLD: usize = 30;

/// A sum as a person reads it: `3,200 USD`. Sums of two currencies are never added.
pub fn money(sum: &Value) -> Option<String> {
    const WHOLE: &str = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF";
    const THOUSANDTHS: &str = "BHD IQD JOD KWD LYD OMR TND";
    let (minor, code) = (sum.get("minor")?.as_i64()?, text(sum, "/currency"));
    let is_in = |table: &str| table.split(' ').any(|known| known == code);
    let places = if is_in(WHOLE) {
        0
    } else if is_in(THOUSANDTHS) {
        3
    } else {
        2
    };
    let scale = 10_u64.pow(places);
    let (whole, rest) = (minor.unsigned_abs() / scale, minor.unsigned_abs() % scale);
    let digits = whole.to_string();
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let rest = if rest == 0 { String::new() } else { format!(".{rest:0width$}", width = places as usize) };
    Some(format!("{grouped}{rest} {code}"))
}

/// `Mon 15 Jun 2026 at 09:00`, or the day alone.
pub fn when(at: &str) -> String {
    let day = |day: jiff::civil::Date| {
        format!("{} {} {}", short(weekday_name(day.weekday())), day_month(day), day.year())
    };
    if let Some(moment) = read_moment(at) {
        return format!("{} at {:02}:{:02}", day(moment.date()), moment.hour(), moment.minute());
    }
    read_day(at).map_or_else(|| escape(at), day)
}

/// A segment in a line: what, when, and how settled.
pub fn line(segment: &Value) -> String {
    let title = format!("**{}**", escape(text(segment, "/title")));
    let (start, end) = (text(segment, "/start/at"), text(segment, "/end/at"));
    let kind = text(segment, "/kind");
    let until = match (kind, end) {
        (_, "") => String::new(),
        ("hotel", end) => format!(" to {}", when(end)),
        // On the same day the time says it.
        (_, end) => match (read_moment(start), read_moment(end)) {
            (Some(from), Some(to)) if from.date() == to.date() => {
                format!(" to {:02}:{:02}", to.hour(), to.minute())
            }
            _ => format!(" to {}", when(end)),
        },
    };
    let at = if start.is_empty() { "no day yet".to_owned() } else { format!("{}{until}", when(start)) };
    let mut more = String::new();
    for part in
        [text(segment, "/carrier"), text(segment, "/number")].into_iter().filter(|part| !part.is_empty())
    {
        more = format!("{more}, {}", escape(part));
    }
    if let Some(cost) = segment.get("cost").and_then(money) {
        more = format!("{more}, {cost}");
    }
    more.push_str(match text(segment, "/status") {
        "booked" => ", booked by you",
        "idea" => ", an idea",
        _ => "",
    });
    if !text(segment, "/code").is_empty() {
        more = format!("{more}, code {}", escape(text(segment, "/code")));
    }
    match text(segment, "/source") {
        "" => {}
        source if source.eq_ignore_ascii_case("demo") => more.push_str(", demo"),
        source => more = format!("{more}, found by {}", escape(source)),
    }
    format!("{at}: {kind} {title}{more}")
}

/// A list with numbers, as far as it is told.
pub fn numbered(lines: &[String]) -> String {
    let told: Vec<String> = (1..)
        .zip(lines.iter().take(TOLD))
        .map(|(n, line): (usize, &String)| format!("{n}. {line}"))
        .collect();
    let more = lines.len().saturating_sub(TOLD);
    if more == 0 { told.join("\n") } else { format!("{}\n\n… and {more} more.", told.join("\n")) }
}

/// What a tool says.
pub fn summary(answer: &Value) -> String {
    plainly(text(answer, "/summary"))
}

/// A tool's sentence without what only programs can do something with.
pub fn plainly(said: &str) -> String {
    const PLAINER: [(&str, &str); 9] = [
        (" (booking_changed)", ""),
        ("itinerary_list shows those there are", "say “show my trips”"),
        ("get_itinerary shows what there is", "say “show my trip”"),
        (": move_segment moves it there first", ": move it there first"),
        (" with move_segment", ""),
        (" with update_segment", ""),
        (" with itinerary_archive (archived: false)", ""),
        ("; itinerary_create makes one", "; say “plan a week in Paris”"),
        ("delete one with itinerary_delete", "delete one"),
    ];
    let plain = PLAINER.iter().fold(said.to_owned(), |said, (from, to)| said.replace(from, to));
    if plain.is_empty() { "Done.".to_owned() } else { escape(&plain) }
}

/// What a search found, each with what speaks for and against it.
pub fn found(answer: &Value) -> String {
    let all = list(answer, "/found");
    let is_demo = answer.get("demo").and_then(Value::as_bool) == Some(true);
    if all.is_empty() {
        return summary(answer);
    }
    let joined = |found: &Value, field: &str| {
        let words: Vec<String> = list(found, field).iter().filter_map(Value::as_str).map(escape).collect();
        words.join(", ")
    };
    let lines: Vec<String> = all
        .iter()
        .map(|found| {
            let price =
                found.get("price").and_then(money).map_or_else(String::new, |price| format!(", {price}"));
            let (pros, cons) = (joined(found, "/pros"), joined(found, "/cons"));
            let pros = if pros.is_empty() { String::new() } else { format!(" For it: {pros}.") };
            let cons = if cons.is_empty() { String::new() } else { format!(" Against it: {cons}.") };
            let why = match text(found, "/kind") {
                "hotel" => text(found, "/why"),
                _ => text(found, "/text").trim_start_matches("Demo result: ").trim_end_matches('.'),
            };
            format!("**{}**{price}: {}.{pros}{cons}", escape(text(found, "/title")), escape(why))
        })
        .collect();
    let head = if is_demo {
        "From the demo catalogue, so all of it is invented and no real offer:"
    } else {
        "Found:"
    };
    let assumed: Vec<String> =
        list(answer, "/assumed").iter().filter_map(Value::as_str).map(escape).collect();
    let above = answer.get("above_budget").and_then(Value::as_u64).unwrap_or(0);
    let mut all = format!("{head}\n\n{}", numbered(&lines));
    if above > 0 {
        all = format!("{all}\n\n{above} more would cost more than the budget.");
    }
    if !assumed.is_empty() {
        all = format!("{all}\n\nTaken for granted: {}", assumed.join(" "));
    }
    all
}

/// A title in a sentence.
pub fn title(row: &Value) -> String {
    quoted(text(row, "/title"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn sums_and_times_are_told_as_the_tools_do() {
        for (minor, currency, expected) in [
            (320_000, "USD", "3,200 USD"),
            (4_990, "EUR", "49.90 EUR"),
            (15_000, "JPY", "15,000 JPY"),
            (5, "KWD", "0.005 KWD"),
        ] {
            assert_eq!(money(&json!({"minor": minor, "currency": currency})).unwrap(), expected);
        }
        assert_eq!(when("2026-06-15T09:05"), "Mon 15 Jun 2026 at 09:05");
        assert_eq!(when("2026-06-15"), "Mon 15 Jun 2026");
    }
}
