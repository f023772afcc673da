//! Running other programs: seen, captured or only asked.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// Runs a command with its output on the terminal; an exit code other than zero is an error.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().with_context(|| format!("cannot start {}", name(command)))?;
    if !status.success() {
        bail!("`{}` failed ({status})", line(command));
    }
    Ok(())
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
    fn a_failing_command_is_an_error_that_names_it() {
        let error = run(Command::new("rustc").arg("--no-such-flag").stderr(Stdio::null())).unwrap_err();
        assert!(error.to_string().contains("rustc --no-such-flag"), "{error}");
        assert!(!succeeds(&mut Command::new("satchel-no-such-program")));
    }
}
