### The words of the page around the conversation.

# A link names a conversation that is none of this device.
not-on-this-device = That conversation is not on this device.
skip = Skip to the message field
views = Views
chat = Chat
model = Model
who-answers = Who answers
built-in = Built in – works offline
own-model = My own endpoint…
own-url = Address (OpenAI-compatible, up to /v1)
own-key = Key, if it needs one
theme = Theme
privacy = What leaves this device
online = Online
offline = Offline
stands-in = The chosen model can’t be reached without a network, so the built-in one answers.
no-workers = This window allows no service worker, so the tools run in the page itself.
worker-not-taken = The browser did not take the service worker, so the tools run in the page itself.
worker-not-in-time = The service worker is still starting, so the tools run in the page itself for now.
worker-silent = The service worker does not answer, so the tools run in the page itself until it does.
update = Use it
no-model-answer = Model not reached
relay-on = Connected to other programs
relay-on-short = Connected
reload-needed = { -app } was updated. Reload this page to go on; everything is kept.
update-ready = A newer version of { -app } is ready.
# The built-in model, run by the gateway, in the menu of models.
built-in-at-gateway = Built in – run by this page’s server
# A model of the gateway in the menu.
model-through = { $name } – through { $upstream }
# What servers get of the person's.
servers-get-calls = What the tools of { $names } are called with goes to them.
# Where the tools run, in the header.
worker-starts = Starting
worker-here = On this device
worker-in-page = In this page
worker-reload = Reload
worker-failed = No tools
# The same at length.
worker-starts-hint = The tools are starting.
worker-here-hint = The tools run in this browser’s service worker.
hiding = Hide personal details from a model elsewhere
hiding-hint = Mail addresses, phone, card and account numbers are replaced before anything is sent, and put back in the answer and in what the tools do. Names and places are not found. Nothing is hidden from a model on this device.
