//! Numbers and foreign texts as people read them: percentages, amounts, durations, and letters that would not be seen.

/// A text whose letters are all seen: control characters stand as their pictures, and marks that turn the direction of writing as their
/// names. Line ends and tabs stay.
///
/// What it gives may stand in XML 1.0 and in HTML (once it is escaped), and cannot move a terminal's cursor.
pub(crate) fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' | '\t' => shown.push(letter),
            // A line end of its own on old systems; a browser would make it one.
            '\r' => shown.push('\u{240D}'),
            '\0'..='\u{1F}' => shown.push(char::from_u32(0x2400 + u32::from(letter)).unwrap_or('\u{FFFD}')),
            '\u{7F}' => shown.push('\u{2421}'),
            '\u{80}'..='\u{9F}' => shown.push('\u{FFFD}'),
            // These turn what stands after them, in other people's words too.
            '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' => {
                shown.push_str(&format!("⟨U+{:04X}⟩", u32::from(letter)));
            }
            letter if u32::from(letter) & 0xFFFE == 0xFFFE => shown.push('\u{FFFD}'),
            letter => shown.push(letter),
        }
    }
    shown.replace("\u{240D}\n", "\n")
}

/// [`shown`] on one line: what separates words is a space.
pub(crate) fn one_line(text: &str) -> String {
    shown(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// The first letters of a text, and how many were left out.
pub(crate) fn cut(text: &str, most: usize) -> (&str, usize) {
    match text.char_indices().nth(most) {
        Some((end, _)) => (&text[..end], text[end..].chars().count()),
        None => (text, 0),
    }
}

/// A share as a percentage: `84.2 %`; never 100 % or 0 % of what is not quite so.
pub(crate) fn percent(share: f64) -> String {
    format!("{} %", percent_number(share))
}

/// The number of [`percent`], without the sign.
pub(crate) fn percent_number(share: f64) -> String {
    let rounded = (share * 1000.0).round() / 10.0;
    let rounded = match share {
        share if share < 1.0 && rounded >= 100.0 => 99.9,
        share if share > 0.0 && rounded <= 0.0 => 0.1,
        _ => rounded,
    };
    let text = format!("{rounded:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// A number of things, with commas between thousands.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A mean of things: one digit after the point, where it says something.
pub(crate) fn mean(number: f64) -> String {
    if number >= 1000.0 {
        return count(number.round() as u64);
    }
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

/// US dollars: cents, and below ten cents as many digits as say something.
pub(crate) fn usd(amount: f64) -> String {
    let size = amount.abs();
    match size {
        _ if size == 0.0 => "$0".to_owned(),
        _ if size < 0.0001 => format!("${amount:.1e}"),
        _ if size < 0.1 => format!("${amount:.4}"),
        _ => format!("${amount:.2}"),
    }
}

/// A duration in milliseconds: `850 ms`, `1.2 s`, `2 min 3 s`.
pub(crate) fn duration(ms: u64) -> String {
    match ms {
        0..1000 => format!("{ms} ms"),
        1000..9_950 => format!("{:.1} s", ms as f64 / 1000.0),
        9_950..59_500 => format!("{:.0} s", ms as f64 / 1000.0),
        _ => {
            let seconds = (ms + 500) / 1000;
            format!("{} min {} s", seconds / 60, seconds % 60)
        }
    }
}

/// A p value as a part of a sentence: `p = 0.04`, `p < 0.001`.
pub(crate) fn p_value(p: f64) -> String {
    if p < 0.001 {
        return "p < 0.001".to_owned();
    }
    // Two digits that count.
    let text = match p {
        p if p < 0.00995 => format!("{p:.4}"),
        p if p < 0.0995 => format!("{p:.3}"),
        p => format!("{p:.2}"),
    };
    format!("p = {}", text.trim_end_matches('0').trim_end_matches('.'))
}

/// A number with its noun: `1 turn`, `3 turns`.
pub(crate) fn counted(number: u64, one: &str) -> String {
    format!("{} {one}{}", count(number), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_people_read_them() {
        assert_eq!(
            [0.0, 0.0001, 0.5, 0.8421, 0.9999, 1.0].map(percent),
            ["0 %", "0.1 %", "50 %", "84.2 %", "99.9 %", "100 %"]
        );
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            [0.0, 0.000_01, 0.0123, 0.25, 12.0].map(usd),
            ["$0", "$1.0e-5", "$0.0123", "$0.25", "$12.00"]
        );
        assert_eq!(
            [0, 999, 1240, 9_960, 59_600, 123_000].map(duration),
            ["0 ms", "999 ms", "1.2 s", "10 s", "1 min 0 s", "2 min 3 s"]
        );
        assert_eq!(
            [0.0004, 0.0012, 0.0412, 0.04, 0.6250, 1.0].map(p_value),
            ["p < 0.001", "p = 0.0012", "p = 0.041", "p = 0.04", "p = 0.62", "p = 1"]
        );
        assert_eq!([0, 1, 2].map(|number| counted(number, "turn")), ["0 turns", "1 turn", "2 turns"]);
    }

    #[test]
    fn what_would_not_be_seen_is_seen() {
        assert_eq!(
            shown("a\0b\u{1b}[31m\u{7f}\u{85}\u{202e}c\u{2066}\u{fffe}\u{1ffff}"),
            "a␀b␛[31m␡\u{fffd}⟨U+202E⟩c⟨U+2066⟩\u{fffd}\u{fffd}"
        );
        assert_eq!(shown("one\r\ntwo\n\tthree\rfour"), "one\ntwo\n\tthree␍four");
        // Marks that go with a script are left alone.
        assert_eq!(shown("سلام\u{200f}!"), "سلام\u{200f}!");
        assert_eq!(one_line(" a\n b\t c "), "a b c");
        assert_eq!(cut("häß", 2), ("hä", 1));
        assert_eq!(cut("häß", 3), ("häß", 0));
    }
}
