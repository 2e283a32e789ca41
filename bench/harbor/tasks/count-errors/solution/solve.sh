#!/bin/sh
grep -c ERROR server-log.txt > count.txt
