### The words about what is remembered over all conversations.

# Its name.
memory = Memory
# What it is.
memory-hint = What you asked to be remembered, in your words. It is kept on this device, and told in short to the model that answers, in every conversation. Nothing is added without a row in the chat that says so.
# It is switched off.
memory-is-off = Switched off in the settings: no model is told any of this, and none can add to it.
# There is none.
no-memory = Nothing is remembered yet.
# How it comes to be there.
no-memory-hint = Say “remember that I’m vegetarian” in a chat, or write a sentence above. Nothing is ever guessed from what you say.
# The field of a sentence.
memory-text = In one sentence
# A sentence.
memory-example = I prefer short answers
# The field of the kind.
memory-kind = Kind
# Adds a sentence.
memory-add = Remember
# Looks for words.
memory-search = Search what is remembered
# What is different in a sentence that was corrected.
memory-text-name = Words
# The place of a sentence among the others.
order = Told
# The place of one that is pinned.
first = first
# Whose words a sentence is.
memory-from = Words of
# It came in by a file.
a-file = a file
# The person.
yourself = you
# What a sentence of a file is, beside it.
from-a-file = from a file
# What becomes of it in the form.
memory-becomes-yours = This came in by a file, and no model takes it for your wish. Saved here, it is yours.
# It could not be read.
memory-unreadable = What is remembered could not be read.
# Puts a sentence first.
pin-memory = Tell this first
# Changes a sentence.
edit-memory = Edit
# Throws a sentence away.
forget = Forget
# Throws everything away.
forget-all = Forget everything…
# Does it.
forget-all-now = Forget everything
# The switch in the settings.
memory-switch = Remember what I ask for
# What the switch means.
memory-switch-hint = What you ask to be remembered is told in short to the model that answers; where that is a model elsewhere, it leaves this device with your message. Switched off, no model is told any of it or can add to it; what is there stays here.
# Opens it.
open-memory = See what is remembered
# The pin of a sentence.
pin-named = Tell this first: { $text }
# The pen of a sentence.
edit-named = Edit: { $text }
# The bin of a sentence.
forget-named = Forget: { $text }
# How many a look for words found.
memories-found = { $count ->
    [0] Nothing has these words.
   *[other] { $count } found
}
# Asks before all of it goes.
forget-all-question = { $count ->
    [one] Forget the one sentence that is remembered?
   *[other] Forget all { $count } sentences that are remembered?
}
# What a model looked at, in the chat.
memories-recalled = { $total ->
    [0] Looked at what is remembered: nothing found
   *[other] Looked at what is remembered: { $total } found
}
# A tool of theirs at work.
memory-saving = Remembering…
memory-searching = Looking at what is remembered…
memory-updating = Correcting what is remembered…
memory-forgetting = Forgetting…
# The two kinds of sentences.
memory-fact = About me
memory-preference = Preference
# What happened to a sentence, for a screen reader.
memory-remembered = remembered
memory-corrected = corrected
memory-forgotten = forgotten
# What happened to so many, as a note.
remembered-things = { $count ->
    [one] Remembered
   *[other] Remembered { $count } things
}
corrected-things = { $count ->
    [one] Corrected
   *[other] Corrected { $count } things
}
forgot-things = { $count ->
    [one] Forgot
   *[other] Forgot { $count } things
}
# Behind “This would”, perhaps with others before or after it.
would-remember = { $count ->
    [one] remember { $count } thing
   *[other] remember { $count } things
}
would-correct = { $count ->
    [one] correct { $count } thing
   *[other] correct { $count } things
}
would-forget = { $count ->
    [one] forget { $count } thing
   *[other] forget { $count } things
}
# What may be said after a tool of theirs: it is sent as it stands, and the built-in model has to understand it.
say-what-is-remembered = What do you remember about me?
# The same.
say-undo-that = Undo that
