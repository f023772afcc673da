//! What a server speaks: found out once, and again where it forgot.

use mcp::{LEGACY_VERSIONS, MODERN_VERSION, code};
use serde_json::{Map, Value, json};

use super::beside::Beside;
use super::{Server, Welcome};
use crate::{RemoteError, words};

/// What is spoken with a server.
#[derive(Clone, Debug)]
pub(super) struct Spoken {
    /// What it said of itself.
    pub(super) welcome: Welcome,
    /// Whether it took a handshake.
    pub(super) is_legacy: bool,
    /// The session, where the handshake gave one.
    pub(super) session: Option<String>,
}

impl Server {
    /// What is spoken, found out where it is not known yet.
    pub(super) async fn greeted(&self) -> Result<Spoken, RemoteError> {
        if let Some(spoken) = self.spoken.borrow().clone() {
            return Ok(spoken);
        }
        let spoken = match self.discover().await {
            Ok(welcome) => Spoken { welcome, is_legacy: false, session: None },
            Err(error) if may_be_older(&error) => match self.initialize().await {
                Ok(spoken) => spoken,
                // It understood neither: what it said first is about what it should have understood.
                Err(older) if is_lost(&older) => return Err(error),
                Err(older) => return Err(older),
            },
            Err(error) => return Err(error),
        };
        self.spoken.replace(Some(spoken.clone()));
        Ok(spoken)
    }

    async fn discover(&self) -> Result<Welcome, RemoteError> {
        let beside = Beside::default();
        let ask = || self.send_modern("server/discover", None, Map::new(), &[], &beside);
        let found = match ask().await {
            // It may have been asked by somebody else's version a moment ago; what it names is what we asked with.
            Err(RemoteError::Rpc(error))
                if error.code == code::UNSUPPORTED_VERSION && names(error.data.as_ref(), MODERN_VERSION) =>
            {
                ask().await?
            }
            other => other?,
        };
        if !has(&found["supportedVersions"], MODERN_VERSION) {
            return Err(RemoteError::NotMcp("it does not say what it speaks".into()));
        }
        let in_meta = found.pointer("/_meta/io.modelcontextprotocol~1serverInfo");
        Ok(welcome(in_meta.unwrap_or(&found["serverInfo"]), MODERN_VERSION))
    }

    async fn initialize(&self) -> Result<Spoken, RemoteError> {
        let params = json!({
            "protocolVersion": LEGACY_VERSIONS[0],
            "capabilities": self.client.capabilities(),
            "clientInfo": self.client.info(),
        });
        let (result, session) = self.send_initialize(params).await?;
        let revision = result["protocolVersion"].as_str().unwrap_or_default().to_owned();
        if !LEGACY_VERSIONS.contains(&revision.as_str()) {
            return Err(match revision.as_str() {
                "" => RemoteError::NotMcp("it does not say what it speaks".into()),
                other => RemoteError::Unsupported(format!("to speak {:?}", words::plain(other))),
            });
        }
        // One that could be anything else in a header is none (2025-11-25, basic/transports, "sessions").
        let session = session.filter(|id| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_graphic()));
        let spoken = Spoken { welcome: welcome(&result["serverInfo"], &revision), is_legacy: true, session };
        self.notify(&spoken, "notifications/initialized").await?;
        Ok(spoken)
    }
}

fn welcome(info: &Value, revision: &str) -> Welcome {
    let word = |name: &str| info[name].as_str().map(str::trim).filter(|word| !word.is_empty());
    let name = word("title").or_else(|| word("name")).unwrap_or_default();
    Welcome { name: words::plain(name).chars().take(80).collect(), revision: revision.to_owned() }
}

/// Whether a server that says this to the newest revision may speak an older one.
fn may_be_older(error: &RemoteError) -> bool {
    match error {
        RemoteError::Rpc(error) => {
            let is_of_today = matches!(error.code, code::HEADER_MISMATCH | code::MISSING_CAPABILITY);
            let data = error.data.as_ref();
            let speaks_older = LEGACY_VERSIONS.iter().any(|version| names(data, version));
            !is_of_today && (error.code != code::UNSUPPORTED_VERSION || speaks_older)
        }
        RemoteError::Status(status) => *status < 500 || matches!(status, 500 | 501),
        RemoteError::NotMcp(_) => true,
        _ => false,
    }
}

/// Whether this is what a server says to a handshake that it does not know.
fn is_lost(error: &RemoteError) -> bool {
    match error {
        RemoteError::Rpc(error) => error.code == code::METHOD_NOT_FOUND,
        RemoteError::Status(_) | RemoteError::NotMcp(_) => true,
        _ => false,
    }
}

/// Whether an error about versions names this one.
fn names(data: Option<&Value>, version: &str) -> bool {
    data.is_some_and(|data| has(&data["supported"], version))
}

fn has(list: &Value, word: &str) -> bool {
    list.as_array().is_some_and(|list| list.iter().any(|one| one == word))
}
