//! The first screen: it is painted before the program has come, looks as the app does, and what is typed into it is not lost.

use e2e::{App, Chromium, Tab};
use serde_json::{Value, json};

/// A phone, and the three arrangements of a wide page.
const SIZES: [(u32, u32); 4] = [(390, 844), (700, 900), (1000, 800), (1400, 900)];

/// How far anything may move when the app takes over, in CSS pixels.
const MOST_PX: f64 = 0.5;

/// What both screens have, by a name each.
const THINGS: [&str; 18] = [
    ".skip", ".top", ".title", ".brand-name", ".menu-button", ".top-buttons .icon-button", ".rail-title",
    ".rail-hint", ".open-file button", ".welcome .brand-mark", ".welcome h2", ".welcome > p", ".chip",
    ".composer", "#message", ".send", ".quick-line > *", ".tab",
];

/// Every move on the page that nobody asked for, as the browser counts them, with what moved.
const SHIFTS: &str = r##"return new Promise(done => {
    const rect = ({x, y, width, height}) => [x, y, width, height].map(Math.round);
    new PerformanceObserver(list => done(list.getEntries().map(({value, startTime, sources}) => ({value, startTime,
        sources: sources.map(one => ({what: one.node?.className ?? one.node?.nodeName ?? null, from: rect(one.previousRect), to: rect(one.currentRect)}))}))))
        .observe({type: "layout-shift", buffered: true});
    setTimeout(() => done([]), 500);
})"##;

/// A tab whose program does not come before [`let_go`], with the first screen in it.
async fn held(browser: &Chromium, app: &App, (width, height): (u32, u32), theme: &str) -> Tab {
    let tab = browser.blank().await;
    let device = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
    tab.session.send("Emulation.setDeviceMetricsOverride", device).await;
    let media = json!({"features": [{"name": "prefers-color-scheme", "value": theme}]});
    tab.session.send("Emulation.setEmulatedMedia", media).await;
    tab.session.send("Fetch.enable", json!({"patterns": [{"urlPattern": "*/ui-*_bg.wasm"}]})).await;
    tab.session.send("Page.navigate", json!({"url": app.url()})).await;
    is_painted(&tab).await;
    tab
}

async fn is_painted(tab: &Tab) {
    tab.until(
        "the first screen is painted",
        r##"return !!document.querySelector("#shell #message") && performance.getEntriesByName("first-contentful-paint").length > 0"##,
    )
    .await;
}

/// Lets the program come, and waits until the app has taken over.
async fn let_go(tab: &Tab) {
    tab.session.send("Fetch.disable", json!({})).await;
    takes_over(tab).await;
}

async fn takes_over(tab: &Tab) {
    tab.until(
        "the app has taken over",
        r##"return !document.querySelector("#shell") && !!document.querySelector('[data-testid="composer"]')"##,
    )
    .await;
}

/// Where everything is, how it looks and what it says, below `root`.
async fn things(tab: &Tab, root: &str) -> Vec<Value> {
    let script = format!(
        r##"const root = document.querySelector({root});
           return {THINGS:?}.flatMap(name => [...root.querySelectorAll(name)].filter(e => e.checkVisibility()).map(e => {{
               const {{x, y, width, height}} = e.getBoundingClientRect();
               const style = getComputedStyle(e);
               // The rest of its line is for the status, which says something else.
               const box = name === ".title" ? [x, y, height] : [x, y, width, height];
               const words = name === ".top" ? "" : e.textContent.trim();
               const look = ["fontFamily", "fontSize", "fontWeight", "color", "backgroundColor"].map(of => style[of]);
               return {{name, box, look, says: [words, e.placeholder ?? "", e.ariaLabel ?? ""]}};
           }}))"##,
        root = json!(root),
    );
    serde_json::from_value(tab.eval(&script).await).unwrap()
}

#[tokio::test]
async fn the_first_screen_is_the_apps_own_before_any_program_has_come() {
    let app = App::start();
    for theme in ["light", "dark"] {
        for size in SIZES {
            let browser = Chromium::start().await;
            let tab = held(&browser, &app, size, theme).await;
            let shell = things(&tab, "#shell").await;
            assert!(shell.iter().any(|thing| thing["name"] == ".welcome h2"), "{shell:?}");
            assert!(shell.iter().any(|thing| thing["name"] == "#message"), "{shell:?}");
            let said =
                tab.eval(r##"return document.querySelector("#shell [role=status]").textContent"##).await;
            assert_eq!(said, "Opening Satchel…");
            let_go(&tab).await;
            // At once, and still so when everything has come.
            for ready in [false, true] {
                if ready {
                    tab.ready().await;
                    tab.idle().await;
                }
                let drawn = things(&tab, "body").await;
                assert_eq!(drawn.len(), shell.len(), "{theme}, {size:?}: {shell:#?}\n{drawn:#?}");
                for (before, after) in shell.iter().zip(&drawn) {
                    let number = |thing: &Value, at: usize| thing["box"][at].as_f64().unwrap_or_default();
                    let moved =
                        (0..4).map(|at| (number(before, at) - number(after, at)).abs()).fold(0.0, f64::max);
                    assert!(moved <= MOST_PX, "{theme}, {size:?}: {before} became {after}");
                    let rest =
                        |thing: &Value| (thing["name"].clone(), thing["look"].clone(), thing["says"].clone());
                    assert_eq!(rest(before), rest(after), "{theme}, {size:?}");
                }
            }
            let shifts = tab.eval(SHIFTS).await;
            let sum = |shifts: &Value| {
                shifts.as_array().map(|all| all.iter().filter_map(|one| one["value"].as_f64()).sum::<f64>())
            };
            assert!(sum(&shifts).is_some_and(|sum| sum < 0.01), "{theme}, {size:?}: moved: {shifts:#}");
            let landmarks = r##"return ["main", "header.top", "#message", ".skip", "h1"].map(of => [...document.querySelectorAll(of)].filter(e => e.checkVisibility()).length)"##;
            assert_eq!(tab.eval(landmarks).await, json!([1, 1, 1, 1, 1]));
            tab.console_is_clean(&[]);
        }
    }
}

#[tokio::test]
async fn what_is_typed_before_the_program_has_come_goes_on_in_the_app() {
    let (app, browser) = (App::start(), Chromium::start().await);
    let tab = held(&browser, &app, SIZES[3], "light").await;
    // The skip link leads to the field, as it does later.
    tab.eval(r##"document.querySelector("#shell .skip").click()"##).await;
    assert_eq!(tab.eval("return document.activeElement.id").await, "message");
    tab.session.send("Input.insertText", json!({"text": "Add buy milk"})).await;
    tab.eval("document.activeElement.setSelectionRange(8, 8)").await;
    let_go(&tab).await;
    let field = r##"const field = document.activeElement;
        return [field.dataset.testid, field.value, field.selectionStart, field.selectionEnd]"##;
    assert_eq!(tab.eval(field).await, json!(["composer", "Add buy milk", 8, 8]));
    // At once: whoever types does not wait until it is known which tab leads the conversation.
    tab.session.send("Input.insertText", json!({"text": "oat "})).await;
    tab.enter().await;
    tab.until(
        "it is said",
        r##"return document.querySelector('[data-testid="message"][data-role="user"]')?.textContent === "Add buy oat milk""##,
    )
    .await;
    tab.ready().await;
    tab.until("it is done", r##"return document.querySelector('[data-testid="todo-list"]').textContent.includes("Buy oat milk")"##)
        .await;
    assert_eq!(tab.eval(r##"return document.querySelector("#message").value"##).await, "");
    tab.console_is_clean(&[]);
}

#[tokio::test]
async fn enter_before_the_program_has_come_sends_nothing_and_that_is_said() {
    let (app, browser) = (App::start(), Chromium::start().await);
    let tab = held(&browser, &app, SIZES[0], "dark").await;
    tab.eval(r##"document.querySelector("#message").focus()"##).await;
    tab.session.send("Input.insertText", json!({"text": "Add buy milk"})).await;
    tab.enter().await;
    let_go(&tab).await;
    tab.ready().await;
    tab.idle().await;
    let says = r##"return [document.querySelector("#message").value, document.querySelector('[data-testid="ready-to-send"]')?.textContent ?? null]"##;
    assert_eq!(
        tab.eval(says).await,
        json!(["Add buy milk", "Satchel is open now. What you wrote was not sent yet."])
    );
    assert_eq!(tab.eval(r##"return document.querySelectorAll('[data-testid="message"]').length"##).await, 0);
    tab.enter().await;
    tab.until(
        "it is said",
        r##"return !!document.querySelector('[data-testid="message"][data-role="user"]')"##,
    )
    .await;
    assert_eq!(tab.eval(says).await, json!(["", null]));
    tab.console_is_clean(&[]);
}

#[tokio::test]
async fn the_next_first_screen_has_the_persons_theme_and_no_welcome_over_a_conversation() {
    let (app, browser) = (App::start(), Chromium::start().await);
    let tab = browser.blank().await;
    // The system asks for the other theme.
    tab.session
        .send(
            "Emulation.setEmulatedMedia",
            json!({"features": [{"name": "prefers-color-scheme", "value": "light"}]}),
        )
        .await;
    tab.goto(&app.url()).await;
    tab.ready().await;
    tab.eval(
        r##"localStorage.setItem("satchel.settings", JSON.stringify({theme: "dark"})); location.reload()"##,
    )
    .await;
    tab.ready().await;
    tab.say("Add buy milk").await;
    tab.idle().await;
    tab.until(
        "the kept page says so",
        r##"const kept = await caches.match(new URL("./", location.href).href, {ignoreVary: true});
           return (await kept.text()).includes('<html lang="en" data-theme="dark" data-goes-on>')"##,
    )
    .await;
    // The page is the worker's by now: what is held back is the program's start.
    tab.prepare(
        r##"const real = WebAssembly.instantiateStreaming;
           WebAssembly.instantiateStreaming = (...from) => new Promise(go => { globalThis.letGo = () => go(real(...from)); });"##,
    )
    .await;
    tab.eval("window.before = true").await;
    tab.session.send("Page.reload", json!({})).await;
    tab.until("the page is a new one", "return !window.before").await;
    is_painted(&tab).await;
    let looks = r##"const paper = getComputedStyle(document.documentElement).backgroundColor;
        return [paper, !!document.querySelector("#shell .welcome")?.checkVisibility(), document.querySelector("#shell #message")?.checkVisibility() ?? null]"##;
    assert_eq!(tab.eval(looks).await, json!(["rgb(26, 21, 18)", false, true]));
    tab.until("the program has come", "return !!globalThis.letGo").await;
    tab.eval("letGo()").await;
    takes_over(&tab).await;
    tab.until("the conversation goes on", r##"return !!document.querySelector('[data-testid="message"]')"##)
        .await;
    tab.console_is_clean(&[]);
}
