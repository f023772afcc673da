//! Discovery, registration, and the address the person is sent to.

use serde_json::{Value, json};

use super::*;
use crate::oauth::Registered;

#[test]
fn documents_are_looked_for_in_the_order_of_the_specification() {
    let root = "GET https://tools.example/.well-known/oauth-protected-resource";
    let own = "GET https://tools.example/about.json";
    let tenant = json!({ "resource": SERVER, "authorization_servers": ["https://as.example/t1"] });
    let document = issuer_at("https://as.example/t1");
    let oauth_t1 = "GET https://as.example/.well-known/oauth-authorization-server/t1";
    let openid_t1 = "GET https://as.example/.well-known/openid-configuration/t1";
    let t1_openid = "GET https://as.example/t1/.well-known/openid-configuration";
    let openid = "GET https://as.example/.well-known/openid-configuration";
    type Row<'a> = (&'a str, &'a [(&'a str, &'a Value)], &'a [&'a str]);
    let rows: &[Row] = &[
        ("", &[(PRM, &resource()), (ASM, &issuer())], &[PRM, ASM]),
        ("", &[(root, &resource()), (ASM, &issuer())], &[PRM, root, ASM]),
        ("", &[(root, &resource()), (openid, &issuer())], &[PRM, root, ASM, openid]),
        (
            r#"Bearer resource_metadata="https://tools.example/about.json""#,
            &[(own, &resource()), (ASM, &issuer())],
            &[own, ASM],
        ),
        ("", &[(PRM, &tenant), (oauth_t1, &document)], &[PRM, oauth_t1]),
        ("", &[(PRM, &tenant), (openid_t1, &document)], &[PRM, oauth_t1, openid_t1]),
        ("", &[(PRM, &tenant), (t1_openid, &document)], &[PRM, oauth_t1, openid_t1, t1_openid]),
    ];
    for (header, answers, expected) in rows {
        let mut net = Net::default();
        for (line, document) in *answers {
            net = net.with(line, 200, document);
        }
        let registered =
            Some(Registered { client_id: "me".to_owned(), client_secret: None, method: None, issuer: None });
        begin_with(&net, header, None, &App { registered, ..app() }).expect("begun");
        assert_eq!(net.lines(), *expected);
    }
}

#[test]
fn a_page_that_answers_every_address_with_its_own_html_hides_nothing() {
    let root = "GET https://tools.example/.well-known/oauth-protected-resource";
    let openid = "GET https://as.example/.well-known/openid-configuration";
    let html = "<!doctype html><title>App</title>";
    let net = net().with(PRM, 200, html).with(root, 200, resource()).with(ASM, 200, html).with(
        openid,
        200,
        issuer(),
    );
    begin(&net).expect("begun");
}

#[test]
fn a_server_of_the_first_revision_is_its_own_authorization_server() {
    let at = "https://tools.example";
    let asm = "GET https://tools.example/.well-known/oauth-authorization-server";
    let register = "POST https://tools.example/register";
    for issuer in [at, "https://tools.example/"] {
        let document = changed(issuer_at(at), "issuer", json!(issuer));
        let net = Net::default().with(asm, 200, document).with(register, 201, json!({ "client_id": "c" }));
        let pending = begin(&net).expect("begun");
        assert_eq!(pending.issuer(), issuer);
        assert!(query(&pending.authorize_url).contains(&("resource".to_owned(), SERVER.to_owned())));
    }

    // Without any document, the default endpoints of 2025-03-26.
    let net = Net::default().with(register, 201, json!({ "client_id": "c", "client_secret": "unused" }));
    let pending = begin(&net).expect("begun");
    assert!(
        pending.authorize_url.starts_with("https://tools.example/authorize?"),
        "{}",
        pending.authorize_url
    );
    let net = net.with(
        "POST https://tools.example/token",
        200,
        json!({ "access_token": "t", "token_type": "bearer" }),
    );
    finish(&net, &pending, &format!("?code=c&state={STATE}")).expect("finished");

    // Only where it was said that there is none: what cannot be reached is not absent.
    for (line, status) in [(PRM, 0), (PRM, 503), (asm, 0), (asm, 500)] {
        let net = Net::default().with(line, status, "").with(register, 201, json!({ "client_id": "c" }));
        let error = begin(&net).expect_err("no default endpoints");
        assert!(
            matches!(error, OauthError::Unreachable { .. } | OauthError::Status { .. }),
            "{line} {status} {error}"
        );
        assert!(!net.lines().contains(&register.to_owned()));
    }

    // And not for a server that has named somebody.
    let net = Net::default().with(PRM, 200, resource()).with(REGISTER, 201, json!({ "client_id": "c" }));
    let error = begin(&net).expect_err("no document");
    assert_eq!(error.to_string(), "https://as.example does not describe itself as an authorization server");
}

#[test]
fn a_document_that_must_not_be_used_is_refused_before_anything_is_sent() {
    let prm = |field, value| net().with(PRM, 200, changed(resource(), field, value));
    let asm = |field, value| net().with(ASM, 200, changed(issuer(), field, value));
    let other_name = "calls itself by another name";
    let rows = [
        (prm("resource", json!("https://evil.example/mcp")), "another address than its own"),
        (prm("resource", json!("https://tools.example/mcp/x")), "another address than its own"),
        (prm("resource", Value::Null), "another address than its own"),
        (prm("authorization_servers", Value::Null), "does not say who signs people in"),
        (prm("authorization_servers", json!([])), "does not say who signs people in"),
        (prm("authorization_servers", json!([7, {}])), "does not say who signs people in"),
        (prm("authorization_servers", json!(["http://as.example"])), "not https"),
        (prm("authorization_servers", json!(["http://127.0.0.1:8080"])), "not https"),
        (prm("authorization_servers", json!(["javascript:alert(1)"])), "not https"),
        (prm("authorization_servers", json!([format!("https://{}", "a".repeat(3000))])), "not https"),
        (prm("authorization_servers", json!(["https://as.example?x"])), "is no name of one"),
        (asm("issuer", json!("https://evil.example")), other_name),
        (asm("issuer", json!("https://as.example/")), other_name),
        (asm("issuer", json!("https://AS.example")), other_name),
        (asm("issuer", Value::Null), other_name),
        (asm("code_challenge_methods_supported", Value::Null), "PKCE"),
        (asm("code_challenge_methods_supported", json!(["plain"])), "PKCE"),
        (asm("code_challenge_methods_supported", json!("S256")), "PKCE"),
        (asm("authorization_endpoint", Value::Null), "does not name its authorization_endpoint"),
        (asm("authorization_endpoint", json!("javascript:alert(1)//")), "not https"),
        (asm("authorization_endpoint", json!("http://as.example/authorize")), "not https"),
        (asm("token_endpoint", Value::Null), "does not name its token_endpoint"),
        (asm("token_endpoint", json!("http://as.example/token")), "not https"),
        (asm("token_endpoint", json!("http://localhost:8080/api/token")), "not https"),
        (asm("token_endpoint", json!("https://as.example@evil.example/token")), "not https"),
        (asm("authorization_endpoint", json!("https://honest.test/authorize")), "which is somebody else"),
        (asm("registration_endpoint", json!("http://as.example/register")), "not https"),
        (net().with(PRM, 200, "[]").with(ASM, 404, ""), "no JSON document"),
        (net().with(ASM, 200, "<html>"), "What https://as.example answered is no JSON document"),
        (net().with(ASM, 502, "{}"), "https://as.example answered with HTTP 502"),
        (net().with(ASM, 307, "{}"), "https://as.example answered with HTTP 307"),
        (net().with(ASM, 0, ""), "https://as.example cannot be reached"),
        (
            net().with(ASM, 200, format!("{{\"x\":\"{}\"}}", "x".repeat(262_144))),
            "more than a document holds",
        ),
    ];
    for (net, expected) in rows {
        let error = begin(&net).expect_err(expected).to_string();
        assert!(error.contains(expected) && error.len() < 250, "{error} / {expected}");
        assert!(!net.lines().iter().any(|line| line.starts_with("POST")), "{expected}: {:?}", net.lines());
    }
    // What a challenge names is used, or nothing.
    for url in ["https://tools.example/nowhere", "http://tools.example/x", "file:///etc/passwd"] {
        let error = begin_with(&net(), &format!("Bearer resource_metadata=\"{url}\""), None, &app());
        assert!(error.is_err(), "{url}");
    }
}

#[test]
fn who_is_reached_in_the_open_gets_no_sign_in() {
    let at = |server: &str, redirect_uri: &str| {
        let app = App { redirect_uri: redirect_uri.to_owned(), ..app() };
        let server = Address::parse(server).expect("an address");
        let net = net();
        let error = block_on(crate::oauth::begin(&net, &server, &refused(401, ""), None, &app, &chance));
        assert!(net.lines().is_empty());
        error.expect_err("in the open").to_string()
    };
    assert!(at("http://tools.example/mcp", "https://satchel.example/").contains("not reached over https"));
    assert!(at(SERVER, "http://satchel.example/").contains("has to be opened over https"));
    assert!(at(SERVER, "chrome-extension://x/").contains("has to be opened over https"));
}

#[test]
fn the_address_carries_everything_and_nothing_secret() {
    let document = changed(resource(), "scopes_supported", json!(["read", "write"]));
    let document = changed(document, "resource", json!("https://tools.example"));
    let issuer = changed(issuer(), "scopes_supported", json!(["offline_access"]));
    let issuer = changed(issuer, "authorization_endpoint", json!("https://login.as.example/a?tenant=1"));
    let net = net().with(PRM, 200, document).with(ASM, 200, issuer);
    let pending = begin(&net).expect("begun");
    assert!(pending.authorize_url.starts_with("https://login.as.example/a?tenant=1&response_type=code&"));
    let expected = pairs(&[
        ("tenant", "1"),
        ("response_type", "code"),
        ("client_id", "registered-1"),
        ("redirect_uri", "https://satchel.example/"),
        ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"),
        ("code_challenge_method", "S256"),
        ("state", STATE),
        ("resource", "https://tools.example"),
        ("scope", "read write offline_access"),
        ("prompt", "consent"),
    ]);
    assert_eq!(query(&pending.authorize_url), expected);
    assert_eq!(pending.scope(), "read write offline_access");
    assert_eq!(pending.answer_goes_to(), "https://as.example", "and not to where the person signs in");
}

#[test]
fn state_and_verifier_are_drawn_apart() {
    let count = std::cell::Cell::new(0);
    let chance = || {
        count.set(count.get() + 1);
        [count.get(); 32]
    };
    let server = Address::parse(SERVER).expect("an address");
    let pending = block_on(crate::oauth::begin(&net(), &server, &refused(401, ""), None, &app(), &chance))
        .expect("begun");
    assert_ne!(pending.state, pending.verifier);
    assert!(!pending.authorize_url.contains(&pending.verifier));
    assert_eq!(pending.verifier.len(), 43);
}

#[test]
fn a_client_is_found_in_order() {
    let id = |net: &Net, app: &App| {
        let pending = begin_with(net, "", None, app)?;
        let query = query(&pending.authorize_url);
        Ok::<_, OauthError>(query.into_iter().find(|(key, _)| key == "client_id").expect("a client").1)
    };
    let url = "https://satchel.example/client.json";
    let documents =
        |on: Value| net().with(ASM, 200, changed(issuer(), "client_id_metadata_document_supported", on));
    let with_url = |url: &str| App { metadata_url: Some(url.to_owned()), ..app() };
    let entered = |issuer: Option<&str>| App {
        registered: Some(Registered {
            client_id: "entered-1".to_owned(),
            client_secret: None,
            method: None,
            issuer: issuer.map(str::to_owned),
        }),
        ..with_url(url)
    };
    let closed = net().with(ASM, 200, changed(issuer(), "registration_endpoint", Value::Null));

    assert_eq!(id(&documents(json!(true)), &entered(None)).as_deref(), Ok("entered-1"));
    assert_eq!(id(&closed, &entered(Some(ISSUER))).as_deref(), Ok("entered-1"));
    assert_eq!(id(&documents(json!(true)), &with_url(url)).as_deref(), Ok(url));
    for (net, app) in [
        (documents(json!(false)), with_url(url)),
        (documents(json!("true")), with_url(url)),
        (documents(json!(true)), with_url("https://satchel.example/")),
        (documents(json!(true)), with_url("http://127.0.0.1/client.json")),
        (documents(json!(true)), app()),
    ] {
        assert_eq!(id(&net, &app).as_deref(), Ok("registered-1"));
    }
    let error = id(&closed, &with_url(url)).expect_err("no way in");
    assert_eq!(error, OauthError::NeedsClientId { issuer: ISSUER.to_owned() });
    assert!(error.to_string().contains("enter a client id"));
    let error = id(&net(), &entered(Some("https://other.example"))).expect_err("another issuer");
    assert!(error.to_string().contains("entered for another place"), "{error}");
}

#[test]
fn registration_says_what_we_are() {
    let methods = |listed: Value| {
        net().with(ASM, 200, changed(issuer(), "token_endpoint_auth_methods_supported", listed))
    };
    let rows = [
        (methods(json!(["client_secret_basic", "none"])), "https://satchel.example/", "none", "web"),
        (
            methods(json!(["client_secret_basic", "client_secret_post"])),
            "http://127.0.0.1:8080/",
            "client_secret_post",
            "native",
        ),
        (
            methods(json!(["private_key_jwt", "client_secret_basic"])),
            "http://localhost:8080/",
            "client_secret_basic",
            "native",
        ),
        (methods(Value::Null), "https://satchel.example/", "client_secret_basic", "web"),
    ];
    for (net, redirect_uri, method, kind) in rows {
        begin_with(
            &net,
            "Bearer scope=\"a b\"",
            None,
            &App { redirect_uri: redirect_uri.to_owned(), ..app() },
        )
        .expect("begun");
        let asked = net.asked.borrow();
        let sent: Value = serde_json::from_slice(&asked.last().expect("a request").body).expect("JSON");
        let expected = json!({
            "client_name": "Satchel",
            "redirect_uris": [redirect_uri],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": method,
            "application_type": kind,
            "scope": "a b",
        });
        assert_eq!(sent, expected);
    }
    let error = begin(&methods(json!(["private_key_jwt"]))).expect_err("no common way");
    assert!(error.to_string().contains("a way Satchel has not"), "{error}");
}

#[test]
fn a_failed_registration_says_why() {
    let refusal = json!({ "error": "invalid_redirect_uri", "error_description": "web clients need https" });
    let odd =
        json!({ "client_id": "c", "client_secret": "s", "token_endpoint_auth_method": "private_key_jwt" });
    let rows = [
        (400, refusal.to_string(), "refused: web clients need https (invalid_redirect_uri)"),
        (201, "{}".to_owned(), "without a client id"),
        (201, odd.to_string(), "in a way it cannot use"),
        (201, "<html>".to_owned(), "no JSON document"),
        (403, "<html>".to_owned(), "HTTP 403"),
        (0, String::new(), "cannot be reached"),
    ];
    for (status, body, expected) in rows {
        let error = begin(&net().with(REGISTER, status, body)).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_client_registered_before_is_used_again_while_it_fits() {
    let answer = json!({ "client_id": "registered-1", "client_secret": "s", "client_secret_expires_at": 1 });
    let elsewhere = App { redirect_uri: "https://other.example/".to_owned(), ..app() };
    let scoped = "Bearer scope=\"read\"";
    let rows = [
        (net(), "", app(), 0),
        (net(), "", elsewhere, 1),
        (net(), scoped, app(), 0),
        (net().with(REGISTER, 201, answer), "", app(), 1),
    ];
    for (net, header, app, registrations) in rows {
        let grant = sign_in(&net);
        net.asked.borrow_mut().clear();
        begin_with(&net, header, Some(&grant), &app).expect("begun");
        assert_eq!(net.lines().iter().filter(|line| *line == REGISTER).count(), registrations, "{header}");
    }
    // A client registered for some scopes is refused others.
    let net = net();
    let pending = begin_with(&net, scoped, None, &app()).expect("begun");
    let grant = finish(&net, &pending, &format!("?code=c&state={STATE}")).expect("finished");
    for (header, registrations) in [(scoped, 0), ("Bearer scope=\"write\"", 1)] {
        net.asked.borrow_mut().clear();
        begin_with(&net, header, Some(&grant), &app()).expect("begun");
        assert_eq!(net.lines().iter().filter(|line| *line == REGISTER).count(), registrations, "{header}");
    }
}

#[test]
fn a_wider_scope_keeps_what_was_asked_before() {
    let net = net();
    let pending = begin_with(&net, "Bearer scope=\"read\"", None, &app()).expect("begun");
    let grant = finish(&net, &pending, &format!("?code=c&state={STATE}")).expect("finished");
    assert!(grant.covers("read") && !grant.covers("read write"));
    let header = "Bearer error=\"insufficient_scope\", scope=\"write\"";
    let pending = begin_with(&net, header, Some(&grant), &app()).expect("begun");
    assert_eq!(pending.scope(), "write read");
    // Nothing was asked for, and something given.
    let given = json!({ "access_token": "t", "token_type": "Bearer", "scope": "read list" });
    let net = net.with(TOKEN, 200, given);
    let pending = begin_with(&net, header, Some(&sign_in(&net)), &app()).expect("begun");
    assert_eq!(pending.scope(), "write read list");
}

#[test]
fn an_entered_client_stays_with_the_one_it_was_used_at() {
    let entered = |id: &str| App {
        registered: Some(Registered {
            client_id: id.to_owned(),
            client_secret: Some(llm::Secret::new("s")),
            method: None,
            issuer: None,
        }),
        ..app()
    };
    let net = net();
    let pending = begin_with(&net, "", None, &entered("mine")).expect("begun");
    let grant = finish(&net, &pending, &format!("?code=c&state={STATE}")).expect("finished");
    let moved = changed(resource(), "authorization_servers", json!(["https://new.example"]));
    let net = net.with(PRM, 200, moved).with(
        "GET https://new.example/.well-known/oauth-authorization-server",
        200,
        issuer_at("https://new.example"),
    );
    let error = begin_with(&net, "", Some(&grant), &entered("mine")).expect_err("another issuer");
    assert!(error.to_string().contains("entered for another place"), "{error}");
    // Another id was entered since.
    begin_with(&net, "", Some(&grant), &entered("other")).expect("begun");
}

#[test]
fn a_new_authorization_server_learns_nothing_of_the_old_one() {
    let secret = json!({
        "client_id": "old-client", "client_secret": "old-secret", "token_endpoint_auth_method": "client_secret_post",
    });
    let tokens = json!({ "access_token": "old-at", "token_type": "Bearer", "refresh_token": "old-rt", "scope": "old" });
    let net = net().with(REGISTER, 201, secret).with(TOKEN, 200, tokens);
    let grant = sign_in(&net);
    let moved = changed(resource(), "authorization_servers", json!(["https://new.example"]));
    let net = net
        .with(PRM, 200, moved)
        .with(
            "GET https://new.example/.well-known/oauth-authorization-server",
            200,
            issuer_at("https://new.example"),
        )
        .with("POST https://new.example/register", 201, json!({ "client_id": "new-client" }))
        .with(
            "POST https://new.example/token",
            200,
            json!({ "access_token": "new-at", "token_type": "Bearer" }),
        );
    let pending = begin_with(&net, "", Some(&grant), &app()).expect("begun");
    let grant = finish(&net, &pending, &format!("?code=c&state={STATE}")).expect("finished");
    assert_eq!((grant.issuer(), grant.token().expose()), ("https://new.example", "new-at"));
    assert!(!grant.can_refresh());
    let heard = net.sent_to("https://new.example") + &pending.authorize_url;
    assert!(heard.contains("new-client") && !heard.contains("old"), "{heard}");
}

#[test]
fn of_several_authorization_servers_the_one_that_knows_us_is_asked() {
    let grant = sign_in(&net());
    let both = changed(resource(), "authorization_servers", json!(["https://new.example", ISSUER]));
    let net = net().with(PRM, 200, both);
    let pending = begin_with(&net, "", Some(&grant), &app()).expect("begun");
    assert_eq!(pending.issuer(), ISSUER);
    assert!(begin(&net).is_err(), "without a grant it is the first, which is not there");
}
