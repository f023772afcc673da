//! What is measured, for Prometheus. Served only at an address of its own (`metrics_address`): counts of models and upstreams are not
//! for everyone who may ask a model. Names are those of OpenTelemetry's semantic conventions (HTTP, GenAI) where it has one.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use crate::counters::{Counters, Standing};

/// Names and values; only names that are known beforehand, so that nobody can make ever more rows.
type Labels = Vec<(&'static str, String)>;
type Histograms = Family<Labels, Histogram, fn() -> Histogram>;

/// All that is measured.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Histograms,
    streams: Gauge,
    bytes: Counter<u64, AtomicU64>,
    first: Histograms,
    operations: Histograms,
    tokens: Histograms,
    limited: Family<Labels, Counter>,
    left_alone: Family<Labels, Gauge>,
    shared: Gauge,
    away: Gauge,
}

/// Bounds in seconds: those that the conventions advise for operations of models.
fn seconds() -> Histogram {
    Histogram::new([0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92])
}

/// Bounds in tokens, by the same.
fn tokens() -> Histogram {
    Histogram::new((0..14).map(|power| f64::from(4_u32.saturating_pow(power))))
}

/// A request to a model, as it is measured.
pub(crate) struct Operation {
    pub(crate) upstream: String,
    pub(crate) model: String,
    /// The status that was no success, or what cut the stream.
    pub(crate) error: Option<String>,
    pub(crate) took: Duration,
    pub(crate) input_tokens: Option<u64>,
    pub(crate) output_tokens: Option<u64>,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut registry = Registry::default();
        let histograms = |make: fn() -> Histogram| Histograms::new_with_constructor(make);
        let metrics = Self {
            requests: histograms(seconds),
            streams: Gauge::default(),
            bytes: Counter::default(),
            first: histograms(seconds),
            operations: histograms(seconds),
            tokens: histograms(tokens),
            limited: Family::default(),
            left_alone: Family::default(),
            shared: Gauge::default(),
            away: Gauge::default(),
            registry: Registry::default(),
        };
        registry.register_with_unit(
            "http_server_request_duration",
            "From a request's head to its answer's last byte",
            Unit::Seconds,
            metrics.requests.clone(),
        );
        registry.register("satchel_gateway_streams", "Answers of models under way", metrics.streams.clone());
        registry.register_with_unit(
            "satchel_gateway_response",
            "Bytes of answers' bodies",
            Unit::Bytes,
            metrics.bytes.clone(),
        );
        registry.register_with_unit(
            "gen_ai_client_operation_time_to_first_chunk",
            "From a model's request to its answer's first byte",
            Unit::Seconds,
            metrics.first.clone(),
        );
        registry.register_with_unit(
            "gen_ai_client_operation_duration",
            "From a model's request to its answer's last byte",
            Unit::Seconds,
            metrics.operations.clone(),
        );
        registry.register(
            "gen_ai_client_token_usage",
            "Tokens of requests and answers, as upstreams said",
            metrics.tokens.clone(),
        );
        registry.register(
            "satchel_gateway_limited",
            "Requests refused, by the limit",
            metrics.limited.clone(),
        );
        registry.register(
            "satchel_gateway_upstream_left_alone",
            "1 where the circuit breaker is open",
            metrics.left_alone.clone(),
        );
        registry.register(
            "satchel_gateway_counts_shared",
            "1 where limits are to be counted by all servers together",
            metrics.shared.clone(),
        );
        registry.register(
            "satchel_gateway_counts_away",
            "1 while what servers share cannot be reached",
            metrics.away.clone(),
        );
        Self { registry, ..metrics }
    }

    pub(crate) fn request(&self, method: &str, route: &str, status: u16, took: Duration, bytes: u64) {
        let labels = vec![
            ("http_request_method", method.to_owned()),
            ("http_route", route.to_owned()),
            ("http_response_status_code", status.to_string()),
        ];
        self.requests.get_or_create(&labels).observe(took.as_secs_f64());
        self.bytes.inc_by(bytes);
    }

    pub(crate) fn stream_begins(&self) {
        self.streams.inc();
    }

    pub(crate) fn stream_ends(&self) {
        self.streams.dec();
    }

    pub(crate) fn limited(&self, limit: &str) {
        self.limited.get_or_create(&vec![("limit", limit.to_owned())]).inc();
    }

    pub(crate) fn first_byte(&self, upstream: &str, model: &str, after: Duration) {
        self.first.get_or_create(&model_labels(upstream, model)).observe(after.as_secs_f64());
    }

    pub(crate) fn operation(&self, done: &Operation) {
        let mut labels = model_labels(&done.upstream, &done.model);
        for (kind, count) in [("input", done.input_tokens), ("output", done.output_tokens)] {
            let Some(count) = count else { continue };
            let mut labels = labels.clone();
            labels.push(("gen_ai_token_type", kind.to_owned()));
            // Exact up to 2^53.
            self.tokens.get_or_create(&labels).observe(count as f64);
        }
        if let Some(error) = &done.error {
            labels.push(("error_type", error.clone()));
        }
        self.operations.get_or_create(&labels).observe(done.took.as_secs_f64());
    }

    /// Everything as OpenMetrics text.
    fn text(&self, counters: &dyn Counters, upstreams: &[String]) -> Option<String> {
        let left_alone = counters.left_alone();
        for upstream in upstreams {
            let is_open = i64::from(left_alone.contains(upstream));
            self.left_alone.get_or_create(&vec![("upstream", upstream.clone())]).set(is_open);
        }
        let standing = counters.standing();
        self.shared.set(i64::from(standing != Standing::Alone));
        self.away.set(i64::from(standing == Standing::Away));
        let mut text = String::new();
        encode(&mut text, &self.registry).ok()?;
        Some(text)
    }
}

fn model_labels(upstream: &str, model: &str) -> Labels {
    vec![
        ("gen_ai_operation_name", "chat".to_owned()),
        ("gen_ai_provider_name", upstream.to_owned()),
        ("gen_ai_request_model", model.to_owned()),
    ]
}

/// What is asked for the text.
pub(crate) struct Source {
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) counters: Arc<dyn Counters>,
    pub(crate) upstreams: Vec<String>,
}

/// `/metrics`, for an address of its own.
pub(crate) fn router(source: Source) -> Router {
    Router::new().route("/metrics", get(serve)).with_state(Arc::new(source))
}

async fn serve(State(source): State<Arc<Source>>) -> Response {
    let Some(text) = source.metrics.text(&*source.counters, &source.upstreams) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    ([(header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text)
        .into_response()
}
