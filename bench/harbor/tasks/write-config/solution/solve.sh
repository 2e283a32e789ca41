#!/bin/sh
mkdir -p conf && printf 'port=8080\nhost=localhost\n' > conf/app.ini
