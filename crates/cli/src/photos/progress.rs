//! How far it is, in words.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use terminal::indented;

/// The most files that are named in one list.
const MOST_NAMED: usize = 20;

/// How often the line at a terminal is written anew.
const AT_A_TERMINAL: Duration = Duration::from_millis(200);

/// How often a line is written where nobody looks at it: into a file, say.
const ELSEWHERE: Duration = Duration::from_secs(10);

/// Before so many files no rate is told: the first ones say little.
const SOON: usize = 5;

/// A file and what is to be said of it.
pub type Named = (String, String);

/// What became of all files.
#[derive(Debug, Default)]
pub struct Count {
    /// How many files there are.
    pub total: usize,
    /// How many of them are done with.
    pub done: usize,
    pub new: usize,
    /// Came back out of the bin.
    pub back: usize,
    /// Was known from a file of everything, and has its own file now.
    pub whole: usize,
    pub known: usize,
    /// There before, and looked at with nets now.
    pub looked_again: usize,
    /// What was not taken, and why.
    pub failed: Vec<Named>,
    /// What came in and could not be looked at, and why.
    pub unseen: Vec<Named>,
}

impl Count {
    /// One line: `120 of 3400 files, 8.2 a second, 6 min left`.
    fn line(&self, seconds: f64) -> String {
        let mut line = format!("{} of {} files", self.done, self.total);
        if self.done >= SOON && seconds > 0.0 {
            let rate = self.done as f64 / seconds;
            let left = self.total.saturating_sub(self.done) as f64 / rate;
            line.push_str(&format!(", {rate:.1} a second, {} left", duration(left)));
        }
        line
    }

    /// What became of them, for a person.
    pub fn summary(&self, is_stopped: bool) -> String {
        let mut out = match self.new {
            0 => "No new photos".to_owned(),
            new => format!("Brought in {}", counted(new, "photo", "photos")),
        };
        let mut and = |count: usize, one: &str, many: &str| {
            if count > 0 {
                out.push_str(&format!("; {}", counted(count, one, many)));
            }
        };
        and(self.known, "was there already", "were there already");
        and(self.back, "came back out of the bin", "came back out of the bin");
        and(self.whole, "has its file again", "have their files again");
        and(self.looked_again, "that was there is looked at now", "that were there are looked at now");
        and(self.failed.len(), "not taken", "not taken");
        out.push_str(".\n");
        out.push_str(&list("Not taken:", &self.failed));
        out.push_str(&list("Came in, but could not be looked at:", &self.unseen));
        if is_stopped {
            let left = counted(self.total.saturating_sub(self.done), "file is", "files are");
            out.push_str(&format!("Stopped: {left} left. The same command goes on with them.\n"));
        }
        out
    }
}

/// The first of some files, a line each.
pub fn list(head: &str, named: &[Named]) -> String {
    if named.is_empty() {
        return String::new();
    }
    let mut out = format!("{head}\n");
    // Names of files are a stranger's: nothing in them steers the terminal or begins a line.
    let lines =
        named.iter().take(MOST_NAMED).map(|(name, why)| indented(&one_line(&format!("{name}: {why}"))));
    out.extend(lines);
    if named.len() > MOST_NAMED {
        out.push_str(&format!("  and {} more\n", named.len() - MOST_NAMED));
    }
    out
}

fn one_line(text: &str) -> String {
    text.lines().collect::<Vec<_>>().join(" ")
}

/// `1 photo`, `2 photos`.
pub fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Roughly, for a person who waits.
fn duration(seconds: f64) -> String {
    const MINUTE: f64 = 60.0;
    const HOUR: f64 = 3_600.0;
    match seconds {
        s if s < 1.5 * MINUTE => format!("{s:.0} s"),
        s if s < 1.5 * HOUR => format!("{:.0} min", s / MINUTE),
        s => format!("{:.1} h", s / HOUR),
    }
}

/// The line with it on standard error: rewritten in place at a terminal, now and then a new one elsewhere.
pub struct Line {
    began: Instant,
    written: Instant,
    is_terminal: bool,
    is_open: bool,
}

impl Line {
    /// Nothing is written yet.
    pub fn new() -> Self {
        let now = Instant::now();
        Self { began: now, written: now, is_terminal: io::stderr().is_terminal(), is_open: false }
    }

    /// Writes it, where it was not written a moment ago.
    pub fn show(&mut self, count: &Count) {
        let pause = if self.is_terminal { AT_A_TERMINAL } else { ELSEWHERE };
        if self.written.elapsed() < pause {
            return;
        }
        self.written = Instant::now();
        let line = count.line(self.began.elapsed().as_secs_f64());
        // Nobody who reads it: no reason to stop.
        drop(if self.is_terminal {
            self.is_open = true;
            write!(io::stderr(), "\r{line}\x1b[K")
        } else {
            writeln!(io::stderr(), "{line}")
        });
    }

    /// Leaves the line to what comes after it.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.is_open) {
            drop(write!(io::stderr(), "\r\x1b[K"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_many_how_fast_and_how_long() {
        let count = |done: usize| Count { total: 3_400, done, ..Count::default() };
        for (done, seconds, expected) in [
            (3, 1.0, "3 of 3400 files"),
            (120, 15.0, "120 of 3400 files, 8.0 a second, 7 min left"),
            (3_392, 424.0, "3392 of 3400 files, 8.0 a second, 1 s left"),
            (100, 500.0, "100 of 3400 files, 0.2 a second, 4.6 h left"),
            (100, 0.0, "100 of 3400 files"),
        ] {
            assert_eq!(count(done).line(seconds), expected);
        }
    }

    #[test]
    fn a_summary_names_twenty_files_and_what_it_was_stopped_at() {
        let none = Count { total: 2, done: 2, known: 2, ..Count::default() };
        assert_eq!(none.summary(false), "No new photos; 2 were there already.\n");
        let failed = (0..23).map(|at| (format!("{at}\n\x1b[31m.jpg"), "It is damaged.".to_owned())).collect();
        let unseen = vec![("a.heic".to_owned(), "No.".to_owned())];
        let count = Count {
            total: 30,
            done: 29,
            new: 1,
            back: 1,
            whole: 2,
            known: 3,
            looked_again: 1,
            failed,
            unseen,
        };
        let text = count.summary(true);
        let expected = "Brought in 1 photo; 3 were there already; 1 came back out of the bin; 2 have their files again; 1 that was there is looked at now; \
                        23 not taken.\nNot taken:\n  0 \u{fffd}[31m.jpg: It is damaged.\n";
        assert!(text.starts_with(expected), "{text}");
        assert!(text.contains("  19 ") && !text.contains("  20 "), "{text}");
        let end = "  and 3 more\nCame in, but could not be looked at:\n  a.heic: No.\n\
                   Stopped: 1 file is left. The same command goes on with them.\n";
        assert!(text.ends_with(end), "{text}");
    }
}
