//! Cities, countries and landmarks by coordinates or by name, from packed tables: nobody is asked over a network.
