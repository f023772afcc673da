### The words, in English.

# The person.
you = You
# What the chat and its transcript are called, for a screen reader.
conversation = Conversation
# Puts an answer on the clipboard.
copy = Copy
# It is there.
copied = Copied.
# What the list of them is called.
conversations = Conversations
# The command that begins a conversation, and the title of one without messages.
new-chat = New conversation
# The command that takes the messages away, after a question.
clear-chat = Clear conversation
clear-question = Clear this conversation?
keep = Keep it
no-conversations = What you talk about is kept here, on this device.
message = Message
message-hint = Say what to do…
answer-hint = Yes, no, or what to do instead…
# The same where a question waits that has choices of its own.
choose-hint = Choose above, or type an answer…
send = Send
stop = Stop
jump = Latest
# What is said while a model has not answered yet.
thinking = Thinking…
spoken-open = Open:
spoken-done = Done:
reasoning = Reasoning
suggestions = Suggestions
elsewhere = This conversation is open in another tab. You can follow it here.
open-here = Continue here
approval = Your approval is needed
approve = Approve
deny = Decline
looking = Looking at what this would change…
nothing-would-change = Nothing would change.
# What the settings and the way there are called.
settings = Settings
own-incomplete = Your own model has no address or name yet. Open the settings and fill in both.
# The worker did not answer in time.
tools-not-there = The tools did not answer. Reload the page.
# The worker answered what this build cannot read.
tools-unreadable = The tools answered in a way this page does not understand. Reload the page.
no-storage = This browser keeps nothing here (a private window?). You can talk, but the conversation ends with the page.
other-tab-wrote = Another tab has gone on with this conversation. Reload to see it.
# The browser keeps nothing more.
storage-full = There is no room left on this device. Free some space and try again.
use-built-in = Use the built-in model
leave-it = Leave it
storage-closed = The browser closed its storage. Reload the page.
spend-way-out = Change it in Settings → Spending, or go on with the built-in model.
clear-hint = Its messages are removed from this device. Your { -many } stay as they are.
# What was typed, and Enter pressed, while the page was still opening.
ready-to-send = { -app } is open now. What you wrote was not sent yet.
broke-here = { -app } broke while it worked on this, so it was broken off. What was done is kept.
froze-here = { -app } froze twice while it worked on this, so it was broken off. What was done is kept.
# A tool that is done and says nothing about itself.
did = { $title }: done
# A tool that waits for the person.
asks-to = { $title }: needs your approval
# A tool the person declined.
declined = { $title }: you said no, nothing was changed
# Why there is no preview.
no-preview = What this would change can’t be said beforehand: { $why }
# The browser's storage failed.
storage-failed = The browser’s storage failed ({ $name }). Reload the page; what was saved is safe.
# A tool that a model's provider refuses.
tool-left-out = “{ $title }” is left out: the provider of { $model } does not take it as it is described.
# What may be said after an answer when there is nothing else. The built-in model has to understand it.
what-can-you-do = What can you do?
# The rest of a list.
# $more (Number) - how many
show-more = Show { $more } more
# Tools at work.
undoing = Undoing…
redoing = Doing it again…
looking-back = Looking at what has changed…
# A tool that failed.
failed-tool = { $title } did not work
# A tool that failed, and why.
failed-tool-because = { $title } did not work: { $why }
# A request waits for a limit of the person's own.
# $why - a sentence
# $seconds - how long
going-on-in = { $why } Going on in { $seconds } s.
# A request did not work and is made again.
# $why - a sentence
# $seconds - until then
# $attempt - the number of the attempt
trying-again-in = { $why } Trying again in { $seconds } s (attempt { $attempt }).
# The way to the tools is gone.
# $why - a sentence
tools-gone = { $why } Your { -many } are safe on this device.
# Why it is gone: the worker is from another build.
tools-of-another-build = This page is older or newer than the tools: load it again
# The same: every way was tried.
# $why - what the last one came to
tools-cannot-be-reached = The tools cannot be reached: { $why }
# The same: the worker hangs.
tools-not-in-time = The tools did not answer in time
# Why the tools cannot be reached.
worker-silent = the worker does not answer
no-answer-in-time = no answer in time
other-tab-is-busy = another tab is busy with the same
# A message is longer than is taken.
# $length (Number) - its characters
# $most (Number) - how many are taken
message-too-long = This is too long to send: { $length } characters, and { $most } are taken. Nothing was cut.
# A run of a conversation that is not on the screen ended, for a screen reader.
answered-elsewhere = “{ $title }” has its answer.
# The same, where there is something to say about the end.
# $title - of the conversation
# $note - a sentence
ended-elsewhere-with = “{ $title }”: { $note }
# The model that the page brings itself, where answers say who gave them.
built-in-model = Built-in model
# The model that the browser brings along, at the same place.
browsers-model = Browser’s model
# Why one of several models answered: behind its name.
routed-lookup = a short question
routed-rewording = text put into other words
routed-several-parts = more than one thing was asked
routed-anything = not one of the simple things
# What the conversation has cost.
# $cost - an amount of money
# $unpriced (Number) - how many answers have a price that nobody knows
cost-so-far =
    { $unpriced ->
        [0] It has cost { $cost } so far.
        [one] It has cost { $cost } so far, and one answer whose price is not known.
       *[other] It has cost { $cost } so far, and { $unpriced } answers whose price is not known.
    }
