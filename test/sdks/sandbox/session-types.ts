// Compiled by `npm run test:sdks`: what stands for sessions here, and in the tests of machines, is what the installed package says.
import type { Experimental_SandboxSession } from "@ai-sdk/provider-utils";
import { type SandboxSessionLike, sessionFiles, sessionMachine, sessionShell } from "loopwright/workspace";
import { dockerSession } from "../../machines/docker-session.js";

export const docker: Experimental_SandboxSession = dockerSession([], "");

export function uses(session: Experimental_SandboxSession): readonly unknown[] {
  const like: SandboxSessionLike = session;
  return [like, sessionMachine(session), sessionFiles(session), sessionShell(session)];
}
