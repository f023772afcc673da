//! The prices that are known, in one table.
//!
//! A price is looked up by the model's name, so the same name at a dearer reseller counts as listed; a person can enter a price
//! of their own for any model. Where a price depends on the time of day, the dearer one is listed; where no price for cached
//! input was found, it is listed as dear as any other input.

use super::Price;

/// When the pages were read: `2026-11-23`.
pub const PRICES_READ_ON: &str = "2026-11-23";

/// One line of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PriceRow {
    /// The model's name at its provider. A vendor before it (`openai/`), a date or `latest` behind it are the same model.
    pub model: &'static str,
    /// What it costs.
    pub price: Price,
    /// Requests of more tokens than this are priced differently: by another row of the same name. None for every request.
    pub above_tokens: Option<u64>,
    /// The page that says so.
    pub source: &'static str,
}

/// Cents are too coarse: prices are in thousandths of a US dollar per million tokens.
const fn row(model: &'static str, input: u64, cached: u64, output: u64, source: &'static str) -> PriceRow {
    let price = Price { input: input * 1_000, cached: cached * 1_000, output: output * 1_000 };
    PriceRow { model, price, above_tokens: None, source }
}

const fn above(tokens: u64, row: PriceRow) -> PriceRow {
    PriceRow { above_tokens: Some(tokens), ..row }
}

const ANTHROPIC: &str = "https://platform.claude.com/docs/en/about-claude/pricing";
/// A price list that says it copies the page above, and when.
const ANTHROPIC_COPIED: &str = "https://docs.rs/synaps/0.10.2/synaps_cli/pricing/index.html";
const OPENAI: &str =
    "https://developers.openai.com/api/docs/pricing, by https://github.com/api-evangelist/openai";
const OPENAI_COPIED: &str = "https://docs.apiyi.com/models/index.md";
const OPENAI_EARLIER: &str = "https://openai.com/api/pricing, by the pypi package defog 1.4.11";
const GEMINI_LITE: &str = "https://github.com/simstudioai/sim/pull/5812";
const DEEPSEEK: &str = "https://api-docs.deepseek.com/quick_start/pricing (peak hours)";
const MISTRAL: &str = "https://docs.mistral.ai/models/model-cards/mistral-medium-3-5-26-04";
const GROQ: &str = "https://docs.rs/crate/aicost/0.2.4 (data_groq.rs)";

/// All of them.
pub const PRICES: &[PriceRow] = &[
    row("claude-opus-5.5", 4_000, 200, 20_000, ANTHROPIC_COPIED),
    row("claude-opus-5", 5_000, 500, 25_000, ANTHROPIC),
    row("claude-opus-4.8", 5_000, 500, 25_000, ANTHROPIC),
    row("claude-opus-4.7", 5_000, 500, 25_000, ANTHROPIC),
    row("claude-opus-4.6", 5_000, 500, 25_000, ANTHROPIC),
    row("claude-opus-4.5", 5_000, 500, 25_000, ANTHROPIC),
    row("claude-opus-4.1", 15_000, 1_500, 75_000, ANTHROPIC),
    row("claude-opus-4", 15_000, 1_500, 75_000, ANTHROPIC),
    row("claude-sonnet-5.5", 2_000, 100, 10_000, ANTHROPIC_COPIED),
    row("claude-sonnet-5", 2_000, 200, 10_000, ANTHROPIC_COPIED),
    row("claude-sonnet-4.6", 3_000, 300, 15_000, ANTHROPIC),
    row("claude-sonnet-4.5", 3_000, 300, 15_000, ANTHROPIC),
    row("claude-haiku-5.5", 100, 10, 500, ANTHROPIC_COPIED),
    above(100_000, row("claude-haiku-5.5", 500, 50, 2_500, ANTHROPIC_COPIED)),
    row("claude-haiku-4.5", 1_000, 100, 5_000, ANTHROPIC),
    row("claude-3.5-haiku", 800, 80, 4_000, ANTHROPIC),
    row("gpt-5.6-sol", 4_000, 400, 20_000, OPENAI_COPIED),
    row("gpt-5.6-terra", 2_000, 200, 12_000, OPENAI_COPIED),
    row("gpt-5.6-luna", 200, 20, 1_200, OPENAI_COPIED),
    row("gpt-5.5-pro", 30_000, 30_000, 180_000, OPENAI),
    row("gpt-5.5", 5_000, 500, 30_000, OPENAI),
    row("gpt-5.4-mini", 750, 75, 4_500, OPENAI),
    row("gpt-5.4-nano", 200, 20, 1_250, OPENAI),
    row("gpt-5.4", 2_500, 250, 15_000, OPENAI),
    row("gpt-5", 1_250, 125, 10_000, OPENAI_EARLIER),
    row("gpt-5-mini", 250, 25, 2_000, OPENAI_EARLIER),
    row("gpt-5-nano", 50, 5, 400, OPENAI_EARLIER),
    row("gpt-4.1", 2_000, 500, 8_000, OPENAI_EARLIER),
    row("gpt-4.1-mini", 400, 100, 1_600, OPENAI_EARLIER),
    row("gpt-4.1-nano", 100, 25, 400, OPENAI_EARLIER),
    row("gpt-4o", 2_500, 1_250, 10_000, OPENAI_EARLIER),
    row("gpt-4o-mini", 150, 75, 600, OPENAI_EARLIER),
    row("o4-mini", 1_100, 275, 4_400, OPENAI_EARLIER),
    row("o3-mini", 1_100, 550, 4_400, OPENAI_EARLIER),
    row("gemini-3.5-flash-lite", 300, 30, 2_500, GEMINI_LITE),
    row("deepseek-flash", 300, 6, 1_200, DEEPSEEK),
    row("deepseek-v4-flash", 300, 6, 1_200, DEEPSEEK),
    row("deepseek-v4-pro", 1_320, 44, 3_960, DEEPSEEK),
    row("mistral-medium-3.5", 1_500, 1_500, 7_500, MISTRAL),
    row("llama-3.3-70b-versatile", 590, 590, 790, GROQ),
    row("llama-3.1-8b-instant", 50, 50, 80, GROQ),
];

/// What a request of so many tokens costs at the model of this name; none where the table does not know it.
#[must_use]
pub fn listed_price(model: &str, input_tokens: u64) -> Option<PriceRow> {
    let name = model.rsplit('/').next().unwrap_or(model).to_ascii_lowercase().replace('.', "-");
    let is_of = |row: &&PriceRow| {
        name.strip_prefix(&row.model.replace('.', "-")).is_some_and(is_version)
            && row.above_tokens.is_none_or(|tokens| input_tokens > tokens)
    };
    // The dearest row that applies: the one for long requests, where there is one.
    PRICES.iter().filter(is_of).max_by_key(|row| (row.model.len(), row.above_tokens)).copied()
}

/// Whether what follows a name only says which edition of the model it is: nothing, a date, `latest`.
fn is_version(rest: &str) -> bool {
    let Some(edition) = rest.strip_prefix(['-', '@']) else { return rest.is_empty() };
    let digits = edition.chars().filter(char::is_ascii_digit).count();
    let is_date = edition.chars().all(|c| c.is_ascii_digit() || c == '-') && matches!(digits, 4 | 6 | 8);
    is_date || edition == "latest"
}
