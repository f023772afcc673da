//! A connection whose other side has to read. One that does not would hold its place, and what is kept for it, for ever.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

/// A stream that fails to write where its other side reads too little of what waits for it: nothing for a while, or over a longer time
/// less than a slow line carries. So the whole of an answer, and each event of a stream, has a time that follows from its size.
pub(crate) struct WithDeadline<S> {
    stream: S,
    patience: Duration,
    /// Bytes a second.
    least_read: u32,
    /// Since it could not be written to and as long as something waits.
    waits: Option<Waits>,
}

/// When the other side is behind too far. What it reads puts that off, never by more than the patience from now: who has read fast may
/// not stand still for longer.
struct Waits {
    ends: Instant,
    sleep: Pin<Box<Sleep>>,
}

impl<S> WithDeadline<S> {
    /// A stream whose other side may be behind for so long, and reads so many bytes a second.
    pub(crate) fn new(stream: S, patience: Duration, least_read: u32) -> Self {
        Self { stream, patience, least_read: least_read.max(1), waits: None }
    }

    fn in_time(
        &mut self,
        context: &mut Context<'_>,
        done: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        let now = Instant::now();
        if let Poll::Ready(written) = &done {
            if let (Ok(bytes), Some(waits)) = (written, &mut self.waits) {
                let worth = Duration::from_secs(*bytes as u64) / self.least_read;
                let latest = now + self.patience;
                waits.ends = waits.ends.checked_add(worth).map_or(latest, |ends| ends.min(latest));
            }
            return done;
        }
        let ends = now + self.patience;
        let waits = self.waits.get_or_insert_with(|| Waits { ends, sleep: Box::pin(sleep_until(ends)) });
        if waits.sleep.deadline() != waits.ends {
            waits.sleep.as_mut().reset(waits.ends);
        }
        ready!(waits.sleep.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }

    /// Everything there was is written: whoever waits now is us.
    fn is_out<T>(&mut self, context: &mut Context<'_>, done: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        match done {
            Poll::Ready(done) => {
                self.waits = None;
                Poll::Ready(done)
            }
            Poll::Pending => {
                ready!(self.in_time(context, Poll::Pending))?;
                Poll::Pending
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WithDeadline<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WithDeadline<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.in_time(context, done)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.in_time(context, done)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let done = Pin::new(&mut self.stream).poll_flush(context);
        self.is_out(context, done)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let done = Pin::new(&mut self.stream).poll_shutdown(context);
        self.is_out(context, done)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};
    use tokio::time::sleep;

    use super::*;

    const PATIENCE: Duration = Duration::from_millis(300);

    /// Bytes a second.
    const LEAST: u32 = 1_000;

    /// A writer with a deadline, and the other side, which has room for so little that most of what is written waits for it.
    fn pair(patience: Duration) -> (WithDeadline<DuplexStream>, DuplexStream) {
        let (ours, theirs) = duplex(100);
        (WithDeadline::new(ours, patience, LEAST), theirs)
    }

    async fn write(stream: &mut WithDeadline<DuplexStream>, bytes: usize) -> io::Result<()> {
        stream.write_all(&vec![b'x'; bytes]).await?;
        stream.flush().await
    }

    /// Reads so many bytes, again and again with a pause between, until there is no more.
    async fn read(mut stream: DuplexStream, bytes: usize, pause: Duration) -> usize {
        let (mut piece, mut all) = (vec![0; bytes], 0);
        loop {
            sleep(pause).await;
            match stream.read(&mut piece).await {
                Ok(0) | Err(_) => return all,
                Ok(read) => all += read,
            }
        }
    }

    /// Who reads a little just before each time runs out would hold the place for ever.
    #[tokio::test]
    async fn a_few_bytes_now_and_then_are_not_reading() {
        let (mut stream, theirs) = pair(PATIENCE);
        let reading = tokio::spawn(read(theirs, 2, PATIENCE / 4));
        let began = Instant::now();
        let written = write(&mut stream, 1_000_000).await;
        assert_eq!(written.map_err(|error| error.kind()), Err(io::ErrorKind::TimedOut));
        // What it reads in that time is worth far less.
        assert!(began.elapsed() < 20 * PATIENCE, "{:?}", began.elapsed());
        drop(stream);
        assert!(reading.await.unwrap() > 0);
    }

    /// Who has read fast is not given time for it.
    #[tokio::test]
    async fn who_stands_still_is_cut_off_however_much_was_read_before() {
        let (mut stream, mut theirs) = pair(PATIENCE);
        let writing = tokio::spawn(async move {
            let done = write(&mut stream, 1_000_000).await;
            (done, Instant::now())
        });
        // Worth 500 s at the least rate.
        theirs.read_exact(&mut vec![0; 500_000]).await.unwrap();
        let stood_still = Instant::now();
        let (done, at) = writing.await.unwrap();
        assert_eq!(done.map_err(|error| error.kind()), Err(io::ErrorKind::TimedOut));
        assert!(at - stood_still < 20 * PATIENCE, "{:?}", at - stood_still);
    }

    /// An answer and an event may take as long as their size does at the least rate; between events no time runs.
    #[tokio::test]
    async fn a_slow_line_and_a_quiet_stream_are_not_cut_off() {
        let patience = Duration::from_secs(1);
        let (mut stream, theirs) = pair(patience);
        // Some ten times the least rate, and more than the patience for each event.
        let reading = tokio::spawn(read(theirs, 100, Duration::from_millis(5)));
        for _ in 0..2 {
            let began = Instant::now();
            write(&mut stream, 25_000).await.unwrap();
            assert!(began.elapsed() > patience, "{:?}", began.elapsed());
            sleep(patience + PATIENCE).await;
        }
        drop(stream);
        assert_eq!(reading.await.unwrap(), 50_000);
    }
}
