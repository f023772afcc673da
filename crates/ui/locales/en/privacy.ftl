### The words around the choice of what a model elsewhere is not told.

hiding = Hide personal details from a model elsewhere
hiding-hint = Mail addresses, phone, card and account numbers are replaced before anything is sent, and put back in the answer and in what the tools do. Names and places are not found. Nothing is hidden from a model on this device.
