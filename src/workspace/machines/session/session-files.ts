import { randomBytes } from "node:crypto";
import { posix } from "node:path";
import type { FileStat } from "../../../contracts/workspace.js";
import { quotedForShell } from "../../../text/quoted-for-shell.js";
import type { FileDriver } from "../../over/file-driver.js";
import { FILE_FUNCTIONS } from "../helper-script.js";
import { entryOf, failure, quotedPlace } from "../machine-files.js";
import { kindOf, looksIn, nulFields } from "../machine-looks.js";
import { asked, assertSession, type SandboxSessionLike } from "./sandbox-session.js";

/** The functions of a machine where there is no /proc, and few options of its programs. */
const FUNCTIONS = `${FILE_FUNCTIONS}
here() { [ "$(pwd -P)" = "$1" ]; }
about() {
[ -h "./$1" ] && return 116
if [ -d "./$1" ]; then k=d; elif [ -f "./$1" ]; then k=f; elif [ -e "./$1" ]; then k=o; else return 2; fi
m=$(find "./$1" -maxdepth 0 -printf '%m %s %T@ %C@ %D:%i' 2>/dev/null) || m=$(stat -c '%a %s %Y %z %d:%i' -- "./$1" 2>&1) || { reason "$m"; return; }
printf '%s\\n' "$k $m"
}
status() { enter "$1" && about "$2"; }
place() {
enter "$1" || return
[ -h "./$2" ] && return 116
[ -d "./$2" ] && return 21
c=$4
if [ -z "$c" ] && [ -e "./$2" ]; then
[ -w "./$2" ] || return 13
c=$(stat -c %a -- "./$2" 2>/dev/null)
fi
[ -z "$c" ] || m=$(chmod "$c" "./$3" 2>&1) || { reason "$m"; return; }
m=$(mv -f -- "./$3" "./$2" 2>&1) || { reason "$m"; return; }
about "$2"
}
`;

/**
 * Files of a sandbox session of the AI SDK, for `createWorkspaceOver`: of a session that cannot be a machine, since its `spawn` takes no
 * `stdin` or it has no Linux inside. A verb is one to three calls of the session, by its `run` where the interface lacks something. What
 * others change between the check of a path and its use is not noticed.
 *
 * @throws ConfigurationError `OPTION_INVALID` that names the methods the session lacks
 * @example
 * const workspace = await createWorkspaceOver({ root: "/home/user", files: sessionFiles(session), shell: sessionShell(session) });
 */
export function sessionFiles(session: SandboxSessionLike): FileDriver {
  assertSession("sessionFiles()", session, ["run", "readFile", "writeBinaryFile"]);

  async function call(script: string): Promise<string> {
    const { exitCode, stdout } = await asked(session.run({ command: `${FUNCTIONS}${script}` }));
    if (exitCode !== 0) throw failure(exitCode, stdout);
    return stdout;
  }

  const stat = async (path: string) => statOf(await call(`status ${quotedPlace(path)}`));

  return {
    async walk(path) {
      const [walk] = looksIn(nulFields(await call(`follow ${quotedForShell(path)}`)));
      if (!walk) throw failure(1, "the session did not follow the path");
      return walk;
    },
    stat,
    async read(path, position, length) {
      const found = await stat(path);
      if (found.kind !== "file") throw failure(found.kind === "directory" ? 21 : 2, path);
      const stream = await asked(session.readFile({ path }));
      if (stream === null) throw failure(2, path);
      return { stat: found, bytes: await asked(pieceOf(stream, position, length)) };
    },
    async write(path, content, mode) {
      const temporary = `.loopwright-${randomBytes(8).toString("hex")}.tmp`;
      const octal = mode === undefined ? "" : (mode & 0o7777).toString(8);
      const place = posix.join(posix.dirname(path), temporary);
      try {
        await asked(session.writeBinaryFile({ path: place, content }));
        return statOf(await call(`place ${quotedPlace(path)} ${temporary} '${octal}'`));
      } catch (error) {
        await call(`rm -f -- ${quotedForShell(place)}`).catch(() => {});
        throw error;
      }
    },
    remove: async (path) => void (await call(`erase ${quotedPlace(path)}`)),
    makeDirectory: async (path) => void (await call(`makedirs ${quotedForShell(path)}`)),
    async list(path) {
      if (!session.listDirectory) return nulFields(await call(`names ${quotedForShell(path)}`)).map(entryOf);
      const entries = await asked(session.listDirectory({ path }));
      if (entries === null) throw failure(2, path);
      return entries.map(({ name, type }) => ({ name, kind: type }));
    },
  };
}

/** Reads no further than it has to. */
async function pieceOf(stream: ReadableStream<Uint8Array>, position: number, length: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream as unknown as AsyncIterable<Uint8Array>) {
    const from = Math.max(0, position - size);
    size += chunk.length;
    if (from < chunk.length) pieces.push(chunk.subarray(from));
    if (size >= position + length) break;
  }
  return new Uint8Array(Buffer.concat(pieces)).subarray(0, length);
}

/** The facts in a line of `about`. */
function statOf(line: string): FileStat {
  const [kind = "", mode = "", ...rest] = line.trim().split(" ");
  const [size, mtime] = rest.map(Number);
  return {
    kind: kindOf(kind) as FileStat["kind"],
    size: size!,
    mtimeMs: (mtime || 0) * 1_000,
    mode: Number.parseInt(mode, 8),
    version: rest.join(" "),
  };
}
