// `loopwright`: what a person sees first. The agent, the largest part of the program, is loaded behind the first frame.
import module from "node:module";
import type { CommandLine } from "../command-line.js";
import { hasScreen, type ProgramIo } from "../program-io.js";
import { projectPlaceOf } from "../project/project-place.js";
import { readVersion } from "../version.js";

/** The compile cache, which Node has since version 22. */
interface CompilingModule {
  enableCompileCache?(directory: string): unknown;
}

/** Resolves with the exit code. */
export async function beginChat(line: CommandLine, io: ProgramIo): Promise<number> {
  const place = projectPlaceOf(line, io);
  const isInteractive = !line.print && hasScreen(io);
  // Not in a directory that all users share: what is in it is run. Only newer versions of Node can do it.
  (module as CompilingModule).enableCompileCache?.(place.state.compiled);
  if (!isInteractive) return (await import("./chat.js")).runChat(line, io, place, undefined);
  const { openFirstScreen } = await import("../terminal/screen/first-screen.js");
  const { readTerminalSettings } = await import("../terminal/settings/terminal-settings.js");
  const settings = readTerminalSettings(io.env);
  const first = await openFirstScreen({ root: place.state.root, version: readVersion(), env: io.env, settings });
  try {
    return await (await import("./chat.js")).runChat(line, io, place, first);
  } finally {
    // The screen is still there if an error came before the conversation.
    await first.remove();
  }
}
