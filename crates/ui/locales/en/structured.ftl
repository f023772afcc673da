### The words for how a model is given its tools.

tools-use-word = Tool calling
tools-again = Try the model’s own tool calling again
# The ways to give a model its tools.
tools-automatic = Automatic
tools-native = The model’s own
tools-json = Described in the prompt
# What they mean.
tools-automatic-hint = The model’s own where the server offers it; otherwise the tools are described in the prompt.
# What automatic came to.
tools-described-hint = The server takes no tools for this model, so they are described in the prompt.
tools-native-hint = Always the model’s own. A model without it answers with an error.
tools-json-hint = Tools are always described in the prompt, and calls are answered as JSON. Slower, but any model can follow it.
# A sentence behind such a hint: how a model is held to JSON.
answers-by-schema = The server holds its answers to a schema.
answers-by-object = The server holds its answers to JSON.
answers-by-prompt = The prompt alone asks for JSON.
