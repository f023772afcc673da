### The words of the history, and of what needs a person's word first.

approvals-hint = When the assistant asks you first. What it wants to do is shown before you answer.
what-destroys = Deleting and clearing
what-changes = Adding and changing
by-tool = For each tool
as-destroying = As for deleting
as-changing = As for changing
as-reading = Does not ask: it only reads
as-outside = Asks: it reaches outside
allowed-here = Not asked about in the conversation on the screen:
ask-again = Ask again
history = History
earlier = Show earlier changes
back-to-here = Back to here
go-back = Go back
changed-meanwhile = Something has changed since. Nothing was taken back yet: this is what it would change now.
history-hint = Every change to your { -many }, newest first. Nothing here is lost by going back: that is a change too.
no-history = Nothing has changed yet. What you or the assistant do to your { -many } will stand here.
# The rules in a menu.
rule-always = Always ask
rule-above = { $count ->
    [one] Ask for more than one { -one }
   *[other] Ask for more than { $count } { -many }
}
rule-never = Never ask
# What going back would do; a list follows.
going-back-changes = { $count ->
    [0] Nothing has changed since: there is nothing to take back.
    [one] Going back to here would change 1 thing:
   *[other] Going back to here would change { $count } things:
}
