### The words around the choice of a model, the rooms of the settings, and themes.

# The chosen model cannot be reached.
# $model - its name
model-out-of-reach = No network: { $model } can’t be reached.
# The same for a person's own model.
own-model-out-of-reach = No network: your own model can’t be reached.
# The rooms of the settings.
section-model = Model
# The room of the models for what is simple.
section-roles = Other models
section-answers = Answers
section-approvals = Approvals
section-senses = Voice and pictures
section-privacy = Privacy
section-spending = Spending
section-data = Your data
section-files = Export and import
section-copies = Saved copies
section-servers = Tool servers
section-programs = Other programs
section-app = Theme and app
# What is known of a model's price.
price-free = costs nothing
price-unknown = price not known
# The person said it.
# $sent - an amount of money
# $answered - an amount of money
price-own = { $sent } sent, { $answered } answered, per million tokens, as you said
# It is in the app's list.
# $sent - an amount of money
# $answered - an amount of money
# $day - when the list was made
price-listed = { $sent } sent, { $answered } answered, per million tokens, read on { $day }
# The model in the header, where the built-in one stands in for another.
name-built-in-for-now = Built in, for now
# The model in the header.
name-built-in = Built in
name-browser = Browser’s model
name-own = Own model
# What a choice of model means.
hint-built-in = Understands plain sentences about your { -many }, at once and without a network.
hint-browser = The model your browser brings along. Small, and without a network once it is there.
hint-gateway = Answers through the server this page came from.
hint-own = Any server that speaks OpenAI’s chat completions: Ollama, llama.cpp, or a provider.
# What leaves the device with a choice of model.
leaves-built-in = Nothing. The model, the tools and your { -many } are all here.
leaves-browser = Nothing that { -app } sends. What you write goes to your browser’s own model; Chrome and Edge run it on this device.
leaves-gateway = What you write in the chat, and the { -many } that answering it needs, go to the model through the server this page came from. Your list itself stays here.
leaves-own = What you write in the chat, and the { -many } that answering it needs, go to the address of your own model. Your list itself stays here.
# The themes.
theme-system = System
theme-light = Light
theme-dark = Dark
