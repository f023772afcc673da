//! Who signs people in for a server: the metadata of the protected resource (RFC 9728) names the authorization server,
//! and its own metadata (RFC 8414, or OpenID Connect Discovery) names the endpoints. A server of 2025-03-26 has no
//! metadata of the first kind and is its own authorization server.
//!
//! Both documents come from strangers. The first may only speak of the server it was asked for; the second only of the
//! issuer it was asked for; and neither may name a place that is not safe to send a secret to.

use llm::Transport;
use serde_json::Value;

use super::OauthError;
use super::web::{get, text, texts};
use crate::Address;

/// What is known of the protected resource.
pub(super) struct Resource {
    /// The `resource` parameter of RFC 8707, spelled as the server spells it.
    pub id: String,
    /// The authorization servers it takes tokens of.
    pub issuers: Vec<String>,
    /// Its scopes, separated by spaces.
    pub scopes: String,
    /// Present where no document says any of this. What went wrong, where it was more than absence.
    legacy: Option<Option<OauthError>>,
}

/// What is known of an authorization server.
#[derive(Debug)]
pub(super) struct AuthServer {
    /// Its name, to be compared byte by byte.
    pub issuer: String,
    pub authorize: Address,
    pub token: Address,
    pub register: Option<Address>,
    /// The document as it came; [`Value::Null`] where there is none.
    pub document: Value,
}

/// The most bytes of an address a document may name; errors repeat it.
const MAX_ADDRESS: usize = 2048;

/// The address where a secret may be sent: TLS, or this device where the server itself is on it. A server elsewhere
/// must not send us to what listens here.
pub(super) fn place(url: &str, server: &Address) -> Result<Address, OauthError> {
    let place = Some(url).filter(|url| url.len() <= MAX_ADDRESS).and_then(Address::parse);
    place
        .filter(|place| !place.is_in_the_open())
        .filter(|place| is_tls(place) || !is_tls(server))
        .ok_or_else(|| OauthError::unusable("The sign-in leads to an address that is not https"))
}

fn is_tls(address: &Address) -> bool {
    address.origin().starts_with("https://")
}

/// Finds out about the protected resource: at the place its challenge names, else at the two well-known ones.
pub(super) async fn resource(
    http: &dyn Transport,
    server: &Address,
    named: Option<&str>,
) -> Result<Resource, OauthError> {
    if let Some(url) = named {
        return described(&get(http, &place(url, server)?).await?, server);
    }
    let origin = server.origin();
    let href = server.href();
    let root = format!("{origin}/.well-known/oauth-protected-resource");
    let mut places = vec![format!("{root}{}", &href[origin.len()..])];
    if places[0].strip_prefix(&root) == Some("/") {
        places.clear();
    }
    places.push(root);
    let mut fault = None;
    for url in places {
        match get(http, &place(&url, server)?).await {
            Ok(document) => return described(&document, server),
            Err(error) if error.is_absent() => {}
            Err(error) => fault = fault.or(Some(error)),
        }
    }
    let id = href.strip_suffix('/').filter(|bare| *bare == origin).unwrap_or(&href).to_owned();
    Ok(Resource { id, issuers: vec![origin.to_owned()], scopes: String::new(), legacy: Some(fault) })
}

/// Reads the metadata of a protected resource.
fn described(document: &Value, server: &Address) -> Result<Resource, OauthError> {
    let id = text(document, "resource").unwrap_or_default();
    if !is_or_holds(id, server) {
        return Err(OauthError::unusable("The server's sign-in is meant for another address than its own"));
    }
    let issuers: Vec<String> =
        texts(document, "authorization_servers").unwrap_or_default().into_iter().map(str::to_owned).collect();
    if issuers.is_empty() {
        return Err(OauthError::unusable("The server does not say who signs people in for it"));
    }
    let scopes = texts(document, "scopes_supported").unwrap_or_default().join(" ");
    Ok(Resource { id: id.to_owned(), issuers, scopes, legacy: None })
}

/// True when a resource is the server's address or a parent of it.
fn is_or_holds(resource: &str, server: &Address) -> bool {
    let Some(address) = Address::parse(resource).filter(|_| !resource.contains('#')) else { return false };
    let (whole, part) = (address.href(), server.href());
    let inside = |rest: &str| whole.ends_with('/') || rest.starts_with('/') || rest.is_empty();
    address.origin() == server.origin()
        && (whole == part
            || !whole.contains('?')
                && part.split('?').next().and_then(|part| part.strip_prefix(&whole)).is_some_and(inside))
}

/// Finds out about an authorization server the resource names.
pub(super) async fn auth_server(
    http: &dyn Transport,
    server: &Address,
    resource: &Resource,
    issuer: &str,
) -> Result<AuthServer, OauthError> {
    let at = place(issuer, server)?;
    if issuer.contains(['?', '#']) {
        return Err(OauthError::unusable("The authorization server's name is no name of one"));
    }
    let origin = at.origin();
    let path = at.path().trim_end_matches('/');
    let mut places = vec![
        format!("{origin}/.well-known/oauth-authorization-server{path}"),
        format!("{origin}/.well-known/openid-configuration{path}"),
    ];
    if !path.is_empty() {
        places.push(format!("{origin}{path}/.well-known/openid-configuration"));
    }
    let mut fault = None;
    for url in places {
        match get(http, &place(&url, server)?).await {
            Ok(document) => return read(document, server, issuer, resource.legacy.is_some()),
            Err(error) if error.is_absent() => {}
            Err(error) => fault = fault.or(Some(error)),
        }
    }
    match (&resource.legacy, fault) {
        (Some(None), None) => defaults(server),
        (Some(Some(fault)), _) => Err(fault.clone()),
        (_, Some(fault)) => Err(fault),
        (None, None) => {
            Err(OauthError::unusable(format!("{issuer} does not describe itself as an authorization server")))
        }
    }
}

/// Reads the metadata of an authorization server (RFC 8414, sections 2 and 3.3).
fn read(document: Value, server: &Address, asked: &str, is_legacy: bool) -> Result<AuthServer, OauthError> {
    let issuer = text(&document, "issuer").unwrap_or_default().to_owned();
    // Nobody spelled the issuer of a legacy server, so both spellings of an origin are its own.
    if issuer != asked && !(is_legacy && issuer.strip_suffix('/') == Some(asked)) {
        return Err(OauthError::unusable(format!(
            "The authorization server {asked} calls itself by another name"
        )));
    }
    if !texts(&document, "code_challenge_methods_supported").is_some_and(|methods| methods.contains(&"S256"))
    {
        return Err(OauthError::unusable(format!("{asked} does not protect a sign-in with PKCE (S256)")));
    }
    let endpoint = |field| match text(&document, field) {
        Some(url) => place(url, server),
        None => Err(OauthError::unusable(format!("{asked} does not name its {field}"))),
    };
    let register = text(&document, "registration_endpoint").map(|url| place(url, server)).transpose()?;
    let (authorize, token) = (endpoint("authorization_endpoint")?, endpoint("token_endpoint")?);
    if !belong_together(&authorize, &token, asked) {
        return Err(OauthError::unusable(format!(
            "{asked} would have you sign in at {} and take the answer to {}, which is somebody else",
            authorize.origin(),
            token.origin()
        )));
    }
    Ok(AuthServer { issuer, authorize, token, register, document })
}

/// Whether what a person allows at one endpoint may be taken to the other. A document of a stranger may name the page of an
/// honest authorization server, where the person signs in unsuspecting, and an address of its own for the answer (RFC 9700,
/// section 4.4). It may where both are at one place, where the person signs in at the one who names them (as with Google,
/// whose tokens come from another domain), and where they are siblings, hosts under one name (`www.` and `api.`).
fn belong_together(authorize: &Address, token: &Address, issuer: &str) -> bool {
    let is_issuers = Address::parse(issuer).is_some_and(|issuer| issuer.origin() == authorize.origin());
    authorize.origin() == token.origin() || is_issuers || are_siblings(authorize, token)
}

/// Whether two hosts are under one name that somebody can own: two labels of it, or three where the last two are a country's
/// (`example.co.uk`). Short of the list of all such endings; where it errs, the person still reads both before they go.
fn are_siblings(one: &Address, other: &Address) -> bool {
    let host = |address: &Address| {
        let (_, host) = address.origin().split_once("://").unwrap_or_default();
        // The port; the colons of an address in brackets are not before one.
        host.rsplit_once(':')
            .filter(|(_, port)| !port.ends_with(']'))
            .map_or(host, |(host, _)| host)
            .to_owned()
    };
    let (one, other) = (host(one), host(other));
    if one == other {
        return true;
    }
    let same: Vec<&str> = one
        .rsplit('.')
        .zip(other.rsplit('.'))
        .take_while(|(one, other)| one == other)
        .map(|(label, _)| label)
        .collect();
    let is_number = |label: &&str| label.bytes().all(|byte| byte.is_ascii_digit());
    let least = match same.as_slice() {
        [land, under, ..] if land.len() == 2 && under.len() <= 3 => 3,
        _ => 2,
    };
    same.len() >= least && !same.first().is_some_and(is_number)
}

/// The endpoints of 2025-03-26 where no document names any.
fn defaults(server: &Address) -> Result<AuthServer, OauthError> {
    let at = |path| place(&format!("{}{path}", server.origin()), server);
    Ok(AuthServer {
        issuer: server.origin().to_owned(),
        authorize: at("/authorize")?,
        token: at("/token")?,
        register: Some(at("/register")?),
        document: Value::Null,
    })
}

#[cfg(test)]
mod tests {
    use super::{belong_together, is_or_holds, place};
    use crate::Address;

    #[test]
    fn a_resource_is_the_server_or_a_parent_of_it() {
        let rows = [
            ("https://a.example/mcp", "https://a.example/mcp", true),
            ("https://a.example", "https://a.example/mcp", true),
            ("https://a.example/", "https://a.example/mcp", true),
            ("https://A.example/team", "https://a.example/team/mcp", true),
            ("https://a.example/team/", "https://a.example/team/mcp", true),
            ("https://a.example/mcp", "https://a.example/mcp?tenant=1", true),
            ("https://a.example/mcp?tenant=1", "https://a.example/mcp?tenant=1", true),
            ("https://a.example/mcp?tenant=2", "https://a.example/mcp?tenant=1", false),
            ("https://a.example/?x=/", "https://a.example/?x=/mcp", false),
            ("https://a.example/mc", "https://a.example/mcp", false),
            ("https://a.example/mcp/more", "https://a.example/mcp", false),
            ("https://a.example/other", "https://a.example/mcp", false),
            ("https://b.example/mcp", "https://a.example/mcp", false),
            ("http://a.example/mcp", "https://a.example/mcp", false),
            ("https://a.example:444/mcp", "https://a.example/mcp", false),
            ("https://a.example/mcp#x", "https://a.example/mcp", false),
            ("https://a.example.evil/mcp", "https://a.example/mcp", false),
            ("", "https://a.example/mcp", false),
        ];
        for (resource, server, expected) in rows {
            let server = Address::parse(server).expect("an address");
            assert_eq!(is_or_holds(resource, &server), expected, "{resource} for {}", server.href());
        }
    }

    #[test]
    fn the_answer_of_one_goes_to_nobody_else() {
        let rows = [
            // Both at one place, whoever names them: a server of its own before somebody's sign-in.
            ("https://as.example/authorize", "https://as.example/token", "https://as.example", true),
            ("https://idp.example/authorize", "https://idp.example/token", "https://tools.test", true),
            // The one where the person signs in says where its tokens come from.
            (
                "https://accounts.google.com/o/oauth2/v2/auth",
                "https://oauth2.googleapis.com/token",
                "https://accounts.google.com",
                true,
            ),
            // Siblings.
            ("https://www.figma.com/oauth", "https://api.figma.com/v1/token", "https://api.figma.com", true),
            (
                "https://login.example.co.uk/a", "https://api.example.co.uk/t", "https://api.example.co.uk",
                true,
            ),
            ("https://as.example:8443/a", "https://as.example/t", "https://as.example", true),
            // An honest page, and an answer that goes to whoever wrote the document.
            (
                "https://accounts.google.com/o/oauth2/v2/auth",
                "https://evil.example/t",
                "https://evil.example",
                false,
            ),
            ("https://honest.co.uk/a", "https://evil.co.uk/t", "https://evil.co.uk", false),
            ("https://honest.example/a", "https://nothonest.example.evil.test/t", "https://evil.test", false),
            ("https://10.0.0.1/a", "https://192.168.0.1/t", "https://192.168.0.1", false),
        ];
        for (authorize, token, issuer, expected) in rows {
            let at = |url: &str| Address::parse(url).expect("an address");
            assert_eq!(belong_together(&at(authorize), &at(token), issuer), expected, "{authorize} {token}");
        }
    }

    #[test]
    fn secrets_go_over_tls_or_stay_on_this_device() {
        let rows = [
            ("https://as.example/token", "https://a.example/", true),
            ("http://as.example/token", "https://a.example/", false),
            ("http://127.0.0.1:8080/token", "https://a.example/", false),
            ("http://127.0.0.1:8080/token", "http://localhost:9000/mcp", true),
            ("https://as.example/token", "http://localhost:9000/mcp", true),
            ("http://as.example/token", "http://localhost:9000/mcp", false),
            ("javascript:alert(1)", "https://a.example/", false),
            ("data:application/json,{}", "https://a.example/", false),
            ("//as.example/token", "https://a.example/", false),
            ("/token", "https://a.example/", false),
            ("https://as.example@evil.example/token", "https://a.example/", false),
        ];
        for (url, server, expected) in rows {
            let server = Address::parse(server).expect("an address");
            assert_eq!(place(url, &server).is_ok(), expected, "{url} for {}", server.href());
        }
    }
}
