//! Variables from outside: a webhook that knows a client by `client_id` (S2-05, S2-26).
//!
//! A webhook that fails is said, and the conversation goes on with what it has. What it answers is data: variables of templates, and
//! nothing that is run.

use std::net::IpAddr;

use agent::Clock;
use async_trait::async_trait;
use serde_json::{Map, Value};

/// The longest answer that is read, in bytes.
pub const LARGEST: usize = 256 * 1024;

/// How long one attempt may take where whoever asks says nothing else, in milliseconds.
pub const TIMEOUT_MS: u64 = 5_000;

/// How often it is asked, when it does not answer or says that something broke.
const ATTEMPTS: u32 = 3;

/// How long is waited before it is asked again, in milliseconds; twice as long each time.
const PAUSE_MS: u64 = 250;

/// An answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fetched {
    /// The HTTP status.
    pub status: u16,
    /// What kind of text it says it is.
    pub content_type: String,
    /// The body: at most [`LARGEST`] bytes and one more, by which one that is longer is known.
    pub body: Vec<u8>,
}

/// Who asks.
#[async_trait(?Send)]
pub trait Fetch {
    /// Asks for what is known of a client. It reads at most one byte more than [`LARGEST`], follows no redirect, and refuses a private
    /// address ([`is_private`]) unless its host was allowed by name.
    ///
    /// # Errors
    /// A sentence: why there is no answer, and whether it may come if asked again.
    async fn fetch(&self, client_id: &str) -> Result<Fetched, NotFetched>;

    /// How long one attempt may take, in milliseconds.
    fn timeout_ms(&self) -> u64 {
        TIMEOUT_MS
    }

    /// Waits before it is asked again. Where time is simulated, whoever asks waits in real time: the other side's time is.
    async fn pause(&self, clock: &dyn Clock, ms: u64) {
        clock.sleep(ms).await;
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotFetched {
    /// A sentence.
    pub why: String,
    /// It may come if it is asked again.
    pub may_come: bool,
}

/// What a webhook knows of a client.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Known {
    /// Variables for the templates.
    pub variables: Map<String, Value>,
    /// The session's id, if it has one of its own (S2-26).
    pub session_id: Option<String>,
}

/// Asks a webhook, again where that may help.
///
/// # Errors
/// A sentence for the outcome's notes.
pub async fn ask(webhook: &dyn Fetch, client_id: &str, clock: &dyn Clock) -> Result<Known, String> {
    let mut pause_ms = PAUSE_MS;
    for attempt in 1.. {
        let asked = Box::pin(webhook.fetch(client_id));
        let limit_ms = webhook.timeout_ms();
        let late = clock.sleep(limit_ms);
        let came = match futures::future::select(asked, late).await {
            futures::future::Either::Left((came, _)) => came,
            futures::future::Either::Right(_) => Err(NotFetched {
                why: format!("the webhook did not answer within {} s", limit_ms / 1_000),
                may_come: true,
            }),
        };
        let failed = match came.and_then(|came| read(&came)) {
            Ok(known) => return Ok(known),
            Err(failed) => failed,
        };
        if !failed.may_come || attempt >= ATTEMPTS {
            return Err(failed.why);
        }
        webhook.pause(clock, pause_ms).await;
        pause_ms *= 2;
    }
    Err("the webhook was not asked".to_owned())
}

/// What an answer says: an object of variables, or one with `variables` and `session_id`.
fn read(came: &Fetched) -> Result<Known, NotFetched> {
    let no = |why: String, may_come: bool| Err(NotFetched { why, may_come });
    if !(200..300).contains(&came.status) {
        let why = format!("the webhook answered with status {}", came.status);
        return no(why, came.status >= 500 || came.status == 429 || came.status == 408);
    }
    if came.body.len() > LARGEST {
        return no(format!("the webhook's answer is over {} kB long", LARGEST / 1_024), false);
    }
    let json: Value = match serde_json::from_slice(&came.body) {
        Ok(json) => json,
        Err(error) => {
            let kind = if came.content_type.is_empty() { "no content type" } else { &came.content_type };
            return no(format!("the webhook's answer ({kind}) is no JSON: {error}"), false);
        }
    };
    let Value::Object(mut fields) = json else {
        return no("the webhook's answer is no JSON object".to_owned(), false);
    };
    let session_id = match fields.remove("session_id") {
        None | Some(Value::Null) => None,
        Some(Value::String(id)) if is_id(&id) => Some(id),
        Some(_) => return no("the webhook's session_id is no short text".to_owned(), false),
    };
    let variables = match fields.remove("variables") {
        Some(Value::Object(variables)) => variables,
        Some(_) => return no("the webhook's variables are no JSON object".to_owned(), false),
        None => fields,
    };
    Ok(Known { variables, session_id })
}

/// An id is written into records, names of files and traces.
fn is_id(id: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.:".contains(letter);
    !id.is_empty() && id.len() <= 128 && id.chars().all(is_plain) && !id.starts_with('.')
}

/// Whether an address is of this machine, this network, or none that the internet has: a webhook there is asked only where its host was
/// allowed by name.
#[must_use]
pub fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => {
            let [a, b, c, _] = v4.octets();
            v4.is_private()
                || v4.is_loopback()
                || v4.is_link_local()
                || v4.is_unspecified()
                || v4.is_broadcast()
                || v4.is_multicast()
                || v4.is_documentation()
                || a == 0
                || a >= 240
                // Shared by carriers, protocols' own, benchmarks.
                || (a == 100 && (64..128).contains(&b))
                || (a == 192 && b == 0 && c == 0)
                || (a == 198 && (b == 18 || b == 19))
        }
        IpAddr::V6(v6) => {
            // One of the older kind in the newer one's clothes.
            if let Some(v4) = v6.to_ipv4_mapped() {
                return is_private(IpAddr::V4(v4));
            }
            let [first, second, ..] = v6.segments();
            let embedded = |high: u16, low: u16| {
                let [a, b] = high.to_be_bytes();
                let [c, d] = low.to_be_bytes();
                is_private(IpAddr::from([a, b, c, d]))
            };
            let [.., high, low] = v6.segments();
            v6.is_loopback()
                || v6.is_unspecified()
                || v6.is_multicast()
                || (first & 0xfe00) == 0xfc00
                || (first & 0xffc0) == 0xfe80
                || (first & 0xffc0) == 0xfec0
                || (first == 0x2001 && second == 0x0db8)
                // Translated and tunnelled ones are as private as what is in them.
                || (first == 0x0064 && second == 0xff9b && (v6.segments()[2] != 0 || embedded(high, low)))
                || (first == 0x2002 && embedded(second, v6.segments()[2]))
                || (v6.segments()[..6] == [0; 6] && embedded(high, low))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;
    use crate::SimulatedTime;

    struct Answers(RefCell<Vec<Option<Fetched>>>);

    #[async_trait(?Send)]
    impl Fetch for Answers {
        async fn fetch(&self, _client_id: &str) -> Result<Fetched, NotFetched> {
            let next = if self.0.borrow().is_empty() { None } else { self.0.borrow_mut().remove(0) };
            match next {
                Some(fetched) => Ok(fetched),
                None => std::future::pending().await,
            }
        }
    }

    fn answer(status: u16, body: &str) -> Option<Fetched> {
        Some(Fetched { status, content_type: "text/plain".into(), body: body.into() })
    }

    fn asked(answers: Vec<Option<Fetched>>) -> (Result<Known, String>, usize) {
        let (time, webhook) = (SimulatedTime::default(), Answers(RefCell::new(answers)));
        let known = time.run(ask(&webhook, "c-1", &time)).unwrap();
        (known, webhook.0.borrow().len())
    }

    /// S2-05, S2-26.
    #[test]
    fn what_it_knows_becomes_variables_and_its_session_is_taken_over() {
        let (known, _) = asked(vec![answer(200, r#"{"name": "Ada", "session_id": "s-1"}"#)]);
        let known = known.unwrap();
        assert_eq!(
            (known.variables["name"].as_str(), known.session_id.as_deref()),
            (Some("Ada"), Some("s-1"))
        );
        let (known, _) = asked(vec![answer(200, r#"{"variables": {"name": "Ada"}, "other": 1}"#)]);
        assert_eq!(known.unwrap().variables.len(), 1);
    }

    #[test]
    fn what_broke_is_asked_again_and_what_is_wrong_is_not() {
        let (known, left) = asked(vec![answer(500, ""), answer(503, ""), answer(200, "{}")]);
        assert!(known.is_ok() && left == 0);
        let (known, left) = asked(vec![answer(500, ""), answer(500, ""), answer(500, ""), answer(200, "{}")]);
        assert_eq!((known.unwrap_err().as_str(), left), ("the webhook answered with status 500", 1));
        for (body, says) in [
            ("<html>", "no JSON"),
            ("[1]", "no JSON object"),
            (r#"{"session_id": "../x y"}"#, "session_id"),
            (r#"{"variables": 1}"#, "variables"),
        ] {
            let (known, left) = asked(vec![answer(200, body), answer(200, "{}")]);
            assert!(known.clone().unwrap_err().contains(says) && left == 1, "{body}: {known:?}");
        }
        let (known, _) = asked(vec![answer(200, &"x".repeat(LARGEST + 1))]);
        assert!(known.unwrap_err().contains("kB long"));
        let (known, _) = asked(vec![]);
        assert_eq!(known.unwrap_err(), "the webhook did not answer within 5 s");
    }

    #[test]
    fn private_addresses_are_known_in_every_dress() {
        for private in [
            "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1",
            "::1", "fe80::1", "fd00::1", "::ffff:10.0.0.1", "64:ff9b::a00:1", "64:ff9b:1::808:808",
            "2002:a00:1::", "::10.0.0.1", "224.0.0.1", "255.255.255.255", "198.18.0.1", "192.0.0.1",
        ] {
            assert!(is_private(private.parse().unwrap()), "{private}");
        }
        for public in
            ["8.8.8.8", "1.1.1.1", "2606:4700::1111", "100.128.0.1", "64:ff9b::808:808", "::ffff:8.8.8.8"]
        {
            assert!(!is_private(public.parse().unwrap()), "{public}");
        }
    }
}
