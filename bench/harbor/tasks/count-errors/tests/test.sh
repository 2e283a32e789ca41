#!/bin/sh
# 1 when the task is done, 0 when it is not.
logs="${LOGS:-/logs}/verifier"
mkdir -p "$logs"
if [ "$(tr -d '[:space:]' < count.txt 2> /dev/null)" = 3 ]; then echo 1; else echo 0; fi > "$logs/reward.txt"
