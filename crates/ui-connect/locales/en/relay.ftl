### The words around other programs: what they may do, and what they ask.

relay-connect = Connect a program
relay-address = Address
relay-token = Token
relay-was-shown = The token was shown once. For a new one, end the connection and turn it on again.
relay-copy = Copy these lines
relay-copy-token = Copy the token
relay-copied = Copied
relay-not-copied = Select and copy it by hand
relay-revoke = End the connection
relay-mode = What they may do
relay-calls = What they did
relay-no-calls = Nothing yet.
relay-hint = An editor or a desktop assistant that speaks MCP can work with your { -many }: it sees what is on your list, and changes only what you allow. It asks through the { -app } server on this machine, which passes questions and answers on to this tab and keeps nothing.
relay-toggle = Let other programs work with my { -many }
relay-no-gateway = This page comes from a plain web server, which cannot pass anything on. Start { -app } on this machine and open it from there to use this.
relay-once = The token is shown only now. Whoever has it can ask what your { -many } are while this tab is connected. Most programs take lines like these in their configuration:

## Whether programs reach this page.

relay-off = Off. Nothing can reach this tab.
relay-connecting = Connecting…
relay-on = On, for as long as this tab stays open: closing or reloading it, or the switch, ends it at once.
relay-replaced = Ended: another tab of { -app } has taken over.
relay-gone = Ended: the { -app } server on this machine does not answer.
relay-passes-nothing-on = This server cannot pass anything on.

## What programs may do, in the menu, and the same at length.

relay-mode-read = Read only
relay-mode-ask = Ask me before each change
relay-mode-read-hint = They can read your { -many }. What would change something is refused.
relay-mode-ask-hint = They can read your { -many }. What would change something is shown here first, and done when you allow it.

## How a call ended, or that it has not.

relay-waiting = Waits for you
relay-running = Under way
relay-done = Done
relay-failed = Did not work
relay-refused = Refused: read only
relay-denied = You said no
relay-not-in-time = No answer in time
relay-given-up = Given up

## What a program did, on the list of calls.

relay-resources-listed = Looked what there is to read
relay-resource-read = Read the list
relay-listens = Listens for changes
relay-prompt-taken = Took a prompt
relay-names-looked-for = Looked for names
