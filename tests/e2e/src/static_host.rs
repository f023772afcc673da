//! A plain file server, as any web host is one: no headers of ours, no API, the app in some folder.

use std::path::{Path, PathBuf};

use axum::Router;
use tokio::task::JoinHandle;
use tower_http::services::ServeDir;

/// A folder served under a path, without anything else.
pub struct StaticHost {
    folder: PathBuf,
    path: String,
    port: u16,
    server: Option<JoinHandle<()>>,
}

impl StaticHost {
    /// Serves a folder under a path such as `/some/path`.
    pub async fn start(folder: &Path, path: &str) -> Self {
        let mut host = Self { folder: folder.to_owned(), path: path.to_owned(), port: 0, server: None };
        host.restart().await;
        host
    }

    /// The folder's address, with a slash at the end.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}{}/", self.port, self.path)
    }

    /// Stops the server.
    pub async fn stop(&mut self) {
        if let Some(server) = self.server.take() {
            server.abort();
            let _ = server.await;
        }
    }

    /// Starts the server again, on the port it had.
    pub async fn restart(&mut self) {
        self.stop().await;
        let listener = tokio::net::TcpListener::bind(("127.0.0.1", self.port)).await.expect("a port");
        self.port = listener.local_addr().expect("a bound port").port();
        let router = Router::new().nest_service(&self.path, ServeDir::new(&self.folder));
        self.server = Some(tokio::spawn(async move {
            axum::serve(listener, router).await.expect("the host serves");
        }));
    }
}
