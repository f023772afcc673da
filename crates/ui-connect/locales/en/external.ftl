### The words of a question that somebody outside the page asks.

# What the question is, for who does not see it.
outside-ask = A program asks
outside-allow = Allow
outside-deny = Don’t allow
# The title of the tab while a question stands.
outside-tab = (!) { -app }: a program asks
# What another program wants.
# $title - the tool's title
program-asks = Another program asks. { $title }?
# What the browser's own agent wants.
# $title - the tool's title
browser-asks = Your browser’s agent asks. { $title }?
# How long a question stands, and how many stand behind it.
# $more (Number) - how many
external-patience = { $more ->
    [0] Without an answer within two minutes it is not done.
    [one] Without an answer within two minutes it is not done. One more waits.
   *[other] Without an answer within two minutes it is not done. { $more } more wait.
}
