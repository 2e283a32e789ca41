import type { ProjectFiles } from "../../files/project-files.js";
import { ProjectFileError } from "../../files/project-files.js";
import { checkOptions } from "../../json/check-options.js";
import { UNTRUSTED_RECORD } from "../../paths/sensitive-paths.js";
import { originsOf } from "./file-origins.js";
import { FLOW_TABLE, type FlowOptions, untrustedIn } from "./flow-options.js";
import { nameOf } from "./judge-flow.js";
import type { FilesPlace } from "./tracked-files.js";

/** A file of a project that may configure no agent. */
export interface LeftOutFile {
  /** Absolute, with links followed. */
  readonly path: string;
  /** Goes on after the file's name. */
  readonly why: string;
}

/** The files of a project, and those that were left out when they were read last. */
export interface TrustedFiles extends ProjectFiles {
  leftOut(): readonly LeftOutFile[];
}

const NOBODY: ReadonlySet<string> = new Set();
/** A larger one that is only named is left out where it is on record. Unit: bytes. */
const MAX_NAMED_BYTES = 1_000_000;

/**
 * The files of a project without those that calls may have written from untrusted content: so no page instructs a later session. For
 * `instructionFiles()`, `loadSkills()`, `loadSubagents()` and `loadMcpConfig()` where the gate has `flow`; presets do it themselves.
 *
 * One that is on record is read all the same while its content is what git's index had before. `place`: the workspace, or its directory
 * on this machine's disk. `flow`: that of the gate; of it `trusted` and `untrusted` count.
 *
 * @throws ConfigurationError `OPTION_INVALID`; from `read`, ProjectFileError `untrusted`
 *
 * @example
 * const files = trustedFiles(projectFiles(workspace), workspace);
 * const source = instructionFiles({ root: workspace.root, files });
 */
export function trustedFiles(files: ProjectFiles, place: FilesPlace, flow: FlowOptions = {}): TrustedFiles {
  checkOptions("trustedFiles()", flow, FLOW_TABLE);
  const found = new Map<string, string>();

  async function whyNot(path: string, content: Uint8Array): Promise<string | null> {
    const label = await (await originsOf(place)).changedFrom(path, content);
    const [source] = untrustedIn(label, flow, NOBODY);
    const why = source
      ? `it may have been written after ${nameOf(source)} was read: review it, and remove its lines from ${UNTRUSTED_RECORD} in git's directory`
      : null;
    if (why) found.set(path, why);
    else found.delete(path);
    return why;
  }

  return {
    ...files,
    async read(path, maxBytes) {
      const content = await files.read(path, maxBytes);
      const why = await whyNot(path, content.bytes);
      // A model reads this, and whoever wrote the content may have chosen the name of its source.
      if (why)
        throw new ProjectFileError("untrusted", "it may have been written from untrusted content, so it was not read");
      return content;
    },
    async mayFollow(path) {
      const content = await files.read(path, MAX_NAMED_BYTES).catch(() => null);
      return content === null || (await whyNot(path, content.bytes)) === null;
    },
    leftOut: () => [...found].map(([path, why]) => ({ path, why })),
  };
}
