### The words around the app itself: installing it, and what other apps share with it.

installation = Installation
install = Install { -app }
# What there is to say about installing: it is installed.
installation-done = { -app } is installed and runs in a window of its own.
# The browser offers it.
installation-offered = Installed, it has its own icon and window, and other apps can share to it.
# The browser offers nothing.
installation-unknown = Your browser can install { -app }: look for “Install” or “Add to Home Screen” in its menu. It works the same without.
# The language of the page.
language = Language
# What the browser says.
language-of-browser = As the browser has it
# What is not in it.
language-reads = What tools say is English. The built-in model answers in English or in German, as it is spoken to.
# It is kept, and the page is as it was.
language-after-reload = The page speaks it once it is loaded again.
# Before the choice.
language-of-page = The page speaks
# There is no room for it.
language-not-kept = The browser did not keep this choice.
