### The words around what models cost, and what may be asked of them.

spending-hint = A request that would pass a limit is not sent. Costs are computed from prices on this device and may differ from the bill; the built-in model and servers on this machine cost nothing.
conversation-limit = At most per conversation, in US dollars
month-limit = At most per month, in US dollars
no-limit = No limit
spend-reset = Count from zero
spend-change = Change it
calls-per-minute = Requests a minute
tokens-per-hour = Tokens an hour
rates-hint = For models that are not on this machine. What is over waits a few seconds, or is not sent.
prices = What each model costs
price-input = Sent, $ per million tokens
price-cached = Sent again (cached)
price-output = Answered
# A limit is near.
# $percent - how near: 80
# $limit - an amount of money
near-conversation-limit = More than { $percent } % of this conversation’s limit of { $limit } is spent.
near-month-limit = More than { $percent } % of this month’s limit of { $limit } is spent.
# $amount - an amount of money
spent-so-far = This month so far: { $amount }
