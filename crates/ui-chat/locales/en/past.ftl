### The words about what was said and done before (conversations, runs in files), and about what needs a person's word
### first.

search = Search
search-conversations = Search conversations and messages
open-run = Open a saved conversation
title = Title
pin = Pin to the top
unpin = Unpin
save-as-file = Save as a file
run-file-hint = The file holds what was said and what the tools answered, and no key. Opened here again, it can be replayed.
saved-run = Saved conversation
file-unreadable = This file could not be read: it is too large or no text.
replay = Replay
approve-and = Approve, and don’t ask again
in-this-conversation = in this conversation
for-good = for good
edit-the-message = Edit the message
answer-again = Answer again
versions = Versions of this message
version-before = Previous version
version-after = Next version
again-hint = The conversation goes on from this message. What followed it stays as another version.
version-cannot-wait = This would wait for the network, and only what stands at the end can. Choose an answer now, or send it later.
not-said-anew = This could not be sent just now. What you wrote is kept: try again.
run-file-too-new = This conversation was saved by a newer version of { -app }. Reload the page to update it, then open the file again.
# A search that found nothing.
nothing-found = No conversation has “{ $query }” in it.
# A conversation is gone.
conversation-deleted = Deleted “{ $title }”.
# What a search came to, for a screen reader.
# $count (Number) - how many
conversations-found =
    { $count ->
        [one] 1 conversation found
       *[other] { $count } conversations found
    }
# Headings of the list of conversations.
age-pinned = Pinned
age-week = Last 7 days
age-month = Last 30 days
age-older = Older
# A file that is none of ours.
# $why - what is wrong with it
no-run-file = This is no conversation saved by { -app } ({ $why }). Nothing was changed.
# Where a run is from.
# $when - the day and the time
# $version - the app's
run-from = A saved conversation, to read. Saved: { $when }, by { -app } { $version }.
# How a replay stands.
# $at (Number) - the step it is at
# $all (Number) - how many there are
replaying = Replaying: { $at } of { $all }
# A replay came to its end, and nothing was different.
# $all (Number) - how many steps
replayed-the-same = Replayed: all { $all } steps came out as recorded.
# Where a replay left the record.
# $place - the number of the step
# $recorded - what the record has there: one of those below
# $replayed - what the replay has there
replay-differs = The replay differs at step { $place }: recorded is { $recorded }, it came to { $replayed }.
# The same where both are of a kind.
# $place - the number of the step
# $replayed - what both have there
replay-differs-within = The replay differs at step { $place }: it came to { $replayed } too, but to another than recorded.
# What stands at a step: nothing more.
entry-nothing = nothing
entry-message = a message
entry-attempt = a new attempt
entry-answer = an answer of the model
entry-approval = an approval
entry-refusal = a refusal
entry-trial = a trial of a call
entry-result = a tool’s answer
entry-resumed = a return after a break
entry-compacted = older messages folded away
entry-doubted = an answer sent back
entry-ended-with-answer = an end with an answer
entry-ended = an end without an answer
# What a call that waits would do, above the list of what it would do it to.
# $deeds - what it would do to how many: delete 2 to-dos
this-would = This would { $deeds }:
# The last of several deeds, after those that commas are between.
# $before - the others
# $last - this one
deeds-and-last = { $before } and { $last }
# The rest of what a call would do.
# $rest (Number) - how many more
show-all = Show all ({ $rest } more)
# What is not listed.
# $more (Number) - how many
not-listed = … and { $more } more
# Which of how many versions is on the screen, to be heard.
# $at (Number) - which
# $of (Number) - of how many
version = Version { $at } of { $of }
# What was changed since a message that is said anew; a list follows.
# $count (Number) - how many changes
changed-since =
    { $count ->
        [one] Since this message something was changed. It stays as it is, unless you undo it first:
       *[other] Since this message { $count } things were changed. They stay as they are, unless you undo them first:
    }
# Sends a changed message and leaves what was changed since.
keep-and-send = Keep and send
# The same for a message that is answered anew.
keep-and-answer-again = Keep and answer again
# Takes back what was changed since, and sends it then.
undo-and-send = Undo and send
# The same for a message that is answered anew.
undo-and-answer-again = Undo and answer again
