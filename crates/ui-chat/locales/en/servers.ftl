### The words around a call of a tool elsewhere: what goes there, and what came back.

server-traffic = What it was called with, and what came of it
server-sent = Called with:
server-answered = What came of it:
server-goes-out = What it is called with leaves this device. { -app } cannot take it back.
