//! `satchel trip`: itineraries in a terminal, over the files of `satchel chat` and with the tools that a model has, called by the
//! person's own hand (S4-01).

mod chat;
mod list;
mod look;
mod show;

use std::fs::OpenOptions;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use serde::Deserialize;
use serde_json::{Value, json};
use terminal::{Subject, Todos, plain, write};

use look::Look;
use show::{Finding, Whole, told};

/// So many titles are told where several could be meant.
const TOLD: usize = 5;

/// `satchel trip`.
#[derive(clap::Args)]
pub struct Options {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Talk about an itinerary.
    ///
    /// Each itinerary has a conversation of its own, which goes on where it was left: within 30 minutes it is active, within a day idle,
    /// within 30 days archived; after that a new one begins. What is said is meant of the itinerary, and an itinerary that is not there is
    /// made. All else is as in `satchel chat`.
    ///
    /// Where nothing else is said a conversation may cost 2 US dollars, all conversations about an itinerary together 10, and a month 50;
    /// a model whose price is not listed needs --price.
    Chat(Box<chat::Chat>),
    /// List itineraries: days, segments, what does not work, and the state of the conversation. A star marks the one that was worked on
    /// last.
    List(List),
    /// Show an itinerary day by day, with what does not work of it.
    Show(One),
    /// Check an itinerary. Ends with 1 where something of it cannot be meant; warnings are told and end with 0.
    Check(One),
    /// Write an itinerary as a calendar, as JSON or as text.
    Export(Export),
}

#[derive(clap::Args)]
struct List {
    /// Also those that are put away
    #[arg(long)]
    all: bool,
    /// As JSON
    #[arg(long)]
    json: bool,
    /// The folder of the to-dos and trips [default: satchel in the person's data folder]
    #[arg(long)]
    data: Option<PathBuf>,
}

#[derive(clap::Args)]
struct One {
    /// The itinerary, by its title or id [default: the one that was worked on last]
    #[arg(value_name = "ITINERARY")]
    itinerary: Option<String>,
    /// As JSON, as a model reads it
    #[arg(long)]
    json: bool,
    /// The folder of the to-dos and trips [default: satchel in the person's data folder]
    #[arg(long)]
    data: Option<PathBuf>,
}

#[derive(clap::Args)]
struct Export {
    /// The itinerary, by its title or id [default: the one that was worked on last]
    #[arg(value_name = "ITINERARY")]
    itinerary: Option<String>,
    /// What to write: ics for calendars, json with all of it, text for people [default: by the file's ending, else text]
    #[arg(long, value_name = "FORMAT", value_parser = FORMATS)]
    format: Option<String>,
    /// The file; a file that is there already is never written over [default: standard output]
    #[arg(long, short = 'o', value_name = "FILE")]
    out: Option<PathBuf>,
    /// With what is private: confirmation codes, days of birth, passports, visas, what the travellers want
    #[arg(long)]
    private: bool,
    /// The folder of the to-dos and trips [default: satchel in the person's data folder]
    #[arg(long)]
    data: Option<PathBuf>,
}

const FORMATS: [&str; 3] = ["ics", "json", "text"];

impl Options {
    /// Where the data is, as far as it was said.
    pub fn data(&self) -> Option<PathBuf> {
        match &self.command {
            Command::Chat(options) => options.talk.data.clone(),
            Command::List(options) => options.data.clone(),
            Command::Show(options) | Command::Check(options) => options.data.clone(),
            Command::Export(options) => options.data.clone(),
        }
    }
}

/// Does it. True when all went well, and nothing was found that cannot be meant. On a thread with a `LocalSet`.
///
/// # Errors
/// When the folder or the file cannot be used, or no itinerary is meant.
pub async fn trips(options: Options, data: &Path) -> anyhow::Result<bool> {
    let command = match options.command {
        Command::Chat(options) => return chat::chat(*options, data).await,
        command => command,
    };
    let tools = Todos::open(data).await?;
    let done = match command {
        Command::Chat(_) => Ok(true),
        Command::List(options) => list(&tools, &options, data).await,
        Command::Show(options) => show(&tools, &options).await,
        Command::Check(options) => check(&tools, &options).await,
        Command::Export(options) => export(&tools, &options).await,
    };
    tools.close().await;
    done
}

async fn list(tools: &Todos, options: &List, data: &Path) -> anyhow::Result<bool> {
    let items = list::items_with_all(tools, options.all, data, local::now_ms()).await?;
    if options.json {
        write(&format!("{}\n", serde_json::to_string_pretty(&json!({ "itineraries": items }))?));
    } else if items.is_empty() {
        write("There is no itinerary. `satchel trip chat \"Paris in June\"` makes one.\n");
    } else {
        write(&list::table(&items, Look::here()));
    }
    Ok(true)
}

async fn show(tools: &Todos, options: &One) -> anyhow::Result<bool> {
    let subject = meant(tools, options.itinerary.as_deref()).await?;
    let answer = called(tools, "get_itinerary", json!({ "itinerary": subject.id })).await?;
    if options.json {
        write(&format!("{}\n", serde_json::to_string_pretty(&answer)?));
    } else {
        write(&Whole::of(answer)?.text(Look::here()));
    }
    Ok(true)
}

async fn check(tools: &Todos, options: &One) -> anyhow::Result<bool> {
    #[derive(Deserialize)]
    struct Checked {
        errors: usize,
        findings: Vec<Finding>,
    }
    let subject = meant(tools, options.itinerary.as_deref()).await?;
    let answer = called(tools, "check_itinerary", json!({ "itinerary": subject.id })).await?;
    let Checked { errors, findings } = Checked::deserialize(&answer)?;
    if options.json {
        write(&format!("{}\n", serde_json::to_string_pretty(&answer)?));
    } else if findings.is_empty() {
        write(&format!("Nothing was found that does not work on “{}”.\n", plain(&subject.title)));
    } else {
        write(&format!("{}\n{}", plain(&subject.title), told(&findings, Look::here())));
    }
    Ok(errors == 0)
}

async fn export(tools: &Todos, options: &Export) -> anyhow::Result<bool> {
    let subject = meant(tools, options.itinerary.as_deref()).await?;
    let ending = options.out.as_deref().and_then(Path::extension).and_then(|ending| ending.to_str());
    let format = options.format.as_deref().or(ending.filter(|ending| FORMATS.contains(ending)));
    let arguments =
        json!({ "itinerary": subject.id, "format": format.unwrap_or("text"), "private": options.private });
    let answer = called(tools, "itinerary_export", arguments).await?;
    let text = answer.get("text").and_then(Value::as_str).context("the tool gave no file")?;
    let Some(path) = &options.out else {
        if io::stdout().is_terminal() {
            // A calendar's lines end with a sign that a terminal need not be sent.
            write(&plain(&text.replace('\r', "")));
        } else {
            write(text);
        }
        return Ok(true);
    };
    let shown = path.display();
    let opened = OpenOptions::new().write(true).create_new(true).open(path);
    let mut file = match opened {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            bail!("{shown} is there already: give another name, or delete it first")
        }
        opened => opened.with_context(|| format!("cannot write {shown}"))?,
    };
    file.write_all(text.as_bytes())
        .and_then(|()| file.sync_all())
        .with_context(|| format!("cannot write {shown}"))?;
    write(&format!("Wrote “{}” to {shown}.\n", plain(&subject.title)));
    Ok(true)
}

/// What a tool answers that is called by the person's own hand.
async fn called(tools: &Todos, tool: &str, arguments: Value) -> anyhow::Result<Value> {
    tools.by_hand(tool, arguments).await.map_err(|why| anyhow!(why))
}

/// Where the conversations about an itinerary are.
fn conversations_of(data: &Path, subject: &Subject) -> PathBuf {
    data.join("conversations").join(&subject.id)
}

/// The itinerary that an id or a title means; none where nothing is called so.
///
/// # Errors
/// When several could be meant, or they cannot be read.
async fn found(tools: &Todos, named: &str) -> anyhow::Result<Option<Subject>> {
    let mut found = tools.subjects(named).await.map_err(|why| anyhow!(why))?;
    if found.len() > 1 {
        found.sort_by(|one, other| one.title.cmp(&other.title));
        let more = found.len().saturating_sub(TOLD);
        let titles: Vec<String> =
            found.iter().take(TOLD).map(|one| format!("“{}”", plain(&one.title))).collect();
        let more = if more > 0 { format!(" or {more} more") } else { String::new() };
        bail!("“{}” could be {}{more}: give the whole title of one", plain(named), titles.join(" or "));
    }
    let found = found.pop();
    // It becomes the name of a folder.
    let is_plain = |id: &str| id.chars().all(|sign| sign.is_ascii_alphanumeric() || "_-".contains(sign));
    Ok(found.filter(|subject| is_plain(&subject.id)))
}

/// The itinerary that is named, else the one that was worked on last.
///
/// # Errors
/// When there is none, with what to do about it.
async fn meant(tools: &Todos, named: Option<&str>) -> anyhow::Result<Subject> {
    if let Some(named) = named {
        return found(tools, named).await?.with_context(|| {
            format!(
                "there is no itinerary “{}”: `satchel trip list --all` shows those there are, `satchel trip chat` makes one",
                plain(named)
            )
        });
    }
    let items = list::items(tools, true).await?;
    match items.iter().find(|item| item.current) {
        Some(item) => Ok(item.subject()),
        None if items.is_empty() => {
            bail!("there is no itinerary yet: `satchel trip chat \"Paris in June\"` makes one")
        }
        None => bail!("all itineraries are put away: name one of `satchel trip list --all`"),
    }
}
