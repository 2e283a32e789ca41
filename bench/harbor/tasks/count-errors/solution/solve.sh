#!/bin/sh
grep -c ERROR server.log > count.txt
