//! A connection between two programs that a test can cut, hold up and mend.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;
use std::time::Duration;

const WHOLE: u8 = 0;
const HELD: u8 = 1;
const CUT: u8 = 2;
const OVER: u8 = 3;

/// How often it is looked at whether a connection is still to be.
const LOOK: Duration = Duration::from_millis(20);

/// A port in front of another one; gone when dropped.
pub struct Link {
    port: u16,
    state: Arc<AtomicU8>,
}

impl Link {
    /// A port that leads to another one of this machine.
    #[must_use]
    pub fn to(target: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        let state = Arc::new(AtomicU8::new(WHOLE));
        let is = Arc::clone(&state);
        thread::spawn(move || {
            while is.load(Ordering::Relaxed) != OVER {
                match listener.accept() {
                    Ok((from, _)) if is.load(Ordering::Relaxed) < CUT => carry(from, target, &is),
                    Ok((from, _)) => drop(from.shutdown(Shutdown::Both)),
                    Err(_) => thread::sleep(LOOK),
                }
            }
        });
        Self { port, state }
    }

    /// The port.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Ends what goes through it; no more gets through.
    pub fn cut(&self) {
        self.state.store(CUT, Ordering::Relaxed);
    }

    /// Keeps back what goes through it.
    pub fn hold(&self) {
        self.state.store(HELD, Ordering::Relaxed);
    }

    /// Lets everything through again, what was held back first.
    pub fn mend(&self) {
        self.state.store(WHOLE, Ordering::Relaxed);
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.state.store(OVER, Ordering::Relaxed);
    }
}

fn carry(from: TcpStream, target: u16, is: &Arc<AtomicU8>) {
    let Ok(to) = TcpStream::connect(("127.0.0.1", target)) else { return };
    for (from, to) in [(&from, &to), (&to, &from)] {
        let (mut from, mut to, is) = (from.try_clone().unwrap(), to.try_clone().unwrap(), Arc::clone(is));
        // Taken over from a listener that does not wait, on some systems.
        from.set_nonblocking(false).unwrap();
        from.set_read_timeout(Some(LOOK)).unwrap();
        thread::spawn(move || {
            let mut bytes = [0; 16 * 1024];
            while is.load(Ordering::Relaxed) < CUT {
                let read = match from.read(&mut bytes) {
                    Ok(0) => break,
                    Ok(read) => read,
                    Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                        continue;
                    }
                    Err(_) => break,
                };
                while is.load(Ordering::Relaxed) == HELD {
                    thread::sleep(LOOK);
                }
                if is.load(Ordering::Relaxed) >= CUT || to.write_all(&bytes[..read]).is_err() {
                    break;
                }
            }
            drop(from.shutdown(Shutdown::Both));
            drop(to.shutdown(Shutdown::Both));
        });
    }
}
