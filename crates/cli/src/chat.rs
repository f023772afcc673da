//! `satchel chat`: the agent of the page in a terminal, with the same tools over files.
//!
//! Nothing of it knows a browser: the core is the same crate, and the ports are the system's (`terminal`).

use std::future::Future;
use std::io::{self, BufRead, IsTerminal};
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::rc::Rc;
use std::time::Duration;

use agent::{
    AgentConfig, AgentState, ContextProvider, Driver, EntryBody, Handle, Model, Planning, Ports, Questions,
    RunFile, Status, ToolHead, Toolbox as _,
};
use anyhow::{Context as _, bail};
use futures::StreamExt;
use futures::channel::mpsc::UnboundedReceiver;
use gateway::Config;
use llm::{Endpoint, Price, Rates, RetryPolicy, Terms, ToolUse};
use protocol::{CallId, ToolCall};
use terminal::{
    Ask, Cast, FileLog, HereAbout, HereWithTools, Http, Months, Player, RandomIds, RemoteModel, Screen,
    Subject, SystemClock, Todos, end_of_line, indented, question_lines, write,
};
use tokio::sync::mpsc;

use crate::environment;

/// What the assistant is told to be: the page's own.
pub const INSTRUCTIONS: &str = include_str!("../../page/src/assistant.txt").trim_ascii_end();

/// The most letters of the first message that a saved conversation is called by.
const TITLE_LETTERS: usize = 60;

/// How long a server may take to say how much its model takes.
const PATIENCE: Duration = Duration::from_secs(2);

/// The name of the model that needs nothing.
pub const BUILT_IN: &str = "builtin";

#[derive(clap::Args)]
pub struct Options {
    #[command(flatten)]
    pub talk: Talk,
    /// Go on with the last conversation
    #[arg(long = "continue", short = 'c')]
    resume: bool,
}

/// How to talk, whatever it is about.
#[derive(clap::Args)]
pub struct Talk {
    /// What to say; without it each line of the input is a message
    text: Vec<String>,
    /// The model: builtin, or UPSTREAM/MODEL as in the configuration file
    #[arg(long, default_value = "builtin")]
    model: String,
    /// The model for questions with a short answer, named like --model [default: the same]
    #[arg(long, value_name = "MODEL")]
    small: Option<String>,
    /// The model for summaries and translations, named like --model [default: the same]
    #[arg(long, value_name = "MODEL")]
    cheap: Option<String>,
    /// How the model gets its tools: its own, described to it with answers as JSON, or the second where it has none
    #[arg(long, default_value = ToolUse::default().name(), value_parser = ToolUse::ALL.map(ToolUse::name))]
    tools: String,
    /// The most this conversation may cost, in US dollars; a request that might pass it is not sent
    #[arg(long, value_name = "DOLLARS", value_parser = micro_usd)]
    pub limit: Option<u64>,
    /// The same for a calendar month, all conversations in this folder together
    #[arg(long, value_name = "DOLLARS", value_parser = micro_usd)]
    pub month_limit: Option<u64>,
    /// What the models cost: dollars per million tokens, sent/answered [default: the listed price]
    #[arg(long, value_name = "SENT/ANSWERED", value_parser = price)]
    price: Option<Price>,
    /// The most requests in a minute to a model that is not on this machine; 0 is as many as one likes
    #[arg(long, value_name = "COUNT", default_value_t = 60)]
    calls_per_minute: u32,
    /// The same for tokens in an hour
    #[arg(long, value_name = "COUNT", default_value_t = 1_000_000)]
    tokens_per_hour: u64,
    /// Allow what would ask first, until text from outside was read
    #[arg(long)]
    yes: bool,
    /// See a plan, and approve it, before anything is changed
    #[arg(long)]
    plan: bool,
    /// Tell the model nothing of what you asked to be remembered, and keep nothing
    #[arg(long)]
    no_memory: bool,
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

/// A conversation that is begun or gone on with.
pub struct Conversation {
    /// Where it is kept, beside others like it.
    pub folder: PathBuf,
    /// Whether the last one there is gone on with.
    pub resume: bool,
    /// What it is about; none for anything.
    pub subject: Option<Subject>,
}

/// Talks until the input ends. True when every answer was complete. On a thread with a `LocalSet`.
///
/// # Errors
/// When the folder, the conversation, the model or the file to save cannot be used.
pub async fn chat(options: Options, folder: &Path) -> anyhow::Result<bool> {
    let Options { talk, resume } = options;
    let cast = cast(&talk, talk.limits(), folder).await?;
    let conversation = Conversation { folder: folder.join("conversations"), resume, subject: None };
    self::talk(talk, cast, Todos::open(folder).await?, conversation).await
}

impl Talk {
    /// The limits that were said: of the conversation, and of the month.
    fn limits(&self) -> Spending {
        Spending { conversation: self.limit, month: self.month_limit }
    }
}

/// The most that may be spent, in millionths of a US dollar; none is no limit.
#[derive(Clone, Copy)]
pub struct Spending {
    pub conversation: Option<u64>,
    pub month: Option<u64>,
}

/// The models, held against what may be spent.
///
/// # Errors
/// When a model cannot be used.
pub async fn cast(options: &Talk, limits: Spending, folder: &Path) -> anyhow::Result<Rc<Cast>> {
    let small = match &options.small {
        Some(asked) => Some(player(asked, options).await?),
        None => None,
    };
    let cheap = match &options.cheap {
        Some(asked) => Some(player(asked, options).await?),
        None => None,
    };
    let terms = Terms {
        price: None,
        conversation_limit: limits.conversation,
        month_limit: limits.month,
        longest_answer: None,
        rates: Some(Rates {
            calls_per_minute: Some(options.calls_per_minute).filter(|calls| *calls > 0),
            tokens_per_hour: Some(options.tokens_per_hour).filter(|tokens| *tokens > 0),
        }),
    };
    let main = player(&options.model, options).await?;
    Ok(Rc::new(Cast::new(main, small, cheap, terms, Months::in_folder(folder))))
}

/// Talks in a conversation until the input ends. True when every answer was complete. On a thread with a `LocalSet`.
///
/// # Errors
/// When the conversation or the file to save cannot be used.
pub async fn talk(
    options: Talk,
    cast: Rc<Cast>,
    todos: Todos,
    conversation: Conversation,
) -> anyhow::Result<bool> {
    let mut config = AgentConfig::new(INSTRUCTIONS);
    config.own_tools.questions = true;
    if options.plan {
        config.own_tools.planning = Planning::First;
    }
    let toolbox = Rc::new(if options.no_memory { todos.without_memory() } else { todos });
    let Conversation { folder, resume, subject } = conversation;
    let (log, entries) = FileLog::open(&folder, resume).context("cannot go on with the last conversation")?;
    let log = Rc::new(log);
    let mut state = AgentState::from_entries(log.id(), config, entries);
    let context_provider: Rc<dyn ContextProvider> = match subject {
        Some(subject) => Rc::new(HereAbout { todos: Rc::clone(&toolbox), subject }),
        None => Rc::new(HereWithTools(Rc::clone(&toolbox))),
    };

    let (screen, questions) = Screen::new();
    let (mut driver, handle) = Driver::new(Ports {
        model: Rc::clone(&cast) as Rc<dyn Model>,
        toolbox: Rc::clone(&toolbox) as Rc<dyn agent::Toolbox>,
        checker: Rc::new(evidence::checked),
        log: Rc::clone(&log) as Rc<dyn agent::Log>,
        clock: Rc::new(SystemClock),
        ids: Rc::new(RandomIds),
        context_provider,
        show: Rc::new(screen),
    });
    let mut person = Person {
        handle,
        questions,
        lines: lines(options.text.is_empty()),
        says_yes: options.yes,
        toolbox: Rc::clone(&toolbox),
        cast: Rc::clone(&cast),
    };

    let mut all_complete = true;
    if state.status.is_busy() {
        write("(going on where it was interrupted)\n");
        let said = said_last(&state);
        state = person.during(driver.resume(cast.begin(state, &said))).await;
        all_complete &= state.status == Status::Complete;
    }
    if !options.text.is_empty() {
        let said = options.text.join(" ");
        state = person.during(driver.run_turn(cast.begin(state, &said), said)).await;
        all_complete &= state.status == Status::Complete;
    } else {
        if person.is_there() {
            write("Satchel. Say what to do; /retry tries again, /quit or Ctrl-D ends it.\n");
        }
        while let Some(line) = person.next_message().await {
            state = match line.as_str() {
                "" => continue,
                "/quit" | "/exit" => break,
                "/retry" => {
                    let said = said_last(&state);
                    person.during(driver.retry(cast.begin(state, &said))).await
                }
                _ => person.during(driver.run_turn(cast.begin(state, &line), line)).await,
            };
            all_complete &= state.status == Status::Complete;
        }
    }
    if let Some(path) = &options.save {
        save(path, &state, &toolbox).await?;
    }
    toolbox.close().await;
    Ok(all_complete)
}

/// The model of this name: `builtin`, or `UPSTREAM/MODEL`; an upstream alone is asked for its first model.
async fn player(asked: &str, options: &Talk) -> anyhow::Result<Player> {
    Ok(match found(asked, &options.config, &options.tools, options.price).await? {
        None => Player::built_in(),
        Some(remote) => Player::remote(&remote, RetryPolicy::default())?,
    })
}

/// The model of this name; none for the built-in one.
///
/// # Errors
/// When the configuration cannot be read or has no such model.
pub async fn found(
    asked: &str,
    config: &Path,
    tools: &str,
    price: Option<Price>,
) -> anyhow::Result<Option<RemoteModel>> {
    if asked == BUILT_IN {
        return Ok(None);
    }
    let known = Config::new("").read(config, &environment())?.upstreams;
    let (upstream, name) = asked.split_once('/').unwrap_or((asked, ""));
    let Some(found) = known.get(upstream) else {
        let names: Vec<&str> = [BUILT_IN].into_iter().chain(known.keys().map(String::as_str)).collect();
        bail!("there is no upstream {upstream} for the model {asked}: there are {}", names.join(", "));
    };
    let listed = found.models.iter().find(|listed| name.is_empty() || listed.id == name);
    let name =
        if name.is_empty() { listed.map(|listed| listed.id.as_str()).unwrap_or_default() } else { name };
    if name.is_empty() {
        bail!("say which model of {upstream}: {upstream}/MODEL");
    }
    let window = match listed.and_then(|listed| listed.window) {
        None => window_at(&found.base_url, name).await,
        said => said,
    };
    let endpoint = Endpoint {
        wire: found.wire,
        key: found.key.clone(),
        tools: ToolUse::named(tools).unwrap_or_default(),
        ..Endpoint::open(found.base_url.clone())
    };
    let window = window.unwrap_or_else(|| llm::assumed_window(&found.base_url));
    Ok(Some(RemoteModel {
        is_here: llm::is_local(&endpoint.base_url),
        endpoint,
        name: name.to_owned(),
        window_tokens: Some(window),
        price,
    }))
}

/// How much a model takes at once by what its server says, where one can be asked; it is told where it says nothing.
async fn window_at(base_url: &str, model: &str) -> Option<u64> {
    if !llm::is_ollama(base_url) {
        return None;
    }
    let http = Http::new().ok()?;
    let asked = llm::ollama_window(&http, base_url, model);
    let window = tokio::time::timeout(PATIENCE, asked).await.ok().flatten();
    if window.is_none() {
        let assumed = llm::assumed_window(base_url);
        write(&format!(
            "! Ollama does not say how much {model} takes at once: {assumed} tokens are assumed. It takes more where it is \
             started with OLLAMA_CONTEXT_LENGTH; say it with `window` in the configuration file.\n"
        ));
    }
    window
}

/// What the last run is about.
fn said_last(state: &AgentState) -> String {
    let said = state.entries.iter().rev().find_map(|entry| match &entry.body {
        EntryBody::User { text, .. } => Some(text.clone()),
        _ => None,
    });
    said.unwrap_or_default()
}

/// Dollars as they are typed, in millionths.
pub fn micro_usd(text: &str) -> Result<u64, String> {
    let dollars: f64 =
        text.trim_start_matches('$').parse().map_err(|_no_number| "say it in dollars: 2.50".to_owned())?;
    let is_amount = (0.0..1e9).contains(&dollars);
    is_amount.then(|| (dollars * 1e6).round() as u64).ok_or_else(|| "that is no amount".to_owned())
}

/// Two prices, as `0.25/2`. What a provider has cached counts as dear as the rest.
pub fn price(text: &str) -> Result<Price, String> {
    let (sent, answered) = text.split_once('/').ok_or("say both, as 0.25/2")?;
    let input = micro_usd(sent)?;
    Ok(Price { input, cached: input, output: micro_usd(answered)? })
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
        entries: state.log().cloned().collect(),
    };
    std::fs::write(path, file.to_json()?).with_context(|| format!("cannot write {}", path.display()))
}

/// Who sits at the terminal, or what stands in for them.
struct Person {
    handle: Handle,
    questions: UnboundedReceiver<Ask>,
    /// What they write; it ends with the input.
    lines: mpsc::UnboundedReceiver<String>,
    says_yes: bool,
    toolbox: Rc<Todos>,
    cast: Rc<Cast>,
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
                    for warning in self.cast.warnings() {
                        write(&format!("! {warning}\n"));
                    }
                    return state;
                }
                Some(ask) = self.questions.next() => self.asked(ask).await,
                _ = tokio::signal::ctrl_c() => self.handle.cancel(),
            }
        }
    }

    /// What they answer, without its ends; nothing where nobody sits at a terminal. None when they stop the run instead.
    async fn line(&mut self) -> Option<String> {
        // What comes through a pipe was written before anything was asked: the next line is a message and no answer.
        if !io::stdin().is_terminal() {
            return Some(String::new());
        }
        tokio::select! {
            line = self.lines.recv() => Some(line.unwrap_or_default().trim().to_owned()),
            _ = tokio::signal::ctrl_c() => {
                self.handle.cancel();
                None
            }
        }
    }

    async fn asked(&mut self, ask: Ask) {
        end_of_line();
        match ask {
            Ask::Approval { call, title, tainted_by } => self.decide(call, &title, tainted_by).await,
            Ask::Questions { call_id, questions } => self.answer(call_id, &questions).await,
            Ask::Plan { call_id, plan } => {
                let goal = if plan.goal.is_empty() { String::new() } else { format!(": {}", plan.goal) };
                write(&indented(&format!("Plan{goal}\n{}", plan.text())));
                if self.says_yes {
                    return self.handle.approve(call_id);
                }
                self.prompt("  (y/n) ");
                match self.line().await.as_deref() {
                    Some("y" | "yes" | "ok") => self.handle.approve(call_id),
                    Some(_) => self.handle.deny(call_id),
                    None => {}
                }
            }
        }
    }

    /// One question after the other. An answer that does not fit is asked for again, where somebody is there.
    async fn answer(&mut self, call_id: CallId, questions: &Questions) {
        let mut reply = serde_json::Map::new();
        for question in &questions.questions {
            let alone = Questions { questions: vec![question.clone()] };
            loop {
                write(&question_lines(question));
                self.prompt("  > ");
                let Some(line) = self.line().await else { return };
                let mut one = serde_json::Map::new();
                one.extend(question.typed(&line).map(|answer| (question.id.clone(), answer)));
                match alone.answered(&serde_json::Value::Object(one.clone())) {
                    Ok(_) => {
                        reply.extend(one);
                        break;
                    }
                    Err(why) if self.is_there() && !line.is_empty() => write(&indented(&why)),
                    // Whoever says nothing does not want to answer.
                    Err(_) => return self.handle.deny(call_id),
                }
            }
        }
        self.handle.answer(call_id, reply.into());
    }

    async fn decide(&mut self, call: ToolCall, title: &str, tainted_by: Option<String>) {
        write(&format!("? {title}\n"));
        if let Some(source) = &tainted_by {
            write(&indented(&format!(
                "This conversation has read text from outside ({source}); whoever wrote it may want this."
            )));
        }
        let preview = self.toolbox.preview(&call).await;
        write(&indented(&preview.unwrap_or_else(|| call.arguments.to_string())));
        // What was said before the text was read does not hold after it.
        if self.says_yes && tainted_by.is_none() {
            return self.handle.approve(call.id);
        }
        self.prompt("  (y/n, or \"all\" for this tool in this run) ");
        let Some(answer) = self.line().await else { return };
        // Whoever says nothing has not said yes.
        match answer.to_lowercase().as_str() {
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
