//! How far a batch is: a table that is drawn again and again on a terminal, lines now and then elsewhere.

use std::collections::BTreeMap;
use std::io::{IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use rehearsal::Verdict;

/// How often a table is drawn.
const DRAWN: Duration = Duration::from_millis(200);

/// How often a line is written.
const TOLD: Duration = Duration::from_secs(10);

/// The most scenarios in a table.
const ROWS: usize = 12;

/// The most columns of a scenario's name.
const NAME: usize = 40;

/// How far it is.
pub struct Progress {
    is_live: bool,
    total: u64,
    /// What was done before this process began.
    before: u64,
    done: u64,
    counts: Counts,
    scenarios: BTreeMap<String, Scenario>,
    began: Instant,
    shown: Instant,
    lines: usize,
}

#[derive(Default)]
struct Scenario {
    of: u64,
    counts: Counts,
    touched: u64,
}

/// How many, by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub passed: u64,
    pub failed: u64,
    pub strayed: u64,
    pub not_played: u64,
}

impl Counts {
    pub fn add(&mut self, verdict: Verdict, count: u64) {
        *match verdict {
            Verdict::Passed => &mut self.passed,
            Verdict::Failed => &mut self.failed,
            Verdict::ClientError => &mut self.strayed,
            Verdict::NotPlayed => &mut self.not_played,
        } += count;
    }

    pub fn all(&self) -> u64 {
        self.passed + self.failed + self.strayed + self.not_played
    }

    fn words(&self) -> String {
        let mut words = vec![format!("{} passed", self.passed)];
        for (count, what) in
            [(self.failed, "failed"), (self.strayed, "client strayed"), (self.not_played, "not played")]
        {
            if count > 0 {
                words.push(format!("{count} {what}"));
            }
        }
        words.join(", ")
    }
}

impl Progress {
    /// Of these scenarios, each to be played so often.
    pub fn new<'a>(scenarios: impl IntoIterator<Item = &'a str>, repeat: u32) -> Self {
        let scenarios: BTreeMap<String, Scenario> = scenarios
            .into_iter()
            .map(|name| (name.to_owned(), Scenario { of: u64::from(repeat), ..Scenario::default() }))
            .collect();
        Self {
            is_live: std::io::stderr().is_terminal(),
            total: scenarios.len() as u64 * u64::from(repeat),
            before: 0,
            done: 0,
            counts: Counts::default(),
            scenarios,
            began: Instant::now(),
            shown: Instant::now(),
            lines: 0,
        }
    }

    /// What was done before.
    pub fn before(&mut self, scenario: &str, verdict: Verdict, count: u32) {
        self.count(scenario, verdict, u64::from(count));
        self.before = self.done;
    }

    /// One more is done.
    pub fn done(&mut self, scenario: &str, verdict: Verdict) {
        self.count(scenario, verdict, 1);
        self.tick();
    }

    /// Time has passed.
    pub fn tick(&mut self) {
        let often = if self.is_live { DRAWN } else { TOLD };
        if self.shown.elapsed() >= often {
            self.show();
        }
    }

    fn count(&mut self, scenario: &str, verdict: Verdict, count: u64) {
        self.done += count;
        self.counts.add(verdict, count);
        if let Some(scenario) = self.scenarios.get_mut(scenario) {
            scenario.counts.add(verdict, count);
            scenario.touched = self.done;
        }
    }

    pub fn counts(&self) -> Counts {
        self.counts
    }

    pub fn left(&self) -> u64 {
        self.total.saturating_sub(self.done)
    }

    pub fn total(&self) -> u64 {
        self.total
    }

    /// Conversations in a second, of those that were played now.
    pub fn rate(&self) -> f64 {
        let seconds = self.began.elapsed().as_secs_f64().max(0.001);
        f64::from(u32::try_from(self.done - self.before).unwrap_or(u32::MAX)) / seconds
    }

    fn line(&self) -> String {
        let rate = self.rate();
        let rest = if rate > 0.0 {
            let left = f64::from(u32::try_from(self.left()).unwrap_or(u32::MAX));
            format!(", {} left", duration(left / rate))
        } else {
            String::new()
        };
        format!("{} of {}: {}; {rate:.0}/s{rest}", self.done, self.total, self.counts.words())
    }

    /// Draws it.
    pub fn show(&mut self) {
        self.shown = Instant::now();
        if !self.is_live {
            eprintln!("{}", self.line());
            return;
        }
        let (columns, rows) = terminal_size::terminal_size_of(std::io::stderr())
            .map_or((80, 24), |(columns, rows)| (usize::from(columns.0), usize::from(rows.0)));
        let mut lines = vec![self.line()];
        let most = ROWS.min(rows.saturating_sub(4));
        // What went wrong first, then what goes on.
        let mut listed: Vec<(&String, &Scenario)> =
            self.scenarios.iter().filter(|(_, scenario)| scenario.touched > 0).collect();
        listed.sort_by_key(|(_, scenario)| {
            let wrong = scenario.counts.all() - scenario.counts.passed;
            (std::cmp::Reverse(wrong), std::cmp::Reverse(scenario.touched))
        });
        let (left_out, width) = (self.scenarios.len().saturating_sub(most), NAME.min(columns / 2));
        for (name, scenario) in listed.into_iter().take(most) {
            let name = fitted(name, width);
            lines.push(format!(
                "  {name} {:>5}/{:<5} {}",
                scenario.counts.all(),
                scenario.of,
                scenario.counts.words()
            ));
        }
        if left_out > 0 {
            lines.push(format!("  and {left_out} more"));
        }
        let mut drawn = self.erased();
        for line in &lines {
            let line: String = line.chars().take(columns.saturating_sub(1)).collect();
            drawn.push_str(&line);
            drawn.push('\n');
        }
        self.lines = lines.len();
        // A terminal that cannot be written to shows nothing, and the batch goes on.
        drop(std::io::stderr().write_all(drawn.as_bytes()));
    }

    fn erased(&self) -> String {
        if self.lines == 0 { String::new() } else { format!("\x1b[{}A\x1b[J", self.lines) }
    }

    /// Takes the table away, for what is written next.
    pub fn hide(&mut self) {
        if self.is_live {
            drop(std::io::stderr().write_all(self.erased().as_bytes()));
            self.lines = 0;
        }
    }
}

/// A name in so many columns. What controls a terminal is not written to one.
fn fitted(name: &str, width: usize) -> String {
    use unicode_width::UnicodeWidthChar as _;
    let (mut text, mut columns) = (String::new(), 0);
    for letter in name.chars() {
        let letter = if letter.is_control() { '?' } else { letter };
        let wide = letter.width().unwrap_or(0);
        if columns + wide > width {
            break;
        }
        columns += wide;
        text.push(letter);
    }
    text + &" ".repeat(width.saturating_sub(columns))
}

fn duration(seconds: f64) -> String {
    match seconds {
        ..100.0 => format!("{seconds:.0} s"),
        ..6_000.0 => format!("{:.0} min", seconds / 60.0),
        _ => format!("{:.1} h", seconds / 3_600.0),
    }
}
