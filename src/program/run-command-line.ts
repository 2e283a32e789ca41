import { ConfigurationError } from "../contracts/errors.js";
import { readCommandLine } from "./command-line.js";
import { EXIT, UsageError } from "./exit-codes.js";
import { HELP_TEXT } from "./help-text.js";
import type { ProgramIo } from "./program-io.js";
import { readVersion } from "./version.js";

/**
 * Does what the command line asks for. Resolves with the exit code. What is not needed for it is not loaded.
 *
 * Errors that the user can correct are shown in a few lines on standard error; any other is a bug and keeps its stack.
 */
export async function runCommandLine(io: ProgramIo): Promise<number> {
  try {
    const line = readCommandLine(io.argv);
    switch (line.command) {
      case "help":
        io.stdout.write(HELP_TEXT);
        return EXIT.done;
      case "version":
        io.stdout.write(`${readVersion()}\n`);
        return EXIT.done;
      case "sessions":
        return await (await import("./sessions/sessions-command.js")).printSessions(line, io);
      case "demo":
        return await (await import("./demo/run-demo.js")).runDemo(io);
      case "trust":
        return await (await import("./project/trust-command.js")).changeTrust(line, io);
      case "migrate":
        return await (await import("./migrate-database.js")).migrateDatabase(line, io);
      case "inspect":
        return await (await import("./sessions/inspect.js")).inspectSession(line, io);
      case "chat":
        return await (await import("./chat/begin-chat.js")).beginChat(line, io);
    }
  } catch (error) {
    if (error instanceof UsageError) {
      io.stderr.write(`loopwright: ${error.message}\n`);
      return EXIT.usage;
    }
    if (isOwn(error)) {
      io.stderr.write(`loopwright: ${error.message}\n`);
      return error instanceof ConfigurationError ? EXIT.usage : EXIT.failed;
    }
    throw error;
  }
}

/** Errors of the library say what to do in their message. */
function isOwn(error: unknown): error is Error {
  return error instanceof Error && typeof Reflect.get(error, "code") === "string";
}
