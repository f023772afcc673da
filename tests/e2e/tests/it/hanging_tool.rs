//! A tool that never comes back, wherever it is run: an endless loop in the server's own thread. It holds up neither the
//! page nor the person, however often a model asks for it, and a run that the page itself froze in is no prison (T5).

use std::time::{Duration, Instant};

use e2e::{App, Build, Chromium, Tab, exactly_once};

/// How long a person may wait until the app does what they ask for.
const DEADLINE: Duration = Duration::from_secs(15);

/// How long the same may take right after the page was loaded again: less than it takes to find out that a worker hangs.
const AT_ONCE: Duration = Duration::from_secs(8);

/// What makes a call hang: the tools' module loops for ever when the next call is run after it has read these words.
const HANGS: &str = "hängt für immer";

/// The app, with a server that hangs in a call that says so, in the worker and in a page alike.
fn app_that_hangs() -> (Build, App) {
    let mut build = Build::new();
    let loops = format!(
        r#"
{{
    let isArmed = false;
    const encode = cachedTextEncoder.encodeInto;
    cachedTextEncoder.encodeInto = function (text, view) {{
        isArmed ||= text.includes("ängt für immer");
        return encode.call(this, text, view);
    }};
    const now = Date.now;
    Date.now = () => {{ while (isArmed); return now(); }}; // {HANGS}
}}
"#
    );
    build.add_to("service-worker.js", &loops);
    let app = App::start_serving(build.folder());
    (build, app)
}

/// The page does what is asked of it by hand, and says so.
async fn adds(tab: &Tab, title: &str, count: u64) {
    tab.add(title).await;
    tab.shows(count).await;
}

#[tokio::test]
async fn a_tool_that_hangs_leaves_the_app_usable_twice_in_a_row_and_after_a_reload() {
    let (_build, app) = app_that_hangs();
    let browser = Chromium::start().await;
    let tab = browser.tab(&app.url()).await;
    tab.ready().await;
    adds(&tab, "before", 1).await;
    let mut asked = vec!["before".to_owned()];

    for round in 1..=2_u64 {
        let started = Instant::now();
        tab.say(&format!("Add it {HANGS} {round}")).await;
        // Long enough for the call to be under way; the page goes on all the time.
        tokio::time::sleep(Duration::from_secs(1)).await;
        let title = format!("by hand {round}");
        adds(&tab, &title, asked.len() as u64 + 1).await;
        asked.push(title);
        let took = started.elapsed();
        println!("round {round}: added by hand {took:?} after the tool was called");
        assert!(took < DEADLINE, "round {round}: usable after {took:?}");
        // It hung when it was tried out, so nobody knows how much it would change; nor is it done when the person says so.
        tab.approvals().approve().click().await;
        tab.idle().await;
        tab.chat().call().last().is("status", "failed").await;
    }

    // The worker hangs yet, and the next page does not wait for it.
    let started = Instant::now();
    tab.eval("window.before = true; location.reload()").await;
    tab.until("the page is a new one", "return window.before !== true").await;
    tab.shows(asked.len() as u64).await;
    adds(&tab, "after a reload", asked.len() as u64 + 1).await;
    asked.push("after a reload".to_owned());
    println!("  usable {:?} after it was loaded again", started.elapsed());
    assert!(started.elapsed() < AT_ONCE, "usable {:?} after a reload", started.elapsed());

    tab.stop_workers().await;
    tab.ready().await;
    adds(&tab, "with a worker", asked.len() as u64 + 1).await;
    asked.push("with a worker".to_owned());
    exactly_once("a hanging tool", &asked, &asked, &tab.titles().await);
    tab.console_is_clean(&[]);
}

/// The page is loaded again while nobody knows yet that the worker hangs: the run is resumed, and its call is not made in the
/// page.
#[tokio::test]
async fn a_reload_in_the_middle_of_a_hanging_call_does_not_freeze_the_next_page() {
    let (_build, app) = app_that_hangs();
    let browser = Chromium::start().await;
    let tab = browser.tab(&app.url()).await;
    tab.ready().await;
    adds(&tab, "before", 1).await;
    tab.say(&format!("Add it {HANGS}")).await;
    tab.chat().call().whose("status", "running").shown().await;
    tokio::time::sleep(Duration::from_secs(1)).await;
    let started = Instant::now();
    tab.eval("window.before = true; location.reload()").await;
    tab.until("the page is a new one", "return window.before !== true").await;
    tab.shows(1).await;
    adds(&tab, "after a reload", 2).await;
    println!("usable {:?} after it was loaded again in the middle", started.elapsed());
    assert!(started.elapsed() < DEADLINE, "usable after {:?}", started.elapsed());
    tab.approvals().approve().click().await;
    tab.idle().await;
    tab.chat().call().last().is("status", "failed").await;

    tab.stop_workers().await;
    tab.ready().await;
    let asked = ["before", "after a reload"].map(str::to_owned);
    exactly_once("loaded again in the middle", &asked, &asked, &tab.titles().await);
    tab.console_is_clean(&[]);
}

/// Where there is no worker the page runs the tools itself, and freezes with them. The third page does not resume the run.
#[tokio::test]
async fn a_run_that_froze_two_pages_is_broken_off_by_the_third() {
    let (_build, app) = app_that_hangs();
    let browser = Chromium::start().await;
    let without_workers = || async {
        let tab = browser.blank().await;
        tab.prepare("delete Navigator.prototype.serviceWorker").await;
        tab.goto(&app.url()).await;
        tab
    };
    let tab = without_workers().await;
    adds(&tab, "before", 1).await;
    tab.say(&format!("Add it {HANGS}")).await;
    froze(&tab).await;
    // The second page finds it and goes on with it, as it does with every run.
    let tab = without_workers().await;
    froze(&tab).await;

    let tab = without_workers().await;
    tab.chat().error().says("broken off").await;
    tab.idle().await;
    tab.chat().retry().shown().await;
    adds(&tab, "by hand", 2).await;
    tab.chat().leave_it().click().await;
    tab.chat().leave_it().gone().await;
    tab.chat().error().gone().await;
    tab.say("Add by the model").await;
    tab.shows(3).await;
    println!("after the third start: {:?}", tab.workspace().title().texts().await);
    tab.console_is_clean(&[]);
}

/// Waits until the page has stood still for longer than any page in order does, and ends its process, as a person does with a
/// page that does not respond.
async fn froze(tab: &Tab) {
    // As long as the page lives it answers.
    let started = Instant::now();
    loop {
        let answers = tokio::time::timeout(Duration::from_secs(2), tab.session.try_eval("return true")).await;
        if answers.is_err() {
            break;
        }
        assert!(started.elapsed() < Duration::from_secs(30), "the page freezes");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    tokio::time::sleep(Duration::from_secs(4)).await;
    tab.crash().await;
}
