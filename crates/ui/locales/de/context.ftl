own-window = Kontextfenster, in Token
own-window-guess = Geschätzt
ollama-gives = Ollama gibt diesem Modell { $tokens } Token.
ollama-assumed = Bis Ollama sagt, wie viel es diesem Modell gibt, werden { $tokens } Token angenommen: Was länger ist, schneidet es stillschweigend ab. Für mehr starte es mit OLLAMA_CONTEXT_LENGTH=32768.
