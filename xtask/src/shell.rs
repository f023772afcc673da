//! Running other programs: seen, captured or only asked.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// How many lines of one failed test are said again.
const FAILURE_LINES: usize = 60;

/// Runs a command with its output on the terminal; an exit code other than zero is an error.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {}", name(command)))?;
    if !status.success() {
        bail!("`{}` failed ({status})", line(command));
    }
    Ok(())
}

/// Runs `cargo test`, shows what it prints as it comes, and says again, in the error, what the failed tests said: whoever
/// reads the end of a long log learns why.
pub fn run_tests(command: &mut Command) -> Result<()> {
    let mut child =
        command.stdout(Stdio::piped()).spawn().with_context(|| format!("cannot start {}", name(command)))?;
    let (send, lines) = mpsc::channel();
    let reader = child.stdout.take().map(|out| {
        std::thread::spawn(move || {
            let lines = BufReader::new(out).split(b'\n').map_while(Result::ok);
            lines.for_each(|text| drop(send.send(String::from_utf8_lossy(&text).into_owned())));
        })
    });
    let mut said = String::new();
    // A program that a test left behind may hold the pipe, and write into it: what comes within this after their end is theirs.
    let mut left = None;
    while reader.is_some() && left.is_none_or(|until| Instant::now() < until) {
        match lines.recv_timeout(Duration::from_millis(500)) {
            Ok(text) => {
                println!("{text}");
                said.push_str(&text);
                said.push('\n');
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if left.is_none() && child.try_wait()?.is_some() {
            left = Some(Instant::now() + Duration::from_secs(3));
        }
    }
    for text in lines.try_iter().take(100_000) {
        println!("{text}");
        said += &(text + "\n");
    }
    let status = child.wait()?;
    if !status.success() {
        bail!("`{}` failed ({status})\n{}", line(command), failures(&said));
    }
    Ok(())
}

/// What each failed test said, in the words of the test harness: from `---- name stdout ----` to the list of names. The
/// middle of a long one is left out.
fn failures(said: &str) -> String {
    let told = said.split("\nfailures:\n\n---- ").skip(1);
    let told = told.filter_map(|told| told.split("\nfailures:\n").next());
    let each = told.flat_map(|told| told.split("\n---- ")).map(|one| {
        let lines: Vec<&str> = one.trim_end().lines().collect();
        let ends = FAILURE_LINES / 2;
        match lines.len().checked_sub(FAILURE_LINES) {
            Some(more) if more > 0 => {
                let (head, tail) = (&lines[..ends], &lines[lines.len() - ends..]);
                format!("---- {}\n[{more} lines more]\n{}", head.join("\n"), tail.join("\n"))
            }
            _ => format!("---- {}", lines.join("\n")),
        }
    });
    each.collect::<Vec<_>>().join("\n")
}

/// Runs a command and gives back what it printed; its complaints go into the error.
pub fn capture(command: &mut Command) -> Result<String> {
    let output =
        command.stdin(Stdio::null()).output().with_context(|| format!("cannot start {}", name(command)))?;
    if !output.status.success() {
        bail!(
            "`{}` failed ({}): {}",
            line(command),
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Gives a command a text to read and gives back what it printed. It has to read all of it before it prints more than a little.
pub fn through(command: &mut Command, text: &str) -> Result<String> {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().with_context(|| format!("cannot start {}", name(command)))?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(text.as_bytes())?;
    }
    let output = child.wait_with_output()?;
    if !output.status.success() {
        bail!(
            "`{}` failed ({}): {}",
            name(command),
            output.status,
            String::from_utf8_lossy(&output.stderr).trim()
        );
    }
    String::from_utf8(output.stdout).context("it printed no text")
}

/// Whether a command can be run and succeeds; it prints nothing.
pub fn succeeds(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Says what a step does and how long it takes about, does it, and says how long it took.
pub fn step<T>(what: &str, about: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    println!("· {what} (about {about})");
    let started = Instant::now();
    let done = work()?;
    println!("  done in {}", seconds(started.elapsed()));
    Ok(done)
}

/// A duration as people read it.
pub fn seconds(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds >= 60 {
        format!("{} min {:02} s", seconds / 60, seconds % 60)
    } else {
        format!("{:.1} s", time.as_secs_f64())
    }
}

/// The command as one would type it.
fn line(command: &Command) -> String {
    let args = command.get_args().map(|arg| arg.to_string_lossy().into_owned());
    std::iter::once(name(command)).chain(args).collect::<Vec<_>>().join(" ")
}

fn name(command: &Command) -> String {
    let program = Path::new(command.get_program());
    program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_read_well() {
        assert_eq!(seconds(Duration::from_millis(1_234)), "1.2 s");
        assert_eq!(seconds(Duration::from_secs(125)), "2 min 05 s");
    }

    #[test]
    fn what_failed_tests_said_is_found_in_a_long_log() {
        let said = "test a ... FAILED\ntest b ... FAILED\n\nfailures:\n\n---- a stdout ----\nwhy a\n\n---- b stdout ----\nwhy b\n\nfailures:\n    a\n    b\n\ntest result: FAILED\nfailures:\n\n---- c stdout ----\nwhy c\n\nfailures:\n    c\n";
        assert_eq!(
            failures(said),
            "---- a stdout ----\nwhy a\n---- b stdout ----\nwhy b\n---- c stdout ----\nwhy c"
        );
        let long = format!("\nfailures:\n\n---- a stdout ----\n{}", "line\n".repeat(200));
        let short = failures(&long);
        assert!(short.contains("[141 lines more]") && short.lines().count() == FAILURE_LINES + 1, "{short}");
        assert_eq!(failures("test result: ok"), "");
    }

    #[test]
    fn a_failing_command_is_an_error_that_names_it() {
        let error = run(Command::new("rustc").arg("--no-such-flag").stderr(Stdio::null())).unwrap_err();
        assert!(error.to_string().contains("rustc --no-such-flag"), "{error}");
        assert!(!succeeds(&mut Command::new("satchel-no-such-program")));
    }
}
