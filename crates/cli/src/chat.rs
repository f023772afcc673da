//! `satchel chat`: the agent of the page in a terminal, with the same tools over files.
//!
//! Nothing of it knows a browser: the core is the same crate, and the ports are the system's (`terminal`).

use std::future::Future;
use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::rc::Rc;

use agent::{AgentConfig, AgentState, Driver, Handle, Model, Ports, RunFile, Status, ToolHead, Toolbox as _};
use anyhow::{Context as _, bail};
use futures::StreamExt;
use futures::channel::mpsc::UnboundedReceiver;
use gateway::Config;
use llm::Endpoint;
use terminal::{
    BuiltIn, FileLog, HereWithTodos, Question, RandomIds, Remote, Screen, SystemClock, Todos, end_of_line,
    indented, write,
};
use tokio::sync::mpsc;

use crate::environment;

/// What the assistant is told to be: the page's own.
const INSTRUCTIONS: &str = include_str!("../../ui/src/assistant.txt").trim_ascii_end();

/// The most letters of the first message that a saved conversation is called by.
const TITLE_LETTERS: usize = 60;

/// The name of the model that needs nothing.
const BUILT_IN: &str = "builtin";

#[derive(clap::Args)]
pub struct Options {
    /// What to say; without it each line of the input is a message
    text: Vec<String>,
    /// The model: builtin, or UPSTREAM/MODEL as in the configuration file
    #[arg(long, default_value = "builtin")]
    model: String,
    /// Go on with the last conversation
    #[arg(long = "continue", short = 'c')]
    resume: bool,
    /// Allow what would ask first
    #[arg(long)]
    yes: bool,
    /// Save the conversation as a file, for `satchel run` and for the app
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// The folder of the to-dos and conversations [default: satchel in the person's data folder]
    #[arg(long)]
    pub data: Option<PathBuf>,
    /// The configuration file with the models; it may be missing
    #[arg(long, default_value = "satchel.toml")]
    config: PathBuf,
}

/// Talks until the input ends. True when every answer was complete. On a thread with a `LocalSet`.
///
/// # Errors
/// When the folder, the conversation, the model or the file to save cannot be used.
pub async fn chat(options: Options, folder: &Path) -> anyhow::Result<bool> {
    let mut config = AgentConfig::new(INSTRUCTIONS);
    let model = model(&options.model, &options.config, &mut config)?;
    let toolbox = Rc::new(Todos::open(folder).await.map_err(anyhow::Error::msg)?);
    let (log, entries) = FileLog::open(&folder.join("conversations"), options.resume)
        .context("cannot go on with the last conversation")?;
    let log = Rc::new(log);
    let mut state = AgentState::from_entries(log.id(), config, entries);

    let (screen, questions) = Screen::new();
    let (mut driver, handle) = Driver::new(Ports {
        model,
        toolbox: Rc::clone(&toolbox) as Rc<dyn agent::Toolbox>,
        log: Rc::clone(&log) as Rc<dyn agent::Log>,
        clock: Rc::new(SystemClock),
        ids: Rc::new(RandomIds),
        surroundings: Rc::new(HereWithTodos(Rc::clone(&toolbox))),
        show: Rc::new(screen),
    });
    let mut person = Person {
        handle,
        questions,
        lines: lines(options.text.is_empty()),
        says_yes: options.yes,
        toolbox: Rc::clone(&toolbox),
    };

    let mut all_complete = true;
    if state.status.is_busy() {
        write("(going on where it was interrupted)\n");
        state = person.during(driver.resume(state)).await;
        all_complete &= state.status == Status::Complete;
    }
    if !options.text.is_empty() {
        state = person.during(driver.run_turn(state, options.text.join(" "))).await;
        all_complete &= state.status == Status::Complete;
    } else {
        if person.is_there() {
            write("Satchel. Say what to do; /retry tries again, /quit or Ctrl-D ends it.\n");
        }
        while let Some(line) = person.next_message().await {
            state = match line.as_str() {
                "" => continue,
                "/quit" | "/exit" => break,
                "/retry" => person.during(driver.retry(state)).await,
                _ => person.during(driver.run_turn(state, line)).await,
            };
            all_complete &= state.status == Status::Complete;
        }
    }
    if let Some(path) = &options.save {
        save(path, &state, &toolbox).await?;
    }
    Ok(all_complete)
}

/// The model of this name: `builtin`, or `UPSTREAM/MODEL`; an upstream alone is asked for its first model. The
/// configuration learns its name and its window.
fn model(asked: &str, file: &Path, config: &mut AgentConfig) -> anyhow::Result<Rc<dyn Model>> {
    if asked == BUILT_IN {
        return Ok(Rc::new(BuiltIn));
    }
    let known = Config::new("").read(file, &environment())?.upstreams;
    let (upstream, name) = asked.split_once('/').unwrap_or((asked, ""));
    let Some(found) = known.get(upstream) else {
        let names: Vec<&str> = [BUILT_IN].into_iter().chain(known.keys().map(String::as_str)).collect();
        bail!("there is no upstream {upstream} for --model {asked}: there are {}", names.join(", "));
    };
    let listed = found.models.iter().find(|listed| name.is_empty() || listed.id == name);
    let name =
        if name.is_empty() { listed.map(|listed| listed.id.as_str()).unwrap_or_default() } else { name };
    if name.is_empty() {
        bail!("say which model of {upstream}: --model {upstream}/MODEL");
    }
    name.clone_into(&mut config.model);
    let window = listed.and_then(|listed| listed.window);
    config.context.window_tokens = Some(window.unwrap_or_else(|| llm::assumed_window(&found.base_url)));
    let endpoint =
        Endpoint { wire: found.wire, key: found.key.clone(), ..Endpoint::open(found.base_url.clone()) };
    Ok(Rc::new(Remote::new(endpoint, name)?))
}

/// Saves a conversation as a run file.
async fn save(path: &Path, state: &AgentState, toolbox: &Todos) -> anyhow::Result<()> {
    let title = state.initial_query().unwrap_or_default().lines().next().unwrap_or_default();
    let tools = toolbox.list().await?;
    let file = RunFile {
        title: title.chars().take(TITLE_LETTERS).collect(),
        app: env!("CARGO_PKG_VERSION").to_owned(),
        saved_at_ms: local::now_ms(),
        limits: state.config.limits.clone(),
        tools: tools.iter().map(ToolHead::of).collect(),
        entries: state.entries.iter().cloned().collect(),
    };
    std::fs::write(path, file.to_json()?).with_context(|| format!("cannot write {}", path.display()))
}

/// Who sits at the terminal, or what stands in for them.
struct Person {
    handle: Handle,
    questions: UnboundedReceiver<Question>,
    /// What they write; it ends with the input.
    lines: mpsc::UnboundedReceiver<String>,
    says_yes: bool,
    toolbox: Rc<Todos>,
}

impl Person {
    /// Whether somebody reads along and types.
    fn is_there(&self) -> bool {
        io::stdin().is_terminal() && io::stdout().is_terminal()
    }

    fn prompt(&self, words: &str) {
        if self.is_there() {
            write(words);
        }
    }

    /// The next message; none when there is no more to come.
    async fn next_message(&mut self) -> Option<String> {
        self.prompt("\n> ");
        tokio::select! {
            line = self.lines.recv() => Some(line?.trim().to_owned()),
            _ = tokio::signal::ctrl_c() => None,
        }
    }

    /// Lets a run go on to its end: answers what it asks, and stops it at Ctrl-C.
    async fn during(&mut self, run: impl Future<Output = AgentState>) -> AgentState {
        let mut run = pin!(run);
        loop {
            tokio::select! {
                state = &mut run => {
                    end_of_line();
                    return state;
                }
                Some(question) = self.questions.next() => self.decide(question).await,
                _ = tokio::signal::ctrl_c() => self.handle.cancel(),
            }
        }
    }

    async fn decide(&mut self, question: Question) {
        let Question { call, title } = question;
        end_of_line();
        write(&format!("? {title}: may I?\n"));
        let preview = self.toolbox.preview(&call).await;
        write(&indented(&preview.unwrap_or_else(|| call.arguments.to_string())));
        if self.says_yes {
            return self.handle.approve(call.id);
        }
        self.prompt("  yes, no, or all (of this tool, in this run)? ");
        let answer = tokio::select! {
            line = self.lines.recv() => line,
            _ = tokio::signal::ctrl_c() => return self.handle.cancel(),
        };
        // Whoever says nothing has not said yes.
        match answer.unwrap_or_default().trim().to_lowercase().as_str() {
            "y" | "yes" | "ok" => self.handle.approve(call.id),
            "a" | "all" => self.handle.allow(call.id),
            _ => self.handle.deny(call.id),
        }
    }
}

/// The lines of the input as they come. A read of standard input cannot be called back, so it has a thread.
fn lines(is_read: bool) -> mpsc::UnboundedReceiver<String> {
    let (sender, lines) = mpsc::unbounded_channel();
    // What is said with the command is answered from the terminal only: a pipe is not ours to read then.
    if is_read || io::stdin().is_terminal() {
        std::thread::spawn(move || {
            for line in io::stdin().lock().lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
    }
    lines
}
