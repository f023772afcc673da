//! `satchel rehearse`: whole conversations played before anyone has them (docs/rehearsal.md).
//!
//! The parent reads files, gives jobs to worker processes and is the only one that writes results; a worker plays one conversation
//! after another ([`worker`]). Start at [`rehearse`].

mod batch;
mod breaks;
mod folder;
mod found;
mod messages;
mod models;
mod otlp;
mod play;
mod pool;
mod progress;
mod queue;
mod reports;
mod webhook;
pub mod worker;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Args;
use llm::ToolUse;
use rehearsal::queue::{InProcess, Job};
use rehearsal::{PromptSpec, read, scenario};
use terminal::SystemClock;

use self::batch::{Batch, Planned, Results, jobs};
use self::folder::{Asked, AskedQueue, Done, Folder, hash};
use self::found::{Files, shown};
use self::messages::{Head, ModelNames, SetUp, WebhookSetUp};
use self::models::Configured;
use self::otlp::Exporter;
use self::play::{Terms, Workers};
use self::progress::{Counts, Progress};
use self::webhook::OverHttp;

/// Where results go when nothing is said.
const REHEARSALS: &str = "rehearsals";

/// How many conversations with models elsewhere are played at once.
const PARALLEL_REMOTE: usize = 8;

/// The most mistakes that are named.
const MOST_WRONG: usize = 30;

/// The exit code of what was asked for wrongly, or could not be done.
const WRONG: u8 = 2;

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Options {
    #[command(subcommand)]
    command: Option<Command>,
    /// Scenarios: files, or folders of them
    #[arg(value_name = "PATH", required_unless_present_any = ["resume", "schema"])]
    paths: Vec<PathBuf>,
    /// Go on with a batch: what is done is not done again
    #[arg(long, value_name = "DIR", conflicts_with_all = [
        "paths", "out", "repeat", "model", "client_model", "judge", "tools", "config", "webhook", "webhook_timeout", "allow_host",
        "memory", "grace", "list",
    ])]
    resume: Option<PathBuf>,
    /// The folder for what comes of it [default: rehearsals/TIME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How often each scenario is played
    #[arg(long, value_name = "COUNT", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    repeat: u32,
    /// How many conversations are played at once [default: as many as there are cores; 8 with a model elsewhere]
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    parallel: Option<u32>,
    /// The model that answers: builtin, or UPSTREAM/MODEL as in the configuration file [default: builtin]
    #[arg(long)]
    model: Option<String>,
    /// The model that plays clients and tools which a model plays, named like --model
    #[arg(long, value_name = "MODEL")]
    client_model: Option<String>,
    /// The model that judges where a scenario asks for it, named like --model; its verdict is kept apart
    #[arg(long, value_name = "MODEL")]
    judge: Option<String>,
    /// How models get their tools: their own, described to them with answers as JSON, or the second where they have none
    #[arg(long, default_value = ToolUse::default().name(), value_parser = ToolUse::ALL.map(ToolUse::name))]
    tools: String,
    /// The configuration file with the models; it may be missing
    #[arg(long, default_value = "satchel.toml")]
    config: PathBuf,
    /// Compare with an earlier batch: its folder or its results.jsonl
    #[arg(long, value_name = "EARLIER")]
    against: Option<PathBuf>,
    /// End with 1 where a smaller share than this passed, from 0 to 1 [default: 1]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    fail_under: Option<f64>,
    /// Ask this address for variables of scenarios that have a client_id; {client_id} in it is replaced
    #[arg(long, value_name = "URL")]
    webhook: Option<String>,
    /// How long the webhook may take, in seconds, each of three times
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0, value_parser = seconds)]
    webhook_timeout: f64,
    /// A host that the webhook may have although its address is private; may be given again
    #[arg(long, value_name = "NAME")]
    allow_host: Vec<String>,
    /// Send spans to this collector too, by OTLP over HTTP; OTEL_EXPORTER_OTLP_HEADERS is read for its keys
    #[arg(long, value_name = "URL")]
    otlp: Option<String>,
    /// The most memory each worker takes for data, in MB; 0 is no limit
    #[arg(long, value_name = "MB", default_value_t = 1_024)]
    memory: u64,
    /// How long a conversation may take beyond its own limit before its process is ended, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 10.0, value_parser = seconds)]
    grace: f64,
    /// Have workers elsewhere play it: servers of NATS, nats://HOST:4222, several with commas between
    #[arg(long, value_name = "SERVERS")]
    queue: Option<String>,
    /// The queue's name [default: rehearsals]
    #[arg(long, value_name = "NAME", requires = "queue")]
    queue_name: Option<String>,
    /// On how many servers the queue keeps what is in it: 1, 3 or 5; who opens it first says so
    #[arg(long, value_name = "COUNT", default_value_t = 1, requires = "queue")]
    replicas: usize,
    /// Leave the batch in the queue when it is over
    #[arg(long)]
    keep: bool,
    /// List the conversations that would be played
    #[arg(long)]
    list: bool,
    /// Print the JSON Schema of scenarios
    #[arg(long)]
    schema: bool,
}

/// What workers and whoever looks after them do.
#[derive(clap::Subcommand)]
enum Command {
    /// Play what is in a queue, of whatever batch, until this is stopped
    ///
    /// Models and their keys are this machine's own. A conversation that is being played when SIGTERM or Ctrl-C comes is given back.
    Worker(queue::WorkerOptions),
    /// Say how far a queue's batches are, and who plays them
    Status(queue::StatusOptions),
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "it is from 0 to 1, as 0.9".to_owned())
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds| (0.01..=86_400.0).contains(seconds));
    seconds.ok_or_else(|| "it is a number of seconds".to_owned())
}

/// Plays scenarios. The exit code says what came of it: 0, 1 where too few passed, 2 where it could not be done.
pub async fn rehearse(options: Options) -> ExitCode {
    let done = match options.command {
        Some(Command::Worker(worker)) => queue::work(worker).await.map(|()| ExitCode::SUCCESS),
        Some(Command::Status(status)) => queue::status(status).await.map(|()| ExitCode::SUCCESS),
        None if options.schema => print_schema().map(|()| ExitCode::SUCCESS),
        None => played(options).await,
    };
    done.unwrap_or_else(|wrong| {
        eprintln!("satchel: {wrong:#}");
        ExitCode::from(WRONG)
    })
}

fn print_schema() -> anyhow::Result<()> {
    println!("{}", serde_json::to_string_pretty(&scenario::schema())?);
    Ok(())
}

async fn played(options: Options) -> anyhow::Result<ExitCode> {
    let mut stop = crate::Signals::new()?;
    let (folder, asked, done) = match &options.resume {
        Some(path) => {
            let (folder, asked, done) = Folder::resume(path)?;
            (Some(folder), asked, done)
        }
        None => (None, asked(&options)?, Done::default()),
    };
    if let Some(hook) = &asked.webhook {
        OverHttp::new(hook.clone(), None)?;
    }
    options.against.as_deref().map(reports::is_readable).transpose()?;
    let mut exporter = options.otlp.as_deref().map(Exporter::new).transpose()?;

    let files = Files::find(&asked.paths);
    let hashes = hashes(&files);
    if options.resume.is_some() {
        is_same(&asked.files, &hashes)?;
    }
    let is_remote = Configured::find(&asked.models, &asked.config).await?.is_any_remote();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let parallel =
        options.parallel.map_or(if is_remote { PARALLEL_REMOTE } else { cores }, |count| count as usize);
    let work = match queue_of(&options, &asked)? {
        Some(at) => Some(at.open().await?),
        None => None,
    };
    let terms = Terms { set_up: set_up(&asked), grace: grace(&asked) };
    let workers = Workers::start(terms, parallel).await?;
    let scenarios = tokio::select! {
        scenarios = scenarios(&workers, files) => scenarios?,
        () = stop.next() => return Ok(stopped_before()),
    };
    if options.list {
        jobs(&scenarios, asked.repeat).for_each(|job| println!("{}", job.id));
        return Ok(ExitCode::SUCCESS);
    }
    let folder = match folder {
        Some(folder) => folder,
        None => {
            let path = options.out.clone().unwrap_or_else(new_folder);
            Folder::create(&path, &Asked { files: hashes, ..asked.clone() })?
        }
    };

    let mut progress = Progress::new(scenarios.iter().map(|planned| planned.name.as_str()), asked.repeat);
    for ((scenario, verdict), count) in &done.verdicts {
        progress.before(scenario, *verdict, *count);
    }
    let path = folder.path().to_path_buf();
    let left = jobs(&scenarios, asked.repeat).filter(|job| !done.jobs.contains(&job.id));
    let by = match &work {
        Some(_) => "by workers elsewhere".to_owned(),
        None => format!("{} at once", workers.count()),
    };
    eprintln!("{} of {} conversations, {by}, into {}", progress.left(), progress.total(), shown(&path));
    let results = Results {
        folder: RefCell::new(folder),
        progress: RefCell::new(progress),
        exporter: RefCell::new(exporter.take()),
    };
    let play = async {
        match &work {
            Some(work) => queue::wait(work, &workers.terms, left.collect(), &results).await,
            None => {
                let queue = InProcess::new(left, Rc::new(SystemClock));
                Batch { workers: &workers, queue: &queue, results: &results }.play().await
            }
        }
    };
    let is_stopped = tokio::select! {
        played = play => {
            played?;
            false
        }
        () = stop.next() => true,
    };
    let Results { folder, progress, exporter } = results;
    let (mut folder, mut progress) = (folder.into_inner(), progress.into_inner());
    folder.sync()?;
    progress.hide();
    if is_stopped {
        eprintln!(
            "Stopped: {} conversations are left. Go on with: satchel rehearse --resume {}",
            progress.left(),
            shown(&path)
        );
        return Ok(ExitCode::from(130));
    }
    if let Some(exporter) = exporter.into_inner()
        && let Some(lost) = exporter.end().await
    {
        eprintln!("Note: {lost}");
    }
    let summary = reports::write(&folder, options.against.as_deref())?;
    println!("{}", summary.trim_end());
    println!("{}", shown(&path));
    if let Some(work) = work.filter(|_| !options.keep)
        && let Err(error) = work.erase(&asked.batch).await
    {
        // It goes by itself, later.
        eprintln!("Note: the batch is still in the queue: {error}");
    }
    Ok(verdict(progress.counts(), options.fail_under))
}

fn stopped_before() -> ExitCode {
    eprintln!("Stopped before anything was played.");
    ExitCode::from(130)
}

/// Whether enough passed. What a simulated client did wrong counts neither way; what could not be played did not pass.
fn verdict(counts: Counts, fail_under: Option<f64>) -> ExitCode {
    let of = counts.passed + counts.failed + counts.not_played;
    let number = |count: u64| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    let is_well = match fail_under {
        Some(least) => of > 0 && number(counts.passed) / number(of) >= least,
        None => counts.all() > 0 && counts.passed == counts.all(),
    };
    if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What is asked for by these options.
fn asked(options: &Options) -> anyhow::Result<Asked> {
    let absolute =
        |path: &PathBuf| std::path::absolute(path).with_context(|| format!("{} is no path", path.display()));
    let webhook = options.webhook.as_ref().map(|url| WebhookSetUp {
        url: url.clone(),
        allowed: options.allow_host.clone(),
        timeout_ms: Duration::from_secs_f64(options.webhook_timeout)
            .as_millis()
            .try_into()
            .unwrap_or(u64::MAX),
    });
    Ok(Asked {
        version: 1,
        batch: local::random(),
        paths: options.paths.iter().map(absolute).collect::<anyhow::Result<_>>()?,
        repeat: options.repeat,
        models: ModelNames {
            assistant: options.model.clone(),
            client: options.client_model.clone(),
            judge: options.judge.clone(),
            tools: options.tools.clone(),
        },
        config: absolute(&options.config)?,
        webhook,
        memory_mb: options.memory,
        grace_sec: options.grace,
        queue: options.queue.as_ref().map(|servers| AskedQueue {
            servers: (!servers.contains('@')).then(|| servers.clone()),
            name: options.queue_name.clone().unwrap_or_else(|| queue::NAME.to_owned()),
        }),
        files: BTreeMap::new(),
    })
}

/// The queue that a batch is in: where it was put when it was begun, unless another one is named now.
fn queue_of(options: &Options, asked: &Asked) -> anyhow::Result<Option<queue::At>> {
    let then = asked.queue.as_ref();
    if options.queue.is_none() && then.is_none() {
        return Ok(None);
    }
    let servers = options.queue.clone().or_else(|| then.and_then(|queue| queue.servers.clone()));
    let name = options.queue_name.clone().or_else(|| then.map(|queue| queue.name.clone()));
    Ok(Some(queue::At {
        queue: servers
            .context("the batch is in a queue whose address is not kept: say it again with --queue")?,
        queue_name: name.unwrap_or_else(|| queue::NAME.to_owned()),
        replicas: options.replicas,
    }))
}

fn set_up(asked: &Asked) -> SetUp {
    SetUp {
        models: asked.models.clone(),
        config: asked.config.clone(),
        webhook: asked.webhook.clone(),
        memory_bytes: (asked.memory_mb > 0).then(|| asked.memory_mb.saturating_mul(1 << 20)),
        batch: asked.batch.clone(),
    }
}

fn grace(asked: &Asked) -> Duration {
    // Simulated time stands still while a webhook is waited for, and it is asked three times.
    let hook = asked.webhook.as_ref().map_or(0, |hook| 3 * hook.timeout_ms + 1_000);
    Duration::from_secs_f64(asked.grace_sec) + Duration::from_millis(hook)
}

fn hashes(files: &Files) -> BTreeMap<String, String> {
    let all = files.scenarios.iter().chain(files.prompts.values());
    all.map(|file| (file.path.display().to_string(), hash(&file.text))).collect()
}

/// A batch is gone on with as it was begun: what was played from other files is no part of it.
fn is_same(then: &BTreeMap<String, String>, now: &BTreeMap<String, String>) -> anyhow::Result<()> {
    let changed = then.iter().find_map(|(file, hash)| match now.get(file) {
        None => Some((file, "is not there any more")),
        Some(other) if other != hash => Some((file, "was changed")),
        Some(_) => None,
    });
    let new = || now.keys().find(|file| !then.contains_key(*file)).map(|file| (file, "is new"));
    if let Some((file, what)) = changed.or_else(new) {
        bail!(
            "{} {what} since this batch was begun: rehearse it as a new one, without --resume",
            shown(Path::new(file))
        );
    }
    Ok(())
}

/// The scenarios of files, read by workers, with their prompts.
async fn scenarios(workers: &Workers, files: Files) -> anyhow::Result<Vec<Rc<Planned>>> {
    let Files { scenarios, prompts: prompt_files, mut wrong, .. } = files;
    let mut prompts: BTreeMap<String, PromptSpec> = BTreeMap::new();
    for (name, file) in &prompt_files {
        match read::prompts(&file.name, &file.text) {
            Ok(spec) => drop(prompts.insert(name.clone(), spec)),
            Err(error) => wrong.push(error.to_string()),
        }
    }
    // Those of a file that is wrong itself are there: what is wrong with it is said once.
    let is_known = |name: &str| name == rehearsal::prompts::DEFAULT || prompt_files.contains_key(name);
    let mut shared: BTreeMap<String, Arc<BTreeMap<String, PromptSpec>>> = BTreeMap::new();
    let mut planned: Vec<Rc<Planned>> = Vec::new();
    let mut first: BTreeMap<String, String> = BTreeMap::new();
    for (file, read) in scenarios.iter().zip(workers.read(&scenarios).await?) {
        let heads = match read {
            Ok(heads) => heads,
            Err(why) => {
                wrong.push(why);
                continue;
            }
        };
        let name: Arc<str> = file.name.as_str().into();
        for Head { name: scenario, prompts: named, json, .. } in heads {
            if let Some(other) = first.insert(scenario.clone(), file.name.clone()) {
                wrong.push(format!(
                    "{}: a scenario {scenario} is in {other} too: give one another name",
                    file.name
                ));
                continue;
            }
            if !is_known(&named) {
                let line = file.text.lines().position(|line| line.contains("prompts:"));
                let at = line.map(|line| format!(":{}", line + 1)).unwrap_or_default();
                let names: Vec<&str> = std::iter::once(rehearsal::prompts::DEFAULT)
                    .chain(prompt_files.keys().map(String::as_str))
                    .collect();
                wrong.push(format!(
                    "{}{at}: {scenario}: there are no prompts {named}; there are {}",
                    file.name,
                    names.join(", ")
                ));
                continue;
            }
            let prompts = shared.entry(named.clone()).or_insert_with(|| {
                Arc::new(prompts.get(&named).map(|spec| (named.clone(), spec.clone())).into_iter().collect())
            });
            let job = Job {
                id: String::new(),
                file: Arc::clone(&name),
                scenario: json.into(),
                repeat: 1,
                prompts: Arc::clone(prompts),
            };
            planned.push(Rc::new(Planned { name: scenario, job }));
        }
    }
    if wrong.is_empty() {
        return Ok(planned);
    }
    let left_out = wrong.len().saturating_sub(MOST_WRONG);
    wrong.truncate(MOST_WRONG);
    if left_out > 0 {
        wrong.push(format!("and {left_out} more"));
    }
    bail!("nothing was played.\n{}", wrong.join("\n"))
}

fn new_folder() -> PathBuf {
    let now = rehearsal::iso(local::now_ms());
    let name: String = now.chars().take(19).map(|letter| if letter == ':' { '-' } else { letter }).collect();
    let path = Path::new(REHEARSALS).join(name);
    let again = |count| PathBuf::from(format!("{}-{count}", path.display()));
    if !path.exists() {
        return path;
    }
    (2..100).map(again).find(|path| !path.exists()).unwrap_or(path)
}
