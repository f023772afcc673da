//! A rule of RFC 5545 in parts, as far as a form has fields for it. Pure.

/// The days of the week by the rule's words, Monday first.
pub const WEEK: [&str; 7] = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"];

/// What a rule counts in, by its words, with the smallest first.
pub const UNITS: [&str; 4] = ["DAILY", "WEEKLY", "MONTHLY", "YEARLY"];

/// A rule in parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// One of [`UNITS`].
    pub unit: String,
    /// Every so many of them, from 1.
    pub every: u32,
    /// Days of the week, each of [`WEEK`] or with a number before it; empty for that on which it begins.
    pub days: Vec<String>,
    /// The last day, `2026-11-22`; empty for none.
    pub until: String,
    /// What there are no fields for, each with its sign: `;BYMONTHDAY=21`.
    more: String,
}

impl Parts {
    /// A rule in parts; each day for one that is none.
    pub fn of(rule: &str) -> Self {
        let mut parts = Self {
            unit: UNITS[0].to_owned(),
            every: 1,
            days: Vec::new(),
            until: String::new(),
            more: String::new(),
        };
        for pair in rule.split(';') {
            match pair.split_once('=') {
                Some(("FREQ", unit)) => parts.unit = unit.to_owned(),
                Some(("INTERVAL", every)) => parts.every = every.parse().unwrap_or(1).max(1),
                Some(("BYDAY", days)) => parts.days = days.split(',').map(str::to_owned).collect(),
                Some(("UNTIL", until)) if until.len() >= 8 && until.is_ascii() => {
                    parts.until = format!("{}-{}-{}", &until[..4], &until[4..6], &until[6..8]);
                }
                Some((name, value)) => parts.more.push_str(&format!(";{name}={value}")),
                None => {}
            }
        }
        parts
    }

    /// Another unit: what was said in days of the old one means nothing in it.
    pub fn count_in(&mut self, unit: String) {
        if unit != self.unit {
            self.unit = unit;
            self.days.clear();
            self.more.clear();
        }
    }

    /// Takes a day of the week in or out.
    pub fn turn(&mut self, day: &str) {
        match self.days.iter().position(|known| known == day) {
            Some(at) => {
                self.days.remove(at);
            }
            None => {
                let place = |day: &str| WEEK.iter().position(|known| *known == day);
                let at = self.days.iter().position(|known| place(known) > place(day));
                self.days.insert(at.unwrap_or(self.days.len()), day.to_owned());
            }
        }
    }

    /// The rule.
    pub fn rule(&self) -> String {
        let mut rule = format!("FREQ={}", self.unit);
        if self.every > 1 {
            rule.push_str(&format!(";INTERVAL={}", self.every));
        }
        if !self.days.is_empty() {
            rule.push_str(&format!(";BYDAY={}", self.days.join(",")));
        }
        // A last day and a number of times are two ends, and a rule has one.
        let ends = !self.until.is_empty();
        let more =
            self.more.split(';').filter(|pair| !(pair.is_empty() || ends && pair.starts_with("COUNT=")));
        more.for_each(|pair| rule.push_str(&format!(";{pair}")));
        if ends {
            rule.push_str(&format!(";UNTIL={}", self.until.replace('-', "")));
        }
        rule
    }
}

#[cfg(test)]
mod tests {
    use super::Parts;

    #[test]
    fn a_rule_goes_into_parts_and_back() {
        for rule in [
            "FREQ=DAILY",
            "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU",
            "FREQ=MONTHLY;BYMONTHDAY=21",
            "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;UNTIL=20261231",
            "FREQ=MONTHLY;BYDAY=-1FR",
            "FREQ=YEARLY;COUNT=3",
        ] {
            assert_eq!(Parts::of(rule).rule(), rule);
        }
        assert_eq!(Parts::of("").rule(), "FREQ=DAILY");
        let until = Parts { until: "2026-12-31".to_owned(), ..Parts::of("FREQ=YEARLY;COUNT=3;BYMONTH=5") };
        assert_eq!(until.rule(), "FREQ=YEARLY;BYMONTH=5;UNTIL=20261231");
    }

    #[test]
    fn days_stand_in_the_order_of_the_week() {
        let mut parts = Parts::of("FREQ=WEEKLY;BYDAY=FR");
        parts.turn("MO");
        assert_eq!(parts.rule(), "FREQ=WEEKLY;BYDAY=MO,FR");
        parts.turn("FR");
        parts.turn("MO");
        assert_eq!(parts.rule(), "FREQ=WEEKLY");
        let mut parts = Parts::of("FREQ=MONTHLY;BYMONTHDAY=21");
        parts.count_in("MONTHLY".to_owned());
        assert_eq!(parts.rule(), "FREQ=MONTHLY;BYMONTHDAY=21");
        parts.count_in("DAILY".to_owned());
        assert_eq!(parts.rule(), "FREQ=DAILY");
    }
}
