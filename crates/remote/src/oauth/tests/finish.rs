//! The answer of a sign-in, tokens, and their renewal.

use serde_json::json;

use super::*;
use crate::oauth::{Method, Registered};
use llm::Secret;

#[test]
fn an_answer_is_checked_before_anything_is_sent() {
    let foreign = "Somebody else";
    let rows = [
        (false, "code=c&state=STATE", Ok(())),
        (false, "?code=c&state=STATE#_=_", Ok(())),
        (false, "https://satchel.example/?code=c&state=STATE", Ok(())),
        (false, "code=c&state=STATE&iss=https%3A%2F%2Fas.example", Ok(())),
        (true, "code=c&state=STATE&iss=https%3A%2F%2Fas.example", Ok(())),
        (true, "code=c&state=STATE", Err("does not say who gives it")),
        (true, "code=c&state=STATE&iss=", Err(foreign)),
        (true, "code=c&state=STATE&iss=https://as.example/", Err(foreign)),
        (true, "code=c&state=STATE&iss=https://AS.example", Err(foreign)),
        (true, "code=c&state=STATE&iss=https://as.example:443", Err(foreign)),
        (false, "code=c&state=STATE&iss=https://evil.example", Err(foreign)),
        (false, "code=c&state=STATE&iss=https://as.example&iss=https://as.example", Err(foreign)),
        (false, "error=access_denied&state=STATE&iss=https://evil.example", Err(foreign)),
        (
            false,
            "error=access_denied&error_description=Not+now&state=STATE",
            Err("refused: Not now (access_denied)"),
        ),
        (false, "code=c", Err("no answer to the sign-in")),
        (false, "code=c&state=", Err("no answer to the sign-in")),
        (false, "code=c&state=STATEx", Err("no answer to the sign-in")),
        (false, "code=c&state=x", Err("no answer to the sign-in")),
        (false, "code=c&state=STATE&state=STATE", Err("no answer to the sign-in")),
        (false, "error=access_denied&state=x", Err("no answer to the sign-in")),
        (false, "state=STATE", Err("holds no code")),
        (false, "code=&state=STATE", Err("holds no code")),
        (false, "code=a&code=b&state=STATE", Err("holds no code")),
        (false, "", Err("no answer to the sign-in")),
    ];
    for (names_issuer, answer, expected) in rows {
        let advertised = json!(names_issuer);
        let document = changed(issuer(), "authorization_response_iss_parameter_supported", advertised);
        let net = net().with(ASM, 200, document);
        let pending = begin(&net).expect("begun");
        net.asked.borrow_mut().clear();
        let found = finish(&net, &pending, &answer.replace("STATE", STATE)).map(drop);
        match expected {
            Ok(()) => {
                assert_eq!(found, Ok(()), "{answer}");
                assert_eq!(net.lines(), [TOKEN]);
            }
            Err(why) => {
                let error = found.expect_err(answer).to_string();
                assert!(error.contains(why), "{answer}: {error}");
                assert!(net.lines().is_empty(), "{answer}");
            }
        }
    }
}

#[test]
fn the_code_is_traded_with_everything_the_endpoint_needs() {
    let base = [
        ("grant_type", "authorization_code"),
        ("code", "code-1"),
        ("redirect_uri", "https://satchel.example/"),
        ("code_verifier", STATE),
        ("resource", SERVER),
    ];
    // "i d" and "s:e/c" in the form of RFC 6749, section 2.3.1, then in base64.
    let basic = Some("Basic aStkOnMlM0FlJTJGYw==");
    let post = [("client_id", "i d"), ("client_secret", "s:e/c")];
    let listed = |methods: &[&str]| {
        net().with(ASM, 200, changed(issuer(), "token_endpoint_auth_methods_supported", json!(methods)))
    };
    type Row<'a> = (Net, Option<&'a str>, Option<Method>, &'a [(&'a str, &'a str)], Option<&'a str>);
    let rows: &[Row] = &[
        (net(), None, None, &[("client_id", "i d")], None),
        (net(), Some(""), Some(Method::Basic), &[("client_id", "i d")], None),
        (net(), Some("s:e/c"), None, &[], basic),
        (listed(&["client_secret_post"]), Some("s:e/c"), None, &post, None),
        (net(), Some("s:e/c"), Some(Method::Post), &post, None),
        (listed(&["client_secret_post"]), Some("s:e/c"), Some(Method::Basic), &[], basic),
    ];
    for (net, secret, method, more, header) in rows {
        let registered = Registered {
            client_id: "i d".to_owned(),
            client_secret: secret.map(Secret::new),
            method: *method,
            issuer: None,
        };
        let app = App { registered: Some(registered), ..app() };
        let pending = begin_with(net, "", None, &app).expect("begun");
        finish(net, &pending, &format!("?code=code-1&state={STATE}")).expect("finished");
        assert_eq!(net.last_form(), pairs(&[&base[..], more].concat()));
        let asked = net.asked.borrow();
        let headers = &asked.last().expect("a request").headers;
        let value = |name: &str| headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str());
        assert_eq!(value("authorization"), *header);
        assert_eq!(value("content-type"), Some("application/x-www-form-urlencoded"));
    }
}

#[test]
fn a_registered_secret_is_shown_in_the_way_that_was_agreed() {
    let rows = [
        (json!({ "client_id": "c", "client_secret": "s" }), "none"),
        (
            json!({ "client_id": "c", "client_secret": "s", "token_endpoint_auth_method": "client_secret_basic" }),
            "basic",
        ),
        (
            json!({ "client_id": "c", "client_secret": "s", "token_endpoint_auth_method": "client_secret_post" }),
            "post",
        ),
        (json!({ "client_id": "c", "token_endpoint_auth_method": "client_secret_basic" }), "none"),
    ];
    for (answer, expected) in rows {
        let net = net().with(REGISTER, 201, &answer);
        sign_in(&net);
        let posted = net.last_form().iter().any(|(key, _)| key == "client_secret");
        let header = net
            .asked
            .borrow()
            .last()
            .expect("a request")
            .headers
            .iter()
            .any(|(key, _)| key == "authorization");
        let found = if header {
            "basic"
        } else if posted {
            "post"
        } else {
            "none"
        };
        assert_eq!(found, expected, "{answer}");
    }
}

#[test]
fn a_token_answer_is_used_or_refused() {
    let refused = "gave no token that can be used";
    let rows = [
        (200, json!({ "access_token": "t", "token_type": "BEARER" }).to_string(), Ok(None)),
        (
            200,
            json!({ "access_token": "t", "token_type": "Bearer", "expires_in": 3600 }).to_string(),
            Ok(Some(4_600_000)),
        ),
        (
            200,
            json!({ "access_token": "t", "token_type": "Bearer", "expires_in": "60" }).to_string(),
            Ok(Some(1_060_000)),
        ),
        (
            200,
            json!({ "access_token": "t", "token_type": "Bearer", "expires_in": -5 }).to_string(),
            Ok(Some(1_000_000)),
        ),
        (
            200,
            json!({ "access_token": "t", "token_type": "Bearer", "expires_in": 1e300 }).to_string(),
            Ok(Some(315_361_000_000)),
        ),
        (
            200,
            json!({ "access_token": "t", "token_type": "Bearer", "expires_in": null }).to_string(),
            Ok(None),
        ),
        (200, json!({ "access_token": "t" }).to_string(), Err(refused)),
        (200, json!({ "access_token": "t", "token_type": "DPoP" }).to_string(), Err(refused)),
        (200, json!({ "token_type": "Bearer" }).to_string(), Err(refused)),
        (200, json!({ "access_token": "", "token_type": "Bearer" }).to_string(), Err(refused)),
        (200, json!({ "access_token": 7, "token_type": "Bearer" }).to_string(), Err(refused)),
        (200, json!({ "access_token": "t\r\nx: y", "token_type": "Bearer" }).to_string(), Err(refused)),
        (200, json!({ "access_token": "t ", "token_type": "Bearer" }).to_string(), Err(refused)),
        (200, json!({ "access_token": "tä", "token_type": "Bearer" }).to_string(), Err(refused)),
        (200, json!({ "error": "bad_verification_code" }).to_string(), Err("refused: bad_verification_code")),
        (
            400,
            json!({ "error": "invalid_grant", "error_description": "used" }).to_string(),
            Err("refused: used (invalid_grant)"),
        ),
        (400, json!({ "error": { "code": 1 } }).to_string(), Err("HTTP 400")),
        (200, "access_token=t&token_type=bearer".to_owned(), Err("no JSON document")),
        (200, "<html>".to_owned(), Err("no JSON document")),
        (200, "[\"t\"]".to_owned(), Err("no JSON document")),
        (200, format!("{}{}", "[".repeat(60_000), "]".repeat(60_000)), Err("no JSON document")),
        (307, String::new(), Err("HTTP 307")),
        (500, String::new(), Err("HTTP 500")),
        (0, String::new(), Err("cannot be reached")),
    ];
    for (status, body, expected) in rows {
        let net = net();
        let pending = begin(&net).expect("begun");
        let net = net.with(TOKEN, status, &body);
        let found = finish(&net, &pending, &format!("?code=code-1&state={STATE}"));
        match (found, expected) {
            (Ok(grant), Ok(expires_ms)) => assert_eq!(grant.expires_ms(), expires_ms, "{body}"),
            (Err(error), Err(why)) => {
                let error = error.to_string();
                assert!(error.contains(why), "{body}: {error}");
                assert!(!error.contains("code-1") && !error.contains(STATE), "{error}");
            }
            (found, _) => panic!("{body}: {found:?}"),
        }
    }
}

#[test]
fn a_token_is_stale_a_minute_before_its_end() {
    let answer = |life| json!({ "access_token": "t", "token_type": "Bearer", "expires_in": life });
    let grant = sign_in(&net().with(TOKEN, 200, answer(json!(3600))));
    for (now_ms, expected) in
        [(1_000_000, false), (4_539_999, false), (4_540_000, true), (i64::MAX, true), (i64::MIN, false)]
    {
        assert_eq!(grant.is_stale(now_ms), expected, "{now_ms}");
    }
    assert!(!sign_in(&net().with(TOKEN, 200, answer(json!(null)))).is_stale(i64::MAX));
}

#[test]
fn a_grant_is_renewed() {
    let first =
        json!({ "access_token": "at-1", "token_type": "Bearer", "refresh_token": "rt-1", "scope": "read" });
    let net = net().with(TOKEN, 200, &first);
    let grant = sign_in(&net);
    assert_eq!(grant.scope(), "read");
    let renewed = json!({ "access_token": "at-2", "token_type": "Bearer", "expires_in": 60 });
    let rotated = changed(changed(renewed.clone(), "refresh_token", json!("rt-2")), "scope", json!("less"));
    for (answer, token, scope) in [(renewed, "rt-1", "read"), (rotated, "rt-2", "less")] {
        let net = Net::default().with(TOKEN, 200, answer);
        let found = block_on(crate::oauth::refresh(&net, &grant, 5_000_000)).expect("renewed");
        let expected = [
            ("grant_type", "refresh_token"),
            ("refresh_token", "rt-1"),
            ("resource", SERVER),
            ("client_id", "registered-1"),
        ];
        assert_eq!(net.last_form(), pairs(&expected));
        assert_eq!(found.token().expose(), "at-2");
        assert_eq!((found.refresh_token.as_deref(), found.scope()), (Some(token), scope));
        assert_eq!(found.expires_ms(), Some(5_060_000));
    }
}

#[test]
fn what_cannot_be_renewed_says_whether_to_try_again() {
    let tokens = json!({ "access_token": "at-1", "token_type": "Bearer", "refresh_token": "rt-1" });
    let grant = sign_in(&net().with(TOKEN, 200, tokens));
    let again = "sign in again";
    let rows = [
        (400, json!({ "error": "invalid_grant" }), again),
        (401, json!({ "error": "invalid_client" }), again),
        (400, json!({ "error": "unauthorized_client" }), again),
        (400, json!({ "error": "slow_down" }), "refused: slow_down"),
        (503, json!(null), "HTTP 503"),
        (0, json!(null), "cannot be reached"),
    ];
    for (status, body, expected) in rows {
        let net = Net::default().with(TOKEN, status, body);
        let error = block_on(crate::oauth::refresh(&net, &grant, 0)).expect_err(expected).to_string();
        assert!(error.contains(expected) && !error.contains("rt-1"), "{error}");
    }
    let net = net();
    let without = sign_in(&net);
    net.asked.borrow_mut().clear();
    assert_eq!(block_on(crate::oauth::refresh(&net, &without, 0)).map(drop), Err(OauthError::SignInAgain));
    assert!(net.lines().is_empty() && !without.can_refresh());
}

#[test]
fn a_sign_in_survives_a_reload() {
    let tokens =
        json!({ "access_token": "at-1", "token_type": "Bearer", "refresh_token": "rt-1", "expires_in": 60 });
    let net = net().with(TOKEN, 200, tokens);
    let kept = serde_json::to_string(&begin(&net).expect("begun")).expect("JSON");
    let pending: Pending = serde_json::from_str(&kept).expect("a sign-in");
    let answer = format!("https://satchel.example/?code=c&state={STATE}");
    assert!(pending.is_answered_by(&answer));
    assert!(!pending.is_answered_by("https://satchel.example/?code=c&state=other"));
    let grant = finish(&net, &pending, &answer).expect("finished");
    let kept = serde_json::to_string(&grant).expect("JSON");
    let grant: Grant = serde_json::from_str(&kept).expect("a grant");
    assert_eq!(grant.token().expose(), "at-1");
    block_on(crate::oauth::refresh(&net, &grant, 0)).expect("renewed");
}

#[test]
fn secrets_do_not_show_themselves() {
    let client = json!({
        "client_id": "c", "client_secret": "secret-1", "token_endpoint_auth_method": "client_secret_post",
    });
    let tokens = json!({ "access_token": "at-1", "token_type": "Bearer", "refresh_token": "rt-1" });
    let net = net().with(REGISTER, 201, client).with(TOKEN, 200, tokens);
    let pending = begin(&net).expect("begun");
    let grant = sign_in(&net);
    let shown = format!("{pending:?} {grant:#?}");
    assert!(shown.contains(ISSUER));
    for secret in ["at-1", "rt-1", "secret-1", STATE] {
        assert!(!shown.contains(secret), "{shown}");
    }
}

#[test]
fn an_endless_answer_is_read_to_the_cap() {
    struct Endless(std::rc::Rc<std::cell::Cell<usize>>);
    #[async_trait::async_trait(?Send)]
    impl Transport for Endless {
        async fn send(&self, _: HttpRequest) -> Result<HttpResponse, TransportError> {
            let read = self.0.clone();
            let body = futures::stream::repeat_with(move || {
                read.set(read.get() + 1024);
                Ok(vec![b' '; 1024])
            });
            Ok(HttpResponse { status: 200, headers: Vec::new(), body: body.boxed_local() })
        }
    }
    let pending = begin(&net()).expect("begun");
    let read = std::rc::Rc::new(std::cell::Cell::new(0));
    let answer = format!("?code=c&state={STATE}");
    let error =
        block_on(crate::oauth::finish(&Endless(read.clone()), &pending, &answer, 0)).expect_err("too much");
    assert!(error.to_string().contains("more than a document holds"), "{error}");
    assert_eq!(read.get(), 257 * 1024);
}
