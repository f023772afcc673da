//! The browser's cryptography, as far as keys need it. `JsValue` ends here.
//!
//! AES-GCM with 256 bits and a new random nonce for every sealing; PBKDF2 with SHA-256 for a passphrase,
//! with as many rounds as OWASP's password storage cheat sheet asks for. No key made here can be exported.

use js_sys::{Array, Object, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web::value::{object, part};
use web_sys::{CryptoKey, SubtleCrypto};

use super::key_store::Sealed;

/// Rounds of PBKDF2-HMAC-SHA256.
pub const ROUNDS: u32 = 600_000;

/// What is sealed beside the keys, to know the right passphrase from a wrong one. It is no origin.
pub const CHECK: &str = "satchel";

/// The bytes of a nonce.
const NONCE: usize = 12;

/// Whether there is cryptography here: not where the page is served insecurely.
pub fn is_there() -> bool {
    subtle().is_some()
}

/// A new key that never leaves the browser.
pub async fn generated() -> Option<CryptoKey> {
    let algorithm = object(&[("name", "AES-GCM".into()), ("length", 256.into())]);
    let made = subtle()?.generate_key_with_object(&algorithm, false, &usages()).ok()?;
    JsFuture::from(made).await.ok()?.dyn_into().ok()
}

/// The key that belongs to a passphrase.
pub async fn derived(passphrase: &str, salt: &[u8], rounds: u32) -> Option<CryptoKey> {
    let subtle = subtle()?;
    let bytes = Uint8Array::from(passphrase.as_bytes());
    let derive = Array::of1(&"deriveKey".into());
    let imported = subtle.import_key_with_str("raw", &bytes, "PBKDF2", false, &derive).ok()?;
    let base: CryptoKey = JsFuture::from(imported).await.ok()?.dyn_into().ok()?;
    let algorithm = object(&[
        ("name", "PBKDF2".into()),
        ("hash", "SHA-256".into()),
        ("salt", Uint8Array::from(salt).into()),
        ("iterations", rounds.into()),
    ]);
    let kind = object(&[("name", "AES-GCM".into()), ("length", 256.into())]);
    let made = subtle.derive_key_with_object_and_object(&algorithm, &base, &kind, false, &usages()).ok()?;
    JsFuture::from(made).await.ok()?.dyn_into().ok()
}

/// Seals a text so that it opens only with the same key, and only for the same `what`.
pub async fn seal(key: &CryptoKey, what: &str, text: &str) -> Option<Sealed> {
    let nonce = random(NONCE)?;
    let sealing = subtle()?
        .encrypt_with_object_and_js_u8_array(&gcm(&nonce, what), key, &Uint8Array::from(text.as_bytes()))
        .ok()?;
    Some(Sealed { nonce, data: bytes(&JsFuture::from(sealing).await.ok()?) })
}

/// Opens what was sealed; none where key or `what` are others, or a byte was changed.
pub async fn open(key: &CryptoKey, what: &str, sealed: &Sealed) -> Option<String> {
    let data = Uint8Array::from(sealed.data.as_slice());
    let opening =
        subtle()?.decrypt_with_object_and_js_u8_array(&gcm(&sealed.nonce, what), key, &data).ok()?;
    String::from_utf8(bytes(&JsFuture::from(opening).await.ok()?)).ok()
}

/// Random bytes.
pub fn random(length: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; length];
    web::clock::fill(&mut bytes).then_some(bytes)
}

fn gcm(nonce: &[u8], what: &str) -> Object {
    object(&[
        ("name", "AES-GCM".into()),
        ("iv", Uint8Array::from(nonce).into()),
        ("additionalData", Uint8Array::from(what.as_bytes()).into()),
    ])
}

fn subtle() -> Option<SubtleCrypto> {
    let crypto = web_sys::window()?.crypto().ok()?;
    // Undefined where the page is not served securely, which the typed getter does not know.
    part(&crypto, "subtle")?.dyn_into().ok()
}

fn usages() -> JsValue {
    Array::of2(&"encrypt".into(), &"decrypt".into()).into()
}

fn bytes(buffer: &JsValue) -> Vec<u8> {
    Uint8Array::new(buffer).to_vec()
}
