### The words around the choice of how a model plans and how its answers are checked.

answers = How it answers
planning = Plans
planning-off = Never
planning-offered = When the model thinks it helps
planning-first = Always, before anything is changed
planning-hint = You see what it is going to do, change it, and let it begin. Its steps are ticked as they happen.
evidence = Check what it says
evidence-off = Don’t check
evidence-mark = Mark what no tool result supports
evidence-repair = Send it back once, then mark
evidence-hint = Numbers, dates, names and quotes of an answer are looked up in the results of its tools, here on this device. The built-in model is not checked: it can only repeat results.
