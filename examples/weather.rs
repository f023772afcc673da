//! An assistant of your own, with a tool of your own, and any model: `SATCHEL_MODEL=… OPENAI_BASE_URL=… cargo run -p
//! satchel-terminal --example weather`. It is asked three things, the last one about the first two.

use agent::{AgentConfig, AgentState, Driver};
use async_trait::async_trait;
use mcp::{Hints, Registry, Tool, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use terminal::{Remote, Tools, ports};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Place {
    /// The name of the city, in English
    city: String,
}

#[derive(Serialize, JsonSchema)]
struct Weather {
    celsius: i32,
    sky: &'static str,
}

struct LookOutside;

#[async_trait(?Send)]
impl Tool<()> for LookOutside {
    const NAME: &'static str = "weather";
    const TITLE: &'static str = "Weather";
    const DESCRIPTION: &'static str = "The weather in a city, now.";
    const HINTS: Hints = Hints::READ;
    type Args = Place;
    type Output = Weather;

    async fn run(&self, Place { city }: Place, _: &mut ()) -> Result<Weather, ToolError> {
        match city.as_str() {
            "Paris" => Ok(Weather { celsius: 14, sky: "clear" }),
            "London" => Ok(Weather { celsius: 11, sky: "rain" }),
            _ => Err(ToolError::Rejected(format!("No station in {city}: there are Paris and London."))),
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tools = Tools::new(Registry::new().with(LookOutside), ());
    let (mut driver, _) = Driver::new(ports(Remote::from_environment()?, tools));
    let mut state = AgentState::new("weather", AgentConfig::new("You tell the weather, in a sentence."), []);
    for question in ["What is the weather in Paris?", "And in London?", "Which of them is warmer?"] {
        state = driver.run_turn(state, question).await;
        println!("{question}\n  {}", state.answer().unwrap_or("(no answer)"));
    }
    Ok(())
}
