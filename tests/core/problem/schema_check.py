#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""schema_check.py SOURCE: the schema is a schema, takes the examples, and refuses the malformed files it can judge."""
import json
import pathlib
import re
import sys

from jsonschema import Draft202012Validator

source = pathlib.Path(sys.argv[1])
schema = json.loads((source / "docs/problem.schema.json").read_text())
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
failed = 0

# A string stays, a comment goes.
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/', re.S)


def plain(text):
    return TOKEN.sub(lambda m: m.group(0) if m.group(0)[0] == '"' else " ", text)


for path in sorted((source / "docs/examples").glob("*.json")):
    for error in validator.iter_errors(json.loads(plain(path.read_text()))):
        print(f"{path.name}: {error.json_path}: {error.message}")
        failed += 1

# Whole problems that the reader's tests read.
for name, text in re.findall(r'k(\w+) = R"json\((.*?)\)json"', (source / "tests/core/problem/support.hpp").read_text(), re.S):
    for error in validator.iter_errors(json.loads(plain(text))):
        print(f"{name}: {error.json_path}: {error.message}")
        failed += 1

# Files whose mistake is one of form: unknown or missing keys, words, types, single numbers out of range.
FORM = ("later-", "missing-inside", "unknown-", "version-", "types-", "model-", "range-fractions", "range-huge",
        "range-points", "range-many", "root-", "both-", "dispersion-", "slope-", "output-", "backend-", "table-keys",
        "table-one-unit", "table-columns-wrong", "table-columns-three", "planes-empty", "response-unknown", "plugin-response-",
        "uppe-fibre", "uppe-time-", "uppe-band-wrong", "uppe-real-points", "uppe-route-keys", "uppe-modes-wrong", "uppe-gas-unknown",
        "uppe-mixture", "uppe-tubes-zeisberger", "uppe-gradient-wrong", "uppe-glass-poling", "uppe-kerr-keys",
        "uppe-beam-keys", "uppe-boundary", "uppe-statistics", "uppe-march", "uppe-later")
judged = 0
for path in sorted((source / "tests/corpus/malformed").glob("*.json")):
    if not path.name.startswith(FORM):
        continue
    judged += 1
    if validator.is_valid(json.loads(path.read_text())):
        print(f"{path.name}: the schema takes it")
        failed += 1
print(f"{judged} malformed files judged, {failed} failures")
sys.exit(1 if failed or judged < 20 else 0)
