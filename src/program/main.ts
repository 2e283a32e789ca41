#!/usr/bin/env node
// The program `loopwright`. It stays small: each command loads what it needs.
import { EXIT } from "./exit-codes.js";
import { runCommandLine } from "./run-command-line.js";

const LEAVE_MS = 2_000;

const { argv, env, stdin, stdout, stderr } = process;

stdout.on("error", ({ code, message }: NodeJS.ErrnoException) => {
  // The reader has left early, as in `| head -1`, or the terminal is gone: the work goes on to its end, or to the signal.
  if (code === "EPIPE" || code === "EIO" || process.exitCode === EXIT.failed) return;
  stderr.write(`loopwright: the output could not be written: ${message}\n`);
  process.exitCode = EXIT.failed;
});

// Nobody reads the remarks any more; the answer still counts.
stderr.on("error", () => {});

const exitCode = await runCommandLine({ argv: argv.slice(2), env, cwd: process.cwd(), stdin, stdout, stderr });
if (exitCode !== EXIT.done) process.exitCode = exitCode;
// Nothing should be open any more. If something is, it does not keep a script waiting.
setTimeout(() => process.exit(), LEAVE_MS).unref();
