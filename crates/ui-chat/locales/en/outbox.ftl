### The words around messages that wait for the network.

outbox = Messages that wait
answer-built-in = Built-in answers
wait-for-network = Wait for it
waits = Waits for the network
answer-now = Answer now
waits-elsewhere = A message waits in another conversation.
open-it = Open it
