### The words around which model answers what.

roles = A smaller model for simple messages
roles-hint = Simple messages can go to a smaller or cheaper model. Everything else goes to the model chosen under “Who answers”.
role-small = For questions with a short answer
role-cheap = For summaries and translations
role-as-chosen = The same as for everything else
role-own = Another model of my own server
role-own-name = Its name there
# What the chosen model is for.
role-main = For everything else
