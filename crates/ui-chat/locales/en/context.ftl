### The words around the model's window: how full it is, what was compacted.

context = What the model sees
context-hint = A model takes only so much at once. When a conversation outgrows that, its older messages are folded into a short summary for the model. You still see everything here, and what you ask it to remember is kept in your words.
context-fold = Fold older messages now
context-never = Never fold
context-never-hint = A conversation that is too long for the model then fails.
context-summary = What it sees of them
# How much is compacted.
# $count (Number) - how many of the person's messages
context-compacted =
    { $count ->
        [0] It sees the whole conversation.
        [one] It sees your first message only in short.
       *[other] It sees your first { $count } messages only in short.
    }
# The line in the conversation, where a summary stands for older messages.
# $before - how many tokens they were, in short
# $after - how many they are
folded-here = Older messages are folded: the model sees them in short ({ $before } tokens became { $after })
# The line in the conversation, where tools' long answers were cut.
# $before - how many tokens they were, in short
# $after - how many they are
shortened-here = Long results of older messages are shortened for the model ({ $before } tokens became { $after })
# How many thousand tokens, as short as it can be: 1.5 k.
# $thousands - a number, perhaps with a tenth
tokens-in-thousands = { $thousands } k
# How full the model's window is.
# $tokens (Number) - what the next message sends
# $limit (Number) - from where on older messages are folded
context-tokens = The next message sends about { $tokens } tokens. Folding begins at { $limit }.
# The same where nothing is ever folded.
# $tokens (Number) - what the next message sends
context-tokens-unlimited = The next message sends about { $tokens } tokens. There is no limit.
# What the conversation has used.
# $sent (Number) - tokens sent
# $cached (Number) - how many of them the provider had in its cache
# $answered (Number) - tokens answered
context-tokens-used =
    { $cached ->
        [0] So far: { $sent } tokens sent, { $answered } answered.
       *[other] So far: { $sent } tokens sent ({ $cached } of them from the provider’s cache), { $answered } answered.
    }
