//! The official Rust SDK's client against the native host, over stdio and HTTP, in both protocol versions.
//!
//! `rmcp-client <the program conformance-host> <address of one that runs>` does five things over each and prints a line
//! for each; it ends with 1 when one went wrong.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ClientRequest,
    ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationCapability, ErrorData, Implementation,
    ProgressNotificationParam, ProtocolVersion, ReadResourceRequestParams, ResourceUpdatedNotificationParam,
    ServerNotification, SubscribeRequestParams, SubscriptionFilter, UnsubscribeRequestParams,
};
use rmcp::service::{NotificationContext, PeerRequestOptions, RequestContext, RunningService};
use rmcp::transport::{StreamableHttpClientTransport, TokioChildProcess};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt, RoleClient};
use serde_json::{Value, json};
use tokio::process::Command;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

const VERSION: &str = "3.11.0";
const LIST: &str = "todo://list";
const WAIT: Duration = Duration::from_secs(10);

type Outcome = Result<String, String>;
type Client = RunningService<RoleClient, Ears>;

/// How far a call is, and of how much.
type Told = (f64, Option<f64>);

/// What the server said of its own accord.
#[derive(Clone, Default)]
struct Ears {
    forms: Arc<Mutex<Vec<String>>>,
    progress: Arc<Mutex<Vec<Told>>>,
    updated: Arc<Mutex<Vec<String>>>,
    news: Arc<Notify>,
}

impl ClientHandler for Ears {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        capabilities.elicitation = Some(ElicitationCapability::default());
        ClientConfig::new(capabilities, Implementation::new("rmcp-client", "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, .. } = request else {
            return Ok(ElicitResult::new(ElicitationAction::Decline));
        };
        hold(&self.forms).push(message);
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(json!({ "name": "Ada" })))
    }

    async fn on_progress(&self, told: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        hold(&self.progress).push((told.progress, told.total));
        self.news.notify_one();
    }

    async fn on_resource_updated(
        &self,
        told: ResourceUpdatedNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        hold(&self.updated).push(told.uri);
        self.news.notify_one();
    }
}

fn hold<T>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn check(is_right: bool, words: impl std::fmt::Debug) -> Result<(), String> {
    if is_right { Ok(()) } else { Err(format!("{words:?}")) }
}

fn words(error: impl std::fmt::Debug) -> String {
    format!("{error:?}")
}

/// The text of a result's first block.
fn text(result: &CallToolResult) -> String {
    let result = json!(result);
    result["content"][0]["text"].as_str().unwrap_or_default().to_owned()
}

async fn call(client: &Client, name: &'static str, arguments: Value) -> Result<CallToolResult, String> {
    let arguments = arguments.as_object().cloned().unwrap_or_default();
    client.call_tool(CallToolRequestParams::new(name).with_arguments(arguments)).await.map_err(words)
}

async fn lists(client: &Client) -> Outcome {
    let tools = client.list_all_tools().await.map_err(words)?;
    let has = |name: &str| tools.iter().any(|tool| tool.name == name);
    check(has("todo_create") && has("test_simple_text"), &tools)?;
    let resources = client.list_all_resources().await.map_err(words)?;
    check(resources.iter().any(|resource| resource.uri == LIST), &resources)?;
    let prompts = client.list_all_prompts().await.map_err(words)?;
    Ok(format!("{} tools, {} resources, {} prompts", tools.len(), resources.len(), prompts.len()))
}

async fn calls_with_progress(client: &Client) -> Outcome {
    // The SDK gives each call a token.
    let result = call(client, "test_tool_with_progress", json!({})).await?;
    check(text(&result) == "Done, with progress", &result)?;
    sleep(Duration::from_millis(100)).await;
    let mut told = hold(&client.service().progress).clone();
    told.sort_by(|one, other| one.0.total_cmp(&other.0));
    check(told == [(0.0, Some(100.0)), (50.0, Some(100.0)), (100.0, Some(100.0))], &told)?;
    Ok(format!("{} notifications", told.len()))
}

async fn answers_a_form(client: &Client) -> Outcome {
    let result = call(client, "test_input_required_result_elicitation", json!({})).await?;
    check(text(&result) == "Hello, Ada!", &result)?;
    let forms = hold(&client.service().forms).clone();
    check(forms == ["What is your name?"], &forms)?;
    Ok(text(&result))
}

#[expect(
    deprecated,
    reason = "what only the older era has is marked as such by the SDK; here it is what is tested"
)]
async fn sees_an_update(client: &Client, is_modern: bool) -> Outcome {
    let write = || call(client, "todo_create", json!({ "title": "from Rust" }));
    if is_modern {
        let filter = SubscriptionFilter::builder().resource_subscriptions([LIST]).build();
        let mut subscription = client.listen(filter).await.map_err(words)?;
        write().await?;
        let told = timeout(WAIT, subscription.next()).await.map_err(words)?.map_err(words)?;
        let is_it = matches!(&told, Some(ServerNotification::ResourceUpdatedNotification(told)) if told.params.uri == LIST);
        check(is_it, &told)?;
        subscription.cancel().await.map_err(words)?;
    } else {
        client.subscribe(SubscribeRequestParams::new(LIST)).await.map_err(words)?;
        write().await?;
        let ears = client.service();
        let heard = async {
            while !hold(&ears.updated).iter().any(|uri| uri == LIST) {
                ears.news.notified().await;
            }
        };
        timeout(WAIT, heard).await.map_err(words)?;
        client.unsubscribe(UnsubscribeRequestParams::new(LIST)).await.map_err(words)?;
    }
    let contents = client.read_resource(ReadResourceRequestParams::new(LIST)).await.map_err(words)?;
    check(json!(contents).to_string().contains("from Rust"), &contents)?;
    Ok(format!("{LIST} was updated"))
}

async fn cancels_a_call(client: &Client) -> Outcome {
    let before = hold(&client.service().progress).len();
    let request = CallToolRequest::new(CallToolRequestParams::new("test_slow_write"));
    let running = client
        .send_cancellable_request(ClientRequest::CallToolRequest(request), PeerRequestOptions::no_options())
        .await
        .map_err(words)?;
    let began = async {
        while hold(&client.service().progress).len() == before {
            client.service().news.notified().await;
        }
    };
    timeout(WAIT, began).await.map_err(words)?;
    running.cancel(Some("enough".into())).await.map_err(words)?;
    // Two seconds after it began it would have written.
    sleep(Duration::from_millis(2_500)).await;
    let found = text(&call(client, "todo_list", json!({})).await?);
    check(!found.contains("written by test_slow_write"), &found)?;
    Ok("nothing was written".into())
}

async fn connect(
    lifecycle: ClientLifecycleMode,
    program: Option<(&str, &PathBuf)>,
    url: &str,
) -> Result<Client, String> {
    let ears = Ears::default();
    let connected = async {
        match program {
            Some((program, folder)) => {
                let mut command = Command::new(program);
                command.arg(folder).arg("--stdio");
                let transport = TokioChildProcess::new(command).map_err(words)?;
                ears.serve_with_lifecycle(transport, lifecycle).await.map_err(words)
            }
            None => {
                let transport = StreamableHttpClientTransport::from_uri(url);
                ears.serve_with_lifecycle(transport, lifecycle).await.map_err(words)
            }
        }
    };
    timeout(WAIT, connected).await.map_err(words)?
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [program, url] = arguments.as_slice() else {
        eprintln!("usage: rmcp-client <the program conformance-host> <address>");
        return ExitCode::from(2);
    };
    let modern = ClientLifecycleMode::Auto {
        preferred_versions: vec![ProtocolVersion::V_2026_07_28],
        legacy_version: Some(ProtocolVersion::V_2025_11_25),
    };
    let mut wrong = 0;
    let mut tell = |how: &str, outcome: Outcome| match outcome {
        Ok(said) => println!("ok      {how}: {said}"),
        Err(why) => {
            wrong += 1;
            println!("FAILED  {how}: {why}");
        }
    };
    for (mode, lifecycle) in [("auto", modern), ("initialize", ClientLifecycleMode::Initialize)] {
        for transport in ["stdio", "http"] {
            let is_modern = mode == "auto";
            let revision = if is_modern { "2026-07-28" } else { "2025-11-25" };
            let how = format!("rmcp {VERSION}  {mode} ({revision})  {transport}");
            let folder = std::env::temp_dir().join(format!("rmcp-client-{}-{mode}", std::process::id()));
            let over = (transport == "stdio").then_some((program.as_str(), &folder));
            match connect(lifecycle.clone(), over, url).await {
                Ok(client) => {
                    tell(&format!("{how}  list"), lists(&client).await);
                    tell(&format!("{how}  call with progress"), calls_with_progress(&client).await);
                    tell(&format!("{how}  elicit"), answers_a_form(&client).await);
                    tell(&format!("{how}  subscribe"), sees_an_update(&client, is_modern).await);
                    tell(&format!("{how}  cancel"), cancels_a_call(&client).await);
                    tell(
                        &format!("{how}  leave"),
                        client.cancel().await.map(|why| format!("{why:?}")).map_err(words),
                    );
                }
                Err(why) => tell(&how, Err(why)),
            }
            let _ = std::fs::remove_dir_all(folder);
        }
    }
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
