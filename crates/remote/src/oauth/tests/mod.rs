//! The sign-in against a scripted network: what is asked of whom, what is refused, and what never leaves.

mod begin;
mod finish;

use std::cell::RefCell;

use futures::StreamExt;
use futures::executor::block_on;
use llm::{HttpRequest, HttpResponse, Transport, TransportError};
use serde_json::{Value, json};

use super::{App, Grant, OauthError, Pending};
use crate::{Address, Challenge};

/// The address of the server most rows are about.
const SERVER: &str = "https://tools.example/mcp";
/// Its authorization server.
const ISSUER: &str = "https://as.example";

/// A network that answers by what it was told, with 404 where it was told nothing, and remembers what it was asked.
#[derive(Default)]
struct Net {
    answers: Vec<(String, u16, String)>,
    asked: RefCell<Vec<HttpRequest>>,
}

impl Net {
    /// `GET https://as.example/x` is answered with this.
    fn with(mut self, request: &str, status: u16, body: impl std::fmt::Display) -> Self {
        self.answers.retain(|(known, ..)| known != request);
        self.answers.push((request.to_owned(), status, body.to_string()));
        self
    }

    /// The requests so far, as `GET https://as.example/x`.
    fn lines(&self) -> Vec<String> {
        self.asked.borrow().iter().map(|request| format!("{} {}", request.method, request.url)).collect()
    }

    /// The body of the last request as a form.
    fn last_form(&self) -> Vec<(String, String)> {
        let asked = self.asked.borrow();
        let body = &asked.last().expect("a request").body;
        form_urlencoded::parse(body).into_owned().collect()
    }

    /// Everything that was sent to an origin: addresses, headers and bodies.
    fn sent_to(&self, origin: &str) -> String {
        let asked = self.asked.borrow();
        let to = asked.iter().filter(|request| request.url.starts_with(origin));
        to.map(|one| format!("{} {:?} {}\n", one.url, one.headers, String::from_utf8_lossy(&one.body)))
            .collect()
    }
}

#[async_trait::async_trait(?Send)]
impl Transport for Net {
    async fn send(&self, request: HttpRequest) -> Result<HttpResponse, TransportError> {
        let line = format!("{} {}", request.method, request.url);
        self.asked.borrow_mut().push(request);
        let answer = self.answers.iter().find(|(known, ..)| *known == line);
        let (status, body) = answer.map_or((404, ""), |(_, status, body)| (*status, body.as_str()));
        if status == 0 {
            return Err(TransportError::Unreachable("no route".to_owned()));
        }
        let body = futures::stream::iter([Ok(body.as_bytes().to_vec())]).boxed_local();
        Ok(HttpResponse { status, headers: Vec::new(), body })
    }
}

/// The metadata of [`SERVER`].
fn resource() -> Value {
    json!({ "resource": SERVER, "authorization_servers": [ISSUER] })
}

/// The metadata of [`ISSUER`].
fn issuer() -> Value {
    issuer_at(ISSUER)
}

fn issuer_at(at: &str) -> Value {
    json!({
        "issuer": at,
        "authorization_endpoint": format!("{at}/authorize"),
        "token_endpoint": format!("{at}/token"),
        "registration_endpoint": format!("{at}/register"),
        "token_endpoint_auth_methods_supported": ["none", "client_secret_post", "client_secret_basic"],
        "code_challenge_methods_supported": ["S256"],
    })
}

/// A field of a document set to something else, or taken out.
fn changed(mut document: Value, field: &str, value: Value) -> Value {
    if value.is_null() {
        document.as_object_mut().expect("an object").remove(field);
    } else {
        document[field] = value;
    }
    document
}

const PRM: &str = "GET https://tools.example/.well-known/oauth-protected-resource/mcp";
const ASM: &str = "GET https://as.example/.well-known/oauth-authorization-server";
const REGISTER: &str = "POST https://as.example/register";
const TOKEN: &str = "POST https://as.example/token";

/// Everything where it belongs.
fn net() -> Net {
    Net::default()
        .with(PRM, 200, resource())
        .with(ASM, 200, issuer())
        .with(REGISTER, 201, json!({ "client_id": "registered-1" }))
        .with(TOKEN, 200, json!({ "access_token": "at-1", "token_type": "Bearer" }))
}

fn app() -> App {
    App {
        name: "Satchel".to_owned(),
        redirect_uri: "https://satchel.example/".to_owned(),
        metadata_url: None,
        registered: None,
    }
}

fn refused(status: u16, header: &str) -> Challenge {
    Challenge { status, header: Some(header.to_owned()).filter(|header| !header.is_empty()) }
}

/// The octets of RFC 7636, appendix B.
fn chance() -> [u8; 32] {
    [
        116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105,
        214, 191, 240, 91, 88, 5, 88, 83, 132, 141, 121,
    ]
}

const STATE: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

fn begin_with(net: &Net, header: &str, before: Option<&Grant>, app: &App) -> Result<Pending, OauthError> {
    let server = Address::parse(SERVER).expect("an address");
    block_on(super::begin(net, &server, &refused(401, header), before, app, &chance))
}

fn begin(net: &Net) -> Result<Pending, OauthError> {
    begin_with(net, "", None, &app())
}

fn finish(net: &Net, pending: &Pending, redirected_to: &str) -> Result<Grant, OauthError> {
    block_on(super::finish(net, pending, redirected_to, 1_000_000))
}

/// A whole sign-in.
fn sign_in(net: &Net) -> Grant {
    let pending = begin(net).expect("begun");
    finish(net, &pending, &format!("?code=code-1&state={STATE}")).expect("finished")
}

/// The parameters of an address.
fn query(url: &str) -> Vec<(String, String)> {
    let (_, query) = url.split_once('?').expect("a query");
    form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

fn pairs(of: &[(&str, &str)]) -> Vec<(String, String)> {
    of.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}
