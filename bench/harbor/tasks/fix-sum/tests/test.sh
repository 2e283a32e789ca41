#!/bin/sh
# 1 when the task is done, 0 when it is not.
logs="${LOGS:-/logs}/verifier"
mkdir -p "$logs"
if [ "$(sh sum.sh 2 3)" = 5 ] && [ "$(sh sum.sh 40 2)" = 42 ]; then echo 1; else echo 0; fi > "$logs/reward.txt"
