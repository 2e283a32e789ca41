import { mkdtemp, readdir, rm, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ToolError } from "../../contracts/errors.js";
import {
  checkOptions,
  listOf,
  numberFrom,
  type OptionTable,
  optionError,
  required,
  TEXT,
} from "../../json/check-options.js";
import { childEnvironment } from "../../processes/child-environment.js";
import { startOf } from "../../processes/process-lock.js";
import { quotedForShell } from "../../text/quoted-for-shell.js";
import type { Machine, MachineProcess } from "./machine.js";
import { assertName } from "./machine-name.js";
import { startClient } from "./program-process.js";

/** Options of `sshMachine()`. */
export interface SshMachineOptions {
  /** The name or address of the host, or one of the user's `~/.ssh/config`. */
  readonly host: string;
  /** Default: what the configuration of OpenSSH says. */
  readonly user?: string | undefined;
  /** Default: what the configuration of OpenSSH says. */
  readonly port?: number | undefined;
  /**
   * Further options of OpenSSH, each `Name=value`, such as `IdentityFile=/keys/deploy`. What keeps the connection safe cannot be set:
   * batch mode, strict host keys, forwarding, local commands, sent variables and the control path.
   */
  readonly options?: readonly string[] | undefined;
}

const OPTIONS = {
  host: required(TEXT),
  user: TEXT,
  port: numberFrom(1, "a port", 65_535),
  options: listOf(TEXT, "strings"),
} satisfies OptionTable<SshMachineOptions>;

/** OpenSSH takes the first value of an option, so these stand before all others. */
const FIXED = [
  ...["BatchMode=yes", "StrictHostKeyChecking=yes", "ForwardAgent=no", "ForwardX11=no", "ForwardX11Trusted=no"],
  ...["ClearAllForwardings=yes", "Tunnel=no", "PermitLocalCommand=no", "RequestTTY=no", "EscapeChar=none"],
  ...["RemoteCommand=none", "StdinNull=no", "UpdateHostKeys=no", "LogLevel=ERROR"],
  ...["ServerAliveInterval=15", "ServerAliveCountMax=4"],
];
/** These add up, or bring options of their own. */
const ADDING = [
  "SendEnv",
  "SetEnv",
  "LocalCommand",
  "Include",
  "Match",
  "Host",
  "LocalForward",
  "RemoteForward",
  "DynamicForward",
];
const OF_OURS = [
  "ControlPath",
  "ControlMaster",
  "ControlPersist",
  "ForkAfterAuthentication",
  "SessionType",
  "GatewayPorts",
  "Port",
  "User",
];
const REFUSED = new Set(
  [...FIXED.map((each) => each.split("=")[0]!), ...ADDING, ...OF_OURS].map((name) => name.toLowerCase()),
);
/**
 * Half of the 10 that a server's `MaxSessions` is unless it says otherwise: a client ends before the server has closed its session,
 * so as many again may be on their way out.
 */
const MAX_SESSIONS = 5;
/** A connection without sessions is kept for this long, also when this process is killed. Unit: seconds. */
const PERSIST_S = 10;
const PREFIX = "loopwright-ssh-";

/** One connection that sessions share. */
interface Connection {
  readonly path: string;
  readonly ready: Promise<void>;
  sessions: number;
}

/**
 * A host behind SSH as a machine, by the program `ssh`. Its sessions share connections of their own. Nothing is asked: the host's
 * key has to be known and the login must need no password.
 *
 * @throws ConfigurationError `OPTION_INVALID` for a name that begins with "-" or holds white space or a control character, and for an
 * option that would undo what keeps the connection safe
 * @example
 * const workspace = await createMachineWorkspace({ machine: sshMachine({ host: "build.example.com" }), root: "/srv/app" });
 */
export function sshMachine(given: SshMachineOptions): Machine {
  const { host, user, port, options = [] } = checkOptions("sshMachine()", given, OPTIONS);
  assertName("sshMachine()", "host", host);
  assertName("sshMachine()", "user", user);
  for (const [index, option] of options.entries()) assertOption(index, option);
  const fixed = FIXED.flatMap((option) => ["-o", option]);
  const own = options.flatMap((option) => ["-o", option]);
  const where = [...(user === undefined ? [] : ["-l", user]), ...(port === undefined ? [] : ["-p", String(port)])];
  // A variable that is not in the client's environment cannot be sent.
  const { LANG: _, TERM: __, ...plain } = childEnvironment();
  const env = { ...withoutLocale(plain), SSH_AUTH_SOCK: process.env.SSH_AUTH_SOCK };
  const connections: Connection[] = [];
  let directory: Promise<string> | undefined;
  let made = 0;

  const argumentsFor = (path: string, ...more: string[]) => [
    ...[...fixed, "-o", `ControlPath=${path}`, "-T", ...more, ...own, ...where, "--", host],
  ];

  /** A connection on which one more session is counted. */
  async function connect(): Promise<Connection> {
    directory ??= newDirectory();
    const path = join(await directory, String(++made));
    const free = connections.find(({ sessions }) => sessions < MAX_SESSIONS);
    if (free) {
      // Counted at once: other calls look before this one goes on.
      free.sessions++;
      return free;
    }
    const master = ["-o", "ControlMaster=yes", "-o", `ControlPersist=${PERSIST_S}`, "-o", "SessionType=none", "-f"];
    const ready = startClient("ssh", argumentsFor(path, ...master), env).then((client) => finish(client, host));
    const connection = { path, ready, sessions: 1 };
    connections.push(connection);
    ready.catch(() => connections.splice(connections.indexOf(connection), 1));
    return connection;
  }

  return {
    name: `ssh:${user === undefined ? "" : `${user}@`}${host}${port === undefined ? "" : `:${port}`}`,
    async start(argv) {
      const connection = await connect();
      const release = () => void connection.sessions--;
      try {
        await connection.ready;
        const args = argumentsFor(connection.path, "-o", "ControlMaster=no", "-o", "SessionType=default");
        const client = await startClient("ssh", [...args, argv.map(quotedForShell).join(" ")], env);
        client.exited.then(release);
        return client;
      } catch (error) {
        release();
        throw error;
      }
    },
    async close() {
      const ends = connections.splice(0).map(async ({ path }) => {
        const client = await startClient("ssh", argumentsFor(path, "-O", "exit"), env);
        await client.exited;
      });
      await Promise.allSettled(ends);
      if (directory) await rm(await directory, { recursive: true, force: true });
    },
  };
}

/** A directory for control paths, with mode 0700. What hosts that were killed have left goes, once their connections have. */
async function newDirectory(): Promise<string> {
  for (const name of await readdir(tmpdir())) {
    const id = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (id !== undefined && (await startOf(Number(id))) === "dead") await rmdir(join(tmpdir(), name)).catch(() => {});
  }
  return mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
}

/** Rejects with what the program said when it does not end well. */
async function finish(client: MachineProcess, host: string): Promise<void> {
  const said: Buffer[] = [];
  const reading = (async () => {
    for await (const chunk of client.stderr as unknown as AsyncIterable<Uint8Array>) said.push(Buffer.from(chunk));
  })().catch(() => {});
  const { exitCode } = await client.exited;
  client.kill();
  if (exitCode === 0) return;
  await reading;
  const text = Buffer.concat(said).toString().trim() || `"ssh" ended with code ${exitCode}`;
  throw new ToolError("TOOL_FAILED", {
    message: `The host "${host}" cannot be reached by SSH: ${text} Its key has to be known, and the login must need no password.`,
  });
}

function assertOption(index: number, option: string): void {
  const name = /^([A-Za-z0-9]+)=[^\p{Cc}]+$/u.exec(option)?.[1];
  if (name !== undefined && !REFUSED.has(name.toLowerCase())) return;
  const expected = 'an option of OpenSSH as "Name=value", and none that keeps the connection safe';
  throw optionError("sshMachine()", `options.${index}`, option, expected);
}

function withoutLocale(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith("LC_")));
}
