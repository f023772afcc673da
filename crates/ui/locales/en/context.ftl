### The words around the choice of a model's window.

own-window = Context window, in tokens
own-window-guess = Estimated
# How much an Ollama gives its model, as it said.
# $tokens (Number)
ollama-gives = Ollama gives this model { $tokens } tokens.
# The same, where it did not say.
# $tokens (Number)
ollama-assumed = Until Ollama says how much it gives this model, { $tokens } tokens are assumed: what is longer it cuts without a word. Start it with OLLAMA_CONTEXT_LENGTH=32768 for more.
