# Requests of the protocol, a line each. SPDX-License-Identifier: MIT
. "$project/tests/lib/transcript.sh"
. "$project/tests/lib/simulator.sh"
bring examples/ac-controller/main.c
simulate main.c -simul <<'END'
{"id": 7, "do": "go", "process": 2, "choice": 1}
{"id": "eight", "do": "go", "process": 2}
{"do": "go", "process": 1}
{"do": "trace"}
{"do": "objects"}
{"do": "previous"}
{"do": "go", "process": 2}
{"do": "go", "process": 2, "choice": 4}
{"do": "go", "process": "2"}
{"do": "go", "process": -1}
{"do": "go"}
{"do": "go", "process": 2, "choice": 0, "unknown": true}
{"do": "where", "id": null}
{"do": "scenario"}
{"do": "load", "name": "typed.path", "text": "verisoft-path 1\n2 = 3\n2\n"}
{"do": "load", "name": "typed.path", "text": "verisoft-path 1\n2 = 3\n1\n"}
{"do": "end"}
{"do": "source", "file": "/etc/passwd"}
{"do": "chart", "format": "pdf"}
{"do": 3}
{"do": "dance"}
{}
{not json
{"do": "quit"}
{"do": "where"}
END
