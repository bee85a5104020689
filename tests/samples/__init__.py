"""A riichi table that plays with itself and writes what it played as Tenhou XML.

`python -m tests.samples` from the project's root writes the sample logs and `expected.json` again, byte for
byte. Nothing here is installed with the package.

    tiles      physical tiles, and the text `340m7z` that scripts are written in
    shapes     how far a hand is from complete, what completes it
    wins       what a win is worth, asked of the plain oracle of the tests
    round      the legal table: one round, and who may do what
    seats      who decides: a simple player, or a script
    game       rounds in a row, sticks and honba, the end of a game
    scripts    rounds with a stacked wall, for what hardly ever happens
    mjlog      a game as Tenhou XML
    games      which games are in the samples
"""
