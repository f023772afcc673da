### What may be said to the assistant, in English: the built-in model has to understand every sentence.

# Two things to do, each with a day.
first-add = Add buy milk tomorrow and call the bank on Friday
# A to-do with subtasks.
first-with-parts = Add write essay with subtasks outline and draft
# What is due in this week.
first-week = What’s due this week?
# Two commands in one message.
first-two-commands = Create a grocery todo and then show me all my todos
# What the assistant can do.
first-help = What can you do?
# To see the list.
say-show = Show my to-dos
# To take the last change back.
say-undo = Undo that
# Of a list that was shown.
say-first-done = Mark the first one as done
# What is still to be done.
say-left = What’s left?
# What should have been done by now.
say-overdue = What’s overdue?
# Deletes what is done.
say-clear = Clear what’s done
# A plan for the week.
say-plan = Plan my week
# What is due today.
say-today = What’s due today?
