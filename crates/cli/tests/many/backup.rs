//! Streams as `nats stream backup` and `nats stream restore` take them: by the server's own requests (JetStream API, `STREAM.SNAPSHOT` and
//! `STREAM.RESTORE`).

use async_nats::Client;
use futures::{StreamExt, TryStreamExt};
use serde_json::{Value, json};

/// A stream outside of its servers.
pub struct Backup {
    name: String,
    /// What it was: its configuration and its state.
    was: Value,
    pieces: Vec<Vec<u8>>,
}

async fn asked(client: &Client, subject: String, request: &Value) -> Value {
    let answer = client.request(subject, request.to_string().into()).await.unwrap();
    let answer: Value = serde_json::from_slice(&answer.payload).unwrap();
    assert_eq!(answer["error"], Value::Null, "{answer}");
    answer
}

/// Takes all streams that there are.
pub async fn take(client: &Client) -> Vec<Backup> {
    let mut backups = Vec::new();
    let names: Vec<String> =
        async_nats::jetstream::new(client.clone()).stream_names().try_collect().await.unwrap();
    for name in names {
        let inbox = client.new_inbox();
        let mut coming = client.subscribe(inbox.clone()).await.unwrap();
        let request = json!({"deliver_subject": inbox, "no_consumers": true, "chunk_size": 32 * 1_024});
        let was = asked(client, format!("$JS.API.STREAM.SNAPSHOT.{name}"), &request).await;
        let mut pieces = Vec::new();
        loop {
            let piece = coming.next().await.unwrap();
            if piece.payload.is_empty() {
                break;
            }
            pieces.push(piece.payload.to_vec());
            // The server sends as much as was heard.
            if let Some(reply) = piece.reply {
                client.publish(reply, Vec::new().into()).await.unwrap();
            }
        }
        backups.push(Backup { name, was, pieces });
    }
    backups
}

/// Puts streams into servers that have none.
pub async fn put_back(client: &Client, backups: Vec<Backup>) {
    for Backup { name, was, pieces } in backups {
        let request = json!({"config": was["config"], "state": was["state"]});
        let answer = asked(client, format!("$JS.API.STREAM.RESTORE.{name}"), &request).await;
        let to = answer["deliver_subject"].as_str().unwrap().to_owned();
        for piece in pieces {
            client.request(to.clone(), piece.into()).await.unwrap();
        }
        let end = client.request(to, Vec::new().into()).await.unwrap();
        let end: Value = serde_json::from_slice(&end.payload).unwrap();
        assert_eq!(end["error"], Value::Null, "{name}: {end}");
    }
}
