//! The client as a program, for the official suite to drive: connect to the server at the address given last, list its
//! tools, call each of them, and sign in where that is asked for.
//!
//! The suite says in the environment what a scenario needs beyond that: the calls to make, a client it registered. Its
//! authorization servers know nobody who has to be asked, so signing in is one request and the redirect it gives.

#[path = "../tests/native/mod.rs"]
mod native;

use std::cell::{Cell, RefCell};
use std::error::Error;
use std::rc::Rc;

use async_trait::async_trait;
use llm::{Secret, Timer};
use mcp::Filled;
use native::{Clock, Http};
use remote::oauth::{self, App, Bearer, Grant, Registered};
use remote::{Address, Challenge, Person, RemoteError, Server, SignIn, TokenProvider};
use serde_json::{Map, Value, json};

/// The document that the suite's authorization servers are content with; nobody fetches it.
const METADATA: &str = "https://conformance-test.local/client-metadata.json";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let url = std::env::args().next_back().unwrap_or_default();
    let context = std::env::var("MCP_CONFORMANCE_CONTEXT").unwrap_or_default();
    let context: Value = serde_json::from_str(&context).unwrap_or_default();
    let address = Address::parse(&url).ok_or("the last argument is the server's address")?;

    let http = Rc::new(Http::new()?);
    let token_provider = Rc::new(SignsIn {
        http: Rc::clone(&http),
        server: address.clone(),
        app: app(&context),
        grant: RefCell::default(),
        drawn: Cell::default(),
    });
    let server = Server::new(address, http, Rc::new(Clock), token_provider).with_person(Rc::new(Agrees));

    let welcome = server.connect().await?;
    println!("{} speaks {}", welcome.name, welcome.revision);
    let offer = server.tools().await?;
    println!("{} tools, {} left out", offer.tools.len(), offer.left_out);
    let named = context["toolCalls"].as_array().cloned().unwrap_or_default();
    let mut calls: Vec<(String, Value)> = named
        .iter()
        .map(|call| (call["name"].as_str().unwrap_or_default().to_owned(), call["arguments"].clone()))
        .collect();
    if calls.is_empty() {
        calls.extend(offer.tools.iter().map(|tool| (tool.name.clone(), sample(&tool.input_schema))));
    }
    // A tool that wants to see what arrived of another one's schema.
    let shown = offer.tools.iter().find(|tool| tool.name == "json_schema_2020_12_tool");
    if let (Some(shown), Some(echo)) = (shown, calls.iter_mut().find(|(tool, _)| tool == "json_schema_echo"))
    {
        echo.1 = json!({ "schema": shown.input_schema });
    }
    for (tool, arguments) in calls {
        let said = server.call(&tool, arguments, Map::new(), None).await?;
        println!("{tool}: {}", said.text);
    }
    server.close().await;
    Ok(())
}

fn app(context: &Value) -> App {
    let word = |name: &str| context[name].as_str().map(str::to_owned);
    let registered = word("client_id").map(|client_id| Registered {
        client_id,
        client_secret: word("client_secret").map(Secret::new),
        method: None,
        issuer: word("issuer"),
    });
    App {
        name: "Satchel".to_owned(),
        redirect_uri: "http://localhost:3000/callback".to_owned(),
        metadata_url: Some(METADATA.to_owned()),
        registered,
    }
}

/// Arguments that a schema allows, as far as its plain types go.
fn sample(schema: &Value) -> Value {
    let value = |property: &Value| match property["type"].as_str() {
        Some("number" | "integer") => json!(1),
        Some("boolean") => json!(true),
        Some("array") => json!([]),
        Some("object") => json!({}),
        _ => json!("text"),
    };
    let properties = schema["properties"].as_object().into_iter().flatten();
    properties.map(|(name, property)| (name.clone(), value(property))).collect::<Map<String, Value>>().into()
}

/// Somebody who agrees to everything and fills in nothing.
struct Agrees;

#[async_trait(?Send)]
impl Person for Agrees {
    async fn fill(&self, _message: &str, _schema: &Value) -> Filled {
        Filled::Accepted(Map::new())
    }
}

/// Signs in without a person.
struct SignsIn {
    http: Rc<Http>,
    server: Address,
    app: App,
    grant: RefCell<Option<Grant>>,
    drawn: Cell<u8>,
}

impl SignsIn {
    async fn sign_in(&self, challenge: &Challenge) -> Result<Grant, RemoteError> {
        let before = self.grant.borrow().clone();
        let pending =
            oauth::begin(&*self.http, &self.server, challenge, before.as_ref(), &self.app, &|| self.draw())
                .await?;
        let answer = self.http.location(&pending.authorize_url).await;
        let answer = answer.ok_or(RemoteError::SignIn(SignIn::TooSlow))?;
        Ok(oauth::finish(&*self.http, &pending, &answer, Clock.now_ms()).await?)
    }

    /// Different every time, which is all that a test needs of chance.
    fn draw(&self) -> [u8; 32] {
        self.drawn.set(self.drawn.get() + 1);
        [self.drawn.get(); 32]
    }
}

#[async_trait(?Send)]
impl TokenProvider for SignsIn {
    async fn token(&self) -> Result<Option<Secret>, RemoteError> {
        Ok(self.grant.borrow().as_ref().map(Grant::token))
    }

    async fn refused(&self, challenge: &Challenge, _token: Option<&Secret>) -> Result<bool, RemoteError> {
        let wanted = challenge.header.as_deref().map(Bearer::parse).and_then(|bearer| bearer.scope);
        let has_all = |grant: &Grant| wanted.as_deref().is_none_or(|scope| grant.covers(scope));
        if challenge.status == 403 && self.grant.borrow().as_ref().is_some_and(has_all) {
            return Ok(false);
        }
        let grant = self.sign_in(challenge).await?;
        self.grant.replace(Some(grant));
        Ok(true)
    }
}
