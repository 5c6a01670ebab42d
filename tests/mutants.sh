#!/usr/bin/env bash
# How much of the code do the tests notice? See mutants.py.
exec /usr/bin/python3 "$(dirname "$0")/mutants.py" "$@"
