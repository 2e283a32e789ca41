// A sandbox session of the AI SDK over a container, with all that its interface has: `test/sdks/sandbox/session-types.ts` holds it
// against the installed package. No such package is known to the tests, and those of clouds need an account.
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { quotedForShell } from "../../src/text/quoted-for-shell.js";

interface ProgramOptions {
  readonly command: string;
  readonly workingDirectory?: string;
  readonly env?: Record<string, string>;
  readonly abortSignal?: AbortSignal;
}

type Text = { readonly path: string; readonly encoding?: string };
type Kind = "file" | "directory" | "other";

/** Prints the kind of a path, links followed. */
const KIND = `kind() { if [ -d "$1" ]; then printf directory; elif [ -f "$1" ]; then printf file; else printf other; fi; }`;
const ENTRIES = `entries() {
cd -- "$1" || exit
for f in ./* ./.*; do
case $f in ./.|./..) continue;; esac
if [ -h "$f" ]; then printf symlink; elif [ -e "$f" ]; then kind "$f"; else continue; fi
printf '%s\\0' "\${f#.}"
done
}`;

/** `docker` are the program and its arguments up to `exec`. */
export function dockerSession(docker: readonly string[], container: string) {
  function start({ command, workingDirectory, env = {}, abortSignal }: ProgramOptions) {
    const variables = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
    const where = workingDirectory === undefined ? [] : ["-w", workingDirectory];
    const [file = "", ...args] = [...docker, "exec", "-i", ...where, ...variables, container, "sh", "-c", command];
    const child = spawn(file, args, { signal: abortSignal });
    const ended = once(child, "close").then(([code]) => ({ exitCode: Number(code ?? 137) }));
    ended.catch(() => {});
    return { child, ended };
  }

  async function run(options: ProgramOptions, input: Uint8Array = new Uint8Array()) {
    const { child, ended } = start(options);
    child.stdin.end(input);
    const [{ exitCode }, bytes, errors] = await Promise.all([ended, buffer(child.stdout), buffer(child.stderr)]);
    return { exitCode, bytes, stdout: bytes.toString(), stderr: errors.toString() };
  }

  /** `null` when nothing is there. */
  async function look(path: string, ...scripts: string[]) {
    const name = quotedForShell(path);
    const all = scripts.map((script) => `${script} ${name}`).join("\n");
    const { exitCode, bytes, stderr } = await run({ command: `[ -e ${name} ] || [ -h ${name} ] || exit 44\n${all}` });
    if (exitCode === 44) return null;
    if (exitCode !== 0) throw new Error(stderr);
    return bytes;
  }

  const write = async (path: string, content: Uint8Array) => {
    const command = `mkdir -p -- "$(dirname -- ${quotedForShell(path)})" && cat >${quotedForShell(path)}`;
    const { exitCode, stderr } = await run({ command }, content);
    if (exitCode !== 0) throw new Error(stderr);
  };
  const readBinaryFile = ({ path }: { readonly path: string }) => look(path, "cat --");

  const processOf = (child: ChildProcessWithoutNullStreams, ended: Promise<{ exitCode: number }>) => ({
    stdout: Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    stderr: Readable.toWeb(child.stderr) as ReadableStream<Uint8Array>,
    wait: () => ended,
    kill: async () => void child.kill("SIGKILL"),
  });
  type Started = ReturnType<typeof processOf>;
  type WithInput = Started & { readonly stdin: WritableStream<Uint8Array> };

  function spawnProgram(options: ProgramOptions & { readonly stdin: true }): Promise<WithInput>;
  function spawnProgram(options: ProgramOptions & { readonly stdin?: false }): Promise<Started>;
  function spawnProgram(options: ProgramOptions & { readonly stdin?: boolean }): Promise<Started | WithInput>;
  async function spawnProgram({ stdin = false, ...options }: ProgramOptions & { readonly stdin?: boolean }) {
    const { child, ended } = start(options);
    const started = processOf(child, ended);
    if (stdin) return { ...started, stdin: Writable.toWeb(child.stdin) as WritableStream<Uint8Array> };
    child.stdin.end();
    return started;
  }

  return {
    description: `The container ${container}.`,
    run,
    spawn: spawnProgram,
    readBinaryFile,
    readFile: async (options: { readonly path: string }) => {
      const bytes = await readBinaryFile(options);
      return bytes && (Readable.toWeb(Readable.from([bytes])) as ReadableStream<Uint8Array>);
    },
    readTextFile: async ({ path }: Text) => (await readBinaryFile({ path }))?.toString() ?? null,
    writeBinaryFile: ({ path, content }: { readonly path: string; readonly content: Uint8Array }) =>
      write(path, content),
    writeTextFile: ({ path, content }: Text & { readonly content: string }) => write(path, Buffer.from(content)),
    writeFile: async ({ path, content }: { readonly path: string; readonly content: ReadableStream<Uint8Array> }) =>
      write(path, await buffer(content as unknown as AsyncIterable<Uint8Array>)),
    async stat(options: { readonly path: string }) {
      const said = await look(options.path, `${KIND}; kind`, "stat -L -c ' %s' --");
      const [type, size] = said?.toString().trim().split(" ") ?? [];
      return said && { type: type as Kind, size: Number(size) };
    },
    async listDirectory({ path }: { readonly path: string }) {
      const said = await look(path, `${KIND}\n${ENTRIES}\nentries`);
      const entries = said
        ?.toString()
        .split("\0")
        .slice(0, -1)
        .map((each) => each.split("/"));
      return entries?.map(([type, name = ""]) => ({ name, type: type as Kind | "symlink" })) ?? null;
    },
    deleteFile: async ({ path }: { readonly path: string }) => (await look(path, "rm --")) !== null,
  };
}
