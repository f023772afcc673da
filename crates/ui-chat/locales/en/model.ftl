### The words about what is in the way of a model at an address, and what to do about it. Where a message ends in a colon, or says
### “this line” or “below”, a line to copy follows.

# What answers at an address that is nobody's known, at the start of a sentence.
the-server = The server
trouble-no-address = This address is not complete. It begins with https:// or http:// and usually ends in /v1.
trouble-mixed = This page came over https, so the browser lets it reach only https addresses and this very machine. Use an https address, or open this page from the machine the model runs on.
trouble-offline = There is no network, and this address is not on this device.
trouble-policy = This page’s own content policy does not name that address, so the browser stopped the request. Whoever serves this page allows it with this line in satchel.toml (on another host: in its connect-src header), and a restart. Then reload this page.
trouble-cors-ollama = Ollama runs, but does not let this page in (CORS). Start it with this setting:
trouble-cors-lm-studio = LM Studio runs, but does not let this page in. Turn on “Enable CORS” in its server settings, or start it with:
# $name - a provider, or `the-server`
trouble-cors = { $name } is there, but does not let pages of this origin in (CORS). If it is yours, let it answer with the header below, and allow the headers authorization and content-type. If it is not, name it as an upstream in satchel.toml and choose it through the gateway.
# $name - a program for models: Ollama
trouble-not-started = Nothing answers at this address. Is { $name } running? Start it with:
trouble-no-answer = Nothing answers at this address. Check its spelling, that the server is running, and that no firewall is in between. If the browser asked whether this page may reach your network, allow it.
trouble-silent = Something is at this address, but did not answer in 15 seconds. It may be loading: try again.
# $said - what the server said
trouble-key-refused = The key is missing or was refused. { $said }
trouble-not-found = There is a server, but no list of models at this address. The address usually ends in /v1.
trouble-no-models = What answers there is no model server: it sent something else than a list of models. Check the address; it usually ends in /v1.
trouble-no-such-model = It answers, but has no model “{ $model }”. Choose one of its own in the field above.
