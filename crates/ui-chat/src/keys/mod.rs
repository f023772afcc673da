//! Keys of model providers, encrypted on this device.
//!
//! A key is kept per origin of its address, sealed by AES-GCM with the origin as authenticated data: a
//! key saved for one provider is never sent to another, whatever the address field says later. What seals
//! it is a key the browser made and gives to nobody ([`vault`]), or one derived from the person's
//! passphrase, which is asked for once per page. Where the browser has no cryptography (a page that is
//! not served securely) or no storage, a key lasts as long as the page.

mod key_store;
mod vault;
pub mod words;

use std::cell::RefCell;
use std::rc::Rc;

use futures::channel::oneshot;
use futures::future::LocalBoxFuture;
use futures::lock::Mutex;
use leptos::prelude::*;
use litemap::LiteMap;
use llm::Secret;
use web_sys::CryptoKey;

use crate::i18n;
use key_store::{KeyStore, Master};
use web::lock::Lock;

/// The lock under which keys are sealed and put away.
const WRITING: &str = "satchel-keys-write";

/// What is known about the key of one origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// There is none.
    None,
    /// It is on the device, and can be used.
    Kept,
    /// It is on the device behind the passphrase.
    Locked,
    /// It is gone with this page: nothing can be kept here.
    ForNow,
}

impl Held {
    /// The word in `data-held`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Kept => "kept",
            Self::Locked => "locked",
            Self::ForNow => "for-now",
        }
    }
}

/// Why a key cannot be had or kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyError {
    /// The passphrase was not given.
    Locked,
    /// It is not this one.
    WrongPassphrase,
    /// What is on the device cannot be opened: it was damaged, or is not ours.
    Unreadable,
    /// The browser's storage failed, in words.
    Storage(String),
}

impl std::fmt::Display for KeyError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Locked => f.write_str(i18n::key_is_locked()),
            Self::WrongPassphrase => f.write_str(i18n::wrong_passphrase()),
            Self::Unreadable => f.write_str(i18n::key_unreadable()),
            Self::Storage(why) => f.write_str(&i18n::key_not_kept(why)),
        }
    }
}

/// The keys of this device. A handle: copies are the same keys.
#[derive(Clone, Copy)]
pub struct Keyring {
    /// Whether the passphrase is being asked for. The dialog listens.
    pub asking: RwSignal<bool>,
    inner: StoredValue<Rc<Inner>, LocalStorage>,
}

#[derive(Default)]
struct Inner {
    key_store: KeyStore,
    /// Keys that cannot be kept.
    memory: RefCell<LiteMap<String, Secret>>,
    /// What the passphrase gave, and for which salt.
    unlocked: RefCell<Option<(Vec<u8>, CryptoKey)>>,
    /// One at a time and in order: who asks for a key right after it was entered gets it.
    order: Mutex<()>,
    /// Who waits for the passphrase.
    waiting: RefCell<Vec<oneshot::Sender<()>>>,
}

impl Keyring {
    /// The one of this page.
    ///
    /// # Panics
    /// Outside the page's root component, which provides it.
    #[must_use]
    pub fn of_page() -> Self {
        expect_context()
    }

    /// The keys of this device.
    #[must_use]
    pub fn start() -> Self {
        Self { asking: RwSignal::new(false), inner: StoredValue::new_local(Rc::default()) }
    }

    /// What is known about the key of an origin.
    ///
    /// # Errors
    /// [`KeyError::Storage`].
    pub fn held<'a>(self, origin: &'a str) -> LocalBoxFuture<'a, Result<Held, KeyError>> {
        Box::pin(async move {
            let inner = self.inner.get_value();
            let _turn = inner.order.lock().await;
            if inner.memory.borrow().contains_key(origin) {
                return Ok(Held::ForNow);
            }
            if !vault::is_there() || inner.key_store.sealed(origin).await?.is_none() {
                return Ok(Held::None);
            }
            match inner.master().await {
                Ok(Some(_)) => Ok(Held::Kept),
                Err(KeyError::Locked) => Ok(Held::Locked),
                // The key that sealed it is gone: it is as good as none, and can be entered again.
                Ok(None) | Err(KeyError::Unreadable | KeyError::WrongPassphrase) => Ok(Held::None),
                Err(error) => Err(error),
            }
        })
    }

    /// The key of an origin.
    ///
    /// # Errors
    /// See [`KeyError`].
    pub fn get<'a>(self, origin: &'a str) -> LocalBoxFuture<'a, Result<Option<Secret>, KeyError>> {
        Box::pin(async move {
            let inner = self.inner.get_value();
            let _turn = inner.order.lock().await;
            if let Some(secret) = inner.memory.borrow().get(origin) {
                return Ok(Some(secret.clone()));
            }
            if !vault::is_there() {
                return Ok(None);
            }
            let Some(sealed) = inner.key_store.sealed(origin).await? else { return Ok(None) };
            let master = inner.master().await?.ok_or(KeyError::Unreadable)?;
            vault::open(&master, origin, &sealed).await.map(Secret::new).map(Some).ok_or(KeyError::Unreadable)
        })
    }

    /// The same, asking for the passphrase when it is needed and was not given yet.
    ///
    /// # Errors
    /// See [`KeyError`]; [`KeyError::Locked`] when the person would not say it.
    pub fn get_or_ask<'a>(self, origin: &'a str) -> LocalBoxFuture<'a, Result<Option<Secret>, KeyError>> {
        Box::pin(async move {
            match self.get(origin).await {
                Err(KeyError::Locked) => {
                    self.ask().await;
                    self.get(origin).await
                }
                other => other,
            }
        })
    }

    /// Asks for the passphrase, and waits until the dialog is closed, with or without it.
    pub fn ask(self) -> LocalBoxFuture<'static, ()> {
        Box::pin(async move {
            let (send, receive) = oneshot::channel();
            self.inner.with_value(|inner| inner.waiting.borrow_mut().push(send));
            self.asking.set(true);
            let _ = receive.await;
        })
    }

    /// The dialog was closed: whoever waits looks again.
    pub fn asked(self) {
        self.asking.set(false);
        let waiting = self.inner.with_value(|inner| inner.waiting.take());
        for waiting in waiting {
            let _ = waiting.send(());
        }
    }

    /// Keeps a key. Where nothing can be kept, it stays with the page: the answer says so.
    ///
    /// # Errors
    /// [`KeyError::Locked`] while the others are locked, or [`KeyError::Storage`].
    pub fn put<'a>(self, origin: &'a str, secret: Secret) -> LocalBoxFuture<'a, Result<Held, KeyError>> {
        Box::pin(async move {
            let inner = self.inner.get_value();
            let _turn = inner.order.lock().await;
            if !vault::is_there() || !inner.key_store.is_there().await {
                inner.memory.borrow_mut().insert(origin.to_owned(), secret);
                return Ok(Held::ForNow);
            }
            let _alone = alone().await;
            let master = match inner.master().await {
                Ok(Some(master)) => master,
                Ok(None) | Err(KeyError::Unreadable) => inner.new_master().await?,
                Err(error) => return Err(error),
            };
            let sealed = vault::seal(&master, origin, secret.expose()).await.ok_or(KeyError::Unreadable)?;
            inner.key_store.put(None, &[(origin.to_owned(), sealed)]).await?;
            inner.memory.borrow_mut().remove(origin);
            Ok(Held::Kept)
        })
    }

    /// Forgets the key of an origin.
    ///
    /// # Errors
    /// [`KeyError::Storage`].
    pub fn remove<'a>(self, origin: &'a str) -> LocalBoxFuture<'a, Result<(), KeyError>> {
        Box::pin(async move {
            let inner = self.inner.get_value();
            let _turn = inner.order.lock().await;
            inner.memory.borrow_mut().remove(origin);
            // Who changes the passphrase meanwhile would write it again.
            let _alone = alone().await;
            inner.key_store.remove(origin).await
        })
    }

    /// Forgets all keys, and the passphrase with them.
    ///
    /// # Errors
    /// [`KeyError::Storage`].
    pub fn remove_all(self) -> LocalBoxFuture<'static, Result<(), KeyError>> {
        Box::pin(async move {
            let inner = self.inner.get_value();
            let _turn = inner.order.lock().await;
            inner.memory.borrow_mut().clear();
            inner.unlocked.take();
            let _alone = alone().await;
            inner.key_store.clear().await
        })
    }

    /// What keys are kept for: origins, and the names of what is sealed as they are.
    ///
    /// # Errors
    /// [`KeyError::Storage`].
    pub fn names(self) -> LocalBoxFuture<'static, Result<Vec<String>, KeyError>> {
        Box::pin(async move {
            let inner = self.inner.get_value();
            let _turn = inner.order.lock().await;
            Ok(inner.key_store.all().await?.into_iter().map(|(name, _)| name).collect())
        })
    }

    /// Whether a passphrase is set.
    pub fn has_passphrase(self) -> LocalBoxFuture<'static, bool> {
        Box::pin(async move {
            let inner = self.inner.get_value();
            matches!(inner.key_store.master().await, Ok(Some(Master::Phrase { .. })))
        })
    }

    /// Takes the passphrase, for as long as this page lives.
    ///
    /// # Errors
    /// [`KeyError::WrongPassphrase`] when it is another one.
    pub fn unlock<'a>(self, passphrase: &'a str) -> LocalBoxFuture<'a, Result<(), KeyError>> {
        Box::pin(async move {
            let inner = self.inner.get_value();
            let Some(Master::Phrase { salt, rounds, check }) = inner.key_store.master().await? else {
                return Ok(());
            };
            let derived = vault::derived(passphrase, &salt, rounds).await.ok_or(KeyError::WrongPassphrase)?;
            vault::open(&derived, vault::CHECK, &check).await.ok_or(KeyError::WrongPassphrase)?;
            inner.unlocked.replace(Some((salt, derived)));
            Ok(())
        })
    }

    /// Puts all keys behind a passphrase, or with `None` back behind the browser's own key.
    ///
    /// # Errors
    /// See [`KeyError`]; then everything is as it was.
    pub fn change_passphrase<'a>(
        self,
        passphrase: Option<&'a str>,
    ) -> LocalBoxFuture<'a, Result<(), KeyError>> {
        Box::pin(async move {
            let inner = self.inner.get_value();
            let _turn = inner.order.lock().await;
            let _alone = alone().await;
            let mut open = Vec::new();
            if let Some(master) = inner.master().await? {
                for (origin, sealed) in inner.key_store.all().await? {
                    // One that cannot be opened is of no use behind either.
                    if let Some(key) = vault::open(&master, &origin, &sealed).await {
                        open.push((origin, Secret::new(key)));
                    }
                }
            }
            let (record, key) = match passphrase {
                Some(passphrase) => {
                    let salt = vault::random(16).ok_or(KeyError::Unreadable)?;
                    let rounds = vault::ROUNDS;
                    let key = vault::derived(passphrase, &salt, rounds).await.ok_or(KeyError::Unreadable)?;
                    let check =
                        vault::seal(&key, vault::CHECK, vault::CHECK).await.ok_or(KeyError::Unreadable)?;
                    (Master::Phrase { salt, rounds, check }, key)
                }
                None => {
                    let key = vault::generated().await.ok_or(KeyError::Unreadable)?;
                    (Master::Device(key.clone()), key)
                }
            };
            let mut sealed = Vec::new();
            for (origin, secret) in open {
                let again = vault::seal(&key, &origin, secret.expose()).await.ok_or(KeyError::Unreadable)?;
                sealed.push((origin, again));
            }
            inner.key_store.put(Some(&record), &sealed).await?;
            inner.unlocked.replace(match record {
                Master::Phrase { salt, .. } => Some((salt, key)),
                Master::Device(_) => None,
            });
            Ok(())
        })
    }
}

impl Inner {
    /// What seals and opens the keys; none before the first is kept.
    async fn master(&self) -> Result<Option<CryptoKey>, KeyError> {
        match self.key_store.master().await? {
            None => Ok(None),
            Some(Master::Device(key)) => Ok(Some(key)),
            Some(Master::Phrase { salt, .. }) => match &*self.unlocked.borrow() {
                // Another tab may have changed the passphrase: then it is another salt.
                Some((of, key)) if *of == salt => Ok(Some(key.clone())),
                Some(_) | None => Err(KeyError::Locked),
            },
        }
    }

    async fn new_master(&self) -> Result<CryptoKey, KeyError> {
        let key = vault::generated().await.ok_or(KeyError::Unreadable)?;
        if self.key_store.begin(&key).await? {
            return Ok(key);
        }
        // Another tab was quicker.
        self.master().await?.ok_or(KeyError::Unreadable)
    }
}

/// Waits until no other tab writes keys; as long as what it gives lives, none does. A key that is sealed while another tab
/// changes the passphrase would be sealed by the old one, and never open again.
async fn alone() -> Lock {
    Lock::in_turn(WRITING).await
}

/// The origin of an address, which a key is kept for; none while it is no address.
#[must_use]
pub fn origin_of(url: &str) -> Option<String> {
    let url = web_sys::Url::new(url).ok()?;
    let origin = url.origin();
    (origin != "null").then_some(origin)
}
