#!/bin/sh
# 1 when the task is done, 0 when it is not.
logs="${LOGS:-/logs}/verifier"
mkdir -p "$logs"
if [ "$(cat conf/app.ini 2> /dev/null)" = "$(printf 'port=8080\nhost=localhost')" ]; then echo 1; else echo 0; fi > "$logs/reward.txt"
