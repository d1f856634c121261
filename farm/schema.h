/* What is in the database, version by version: each step makes the next version of the one before. A step that was published is never changed;
 * to change the schema is to add one. SPDX-License-Identifier: MIT */
#ifndef SCHEMA_H
#define SCHEMA_H

static const char *const schema_steps[] = {
    /* 1 */
    "CREATE TABLE harness (id INTEGER PRIMARY KEY, file TEXT NOT NULL UNIQUE, about_json TEXT, wrong TEXT);"
    /* A state of sources and harness, by what is in them; text: of the harness. */
    "CREATE TABLE version (id INTEGER PRIMARY KEY, harness INTEGER NOT NULL REFERENCES harness, content TEXT NOT NULL, seen REAL NOT NULL,"
    "  revision TEXT, author TEXT, UNIQUE (harness, content));"
    "CREATE TABLE property (id INTEGER PRIMARY KEY, harness INTEGER NOT NULL REFERENCES harness, name TEXT NOT NULL, position INTEGER NOT NULL,"
    "  line INTEGER NOT NULL, text TEXT, says TEXT, link TEXT, formula TEXT, violation INTEGER NOT NULL, fair INTEGER NOT NULL, symbols_json TEXT NOT NULL,"
    "  features_json TEXT NOT NULL, automaton_json TEXT, lines_json TEXT, content TEXT NOT NULL, gone INTEGER NOT NULL DEFAULT 0, UNIQUE (harness, name));"
    /* Which content a property had in which version: that is how a verdict is known again. */
    "CREATE TABLE content (version INTEGER NOT NULL REFERENCES version, property INTEGER NOT NULL REFERENCES property, content TEXT NOT NULL,"
    "  PRIMARY KEY (version, property)) WITHOUT ROWID;"
    "CREATE TABLE outcome (id INTEGER PRIMARY KEY, property INTEGER NOT NULL REFERENCES property, content TEXT NOT NULL, version INTEGER REFERENCES version,"
    "  verdict TEXT NOT NULL, identifier TEXT NOT NULL, words TEXT NOT NULL, automaton_json TEXT, trial TEXT, ended REAL NOT NULL,"
    "  UNIQUE (property, content));"
    "CREATE TABLE trail (id INTEGER PRIMARY KEY, outcome INTEGER NOT NULL REFERENCES outcome ON DELETE CASCADE, length INTEGER NOT NULL, cycle INTEGER,"
    "  replay TEXT NOT NULL, chart TEXT NOT NULL, svg TEXT NOT NULL, statements TEXT NOT NULL, variables TEXT NOT NULL, steps_json TEXT NOT NULL,"
    "  version INTEGER);"
    "CREATE INDEX trail_of ON trail (outcome, length);"
    /* A search of one level (its kind: A, B, M, E) of a property; states: queued, running, done, dropped, aborted, lost. */
    "CREATE TABLE run (id INTEGER PRIMARY KEY, property INTEGER NOT NULL REFERENCES property, content TEXT NOT NULL, version INTEGER REFERENCES version,"
    "  bits INTEGER NOT NULL, rank INTEGER NOT NULL, priority INTEGER NOT NULL, state TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0, why TEXT, machine TEXT,"
    "  queued REAL NOT NULL, started REAL, ended REAL, kind TEXT NOT NULL, states REAL, transitions REAL, depth INTEGER, memory_kb INTEGER, seconds REAL,"
    "  errors INTEGER, finished INTEGER, dense INTEGER, memory_cut INTEGER, identifier TEXT, words TEXT, automaton_json TEXT);"
    "CREATE INDEX run_of ON run (property, id);"
    "CREATE INDEX run_open ON run (priority DESC, rank, id) WHERE state IN ('queued', 'running');"
    "CREATE INDEX run_working ON run (property) WHERE state IN ('queued', 'running');"
    "CREATE TABLE precedence (harness INTEGER NOT NULL REFERENCES harness, first TEXT NOT NULL, second TEXT NOT NULL, line INTEGER,"
    "  PRIMARY KEY (harness, first, second)) WITHOUT ROWID;"
    /* For each cause one mail: a property that failed with a content. */
    "CREATE TABLE mail (property INTEGER NOT NULL, content TEXT NOT NULL, sent REAL NOT NULL, receiver TEXT NOT NULL, words TEXT,"
    "  PRIMARY KEY (property, content)) WITHOUT ROWID;"
    /* What a property is: the four states of Holzmann and Smith 2002, 6.2. Verified is only what was searched to its end. */
    "CREATE VIEW status AS SELECT p.*, o.id AS outcome, o.verdict, o.identifier, o.words, o.ended, o.trial,"
    "  (SELECT count(*) FROM trail t WHERE t.outcome = o.id) AS trails,"
    "  (SELECT count(*) FROM run r WHERE r.property = p.id AND r.state = 'running') AS running,"
    "  (SELECT count(*) FROM run r WHERE r.property = p.id AND r.state = 'queued') AS waiting,"
    "  CASE WHEN EXISTS (SELECT 1 FROM run r WHERE r.property = p.id AND r.state = 'running') THEN 'running'"
    "       WHEN o.verdict = 'failed' THEN 'failed' WHEN o.verdict IN ('verified', 'vacuous') THEN 'verified' ELSE 'pending' END AS state"
    "  FROM property p LEFT JOIN outcome o ON o.property = p.id AND o.content = p.content WHERE p.gone = 0;",
    /* 2: what is open is found by its state; SQLite does not see that state = 'queued' is in a partial index of two states. */
    ("DROP INDEX run_open; DROP INDEX run_working;"
     "CREATE INDEX run_by_state ON run (state, priority DESC, rank, id); CREATE INDEX run_of_state ON run (property, state);"),
    /* 3: who may see the page from elsewhere; hash: by crypt(5). */
    "CREATE TABLE account (name TEXT PRIMARY KEY, role TEXT NOT NULL, hash TEXT NOT NULL, made REAL NOT NULL) WITHOUT ROWID;",
    /* 4: which statements a search that came to its end has reached. */
    "ALTER TABLE outcome ADD COLUMN coverage_json TEXT;",
};

#endif
