to-do = To-do
to-dos = To-dos
welcome-title = Was hast du vor?
welcome-hint = Sag mir, was zu tun ist. Ich lege es an, teile es auf, plane damit deine Woche, finde es wieder und mache es rückgängig. Deine To-dos bleiben auf diesem Gerät.
