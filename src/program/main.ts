#!/usr/bin/env node
// The program `loopwright`. It stays small: each command loads what it needs.
import { runCommandLine } from "./run-command-line.js";

const LEAVE_MS = 2_000;

const { argv, env, stdin, stdout, stderr } = process;

// The reader of the output may leave early, as in `| head -1`: then there is nothing left to do.
stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  // The terminal is gone; the signal that says so ends the program in order.
  if (error.code === "EIO") return;
  throw error;
});

// Nobody reads the remarks any more; the answer still counts.
stderr.on("error", () => {});

process.exitCode = await runCommandLine({ argv: argv.slice(2), env, cwd: process.cwd(), stdin, stdout, stderr });
// Nothing should be open any more. If something is, it does not keep a script waiting.
setTimeout(() => process.exit(), LEAVE_MS).unref();
