import { posix } from "node:path";
import { isHarnessError } from "../../contracts/errors.js";
import type { Walk } from "../../contracts/many-files.js";
import type { PathAccess } from "../../contracts/workspace.js";
import { isInside } from "../../paths/inside.js";
import { hasKeyName, holdsPrivateKey, SNIFFED_BYTES } from "../../paths/sensitive-paths.js";
import type { PathRules } from "../paths/path-rules.js";
import { homeSecretsIn, type SeenPath } from "../paths/protected-paths.js";
import type { FileDriver } from "./file-driver.js";

/** The size of a key; a larger file with a key's name is read for it. Unit: bytes. */
const KEY_BYTES = 256 * 1024;

/** A path that was followed, of which it may not be known whether it is a key. */
type SeenWalk = Walk & { readonly isKey: boolean | undefined };

/** The rules over the paths of a driver, which is asked for what they have to know. */
export class DriverSandbox {
  constructor(
    readonly rules: PathRules,
    private readonly driver: FileDriver,
    private readonly root: string,
    /** The targets of paths, where they are remembered. */
    private readonly memory?: Map<string, SeenWalk>,
    /** Settles when the directories that were added so far are known by their real paths. */
    private readonly added: { done: Promise<unknown> } = { done: Promise.resolve() },
  ) {}

  /** The same sandbox, which follows each path once until it is to `forget` it. Only for a driver that proves what it uses. */
  remembering(): DriverSandbox {
    return new DriverSandbox(this.rules, this.driver, this.root, new Map(), this.added);
  }

  forget(path: string): void {
    this.memory?.delete(this.rules.spelled(path).absolute);
  }

  /** Takes an absolute path as followed. */
  remember(path: string, { path: real, kind, links, trouble }: Walk, content?: Uint8Array): void {
    const isKey = hasKeyName(real) && kind !== "directory" ? content && holdsKey(content) : false;
    this.memory?.set(path, { path: real, kind, links, ...(trouble && { trouble }), isKey });
  }

  /** The target of an absolute path, where it is remembered. */
  seen(path: string): Walk | undefined {
    return this.memory?.get(path);
  }

  /** Notes where protected paths, and the secrets of home directories, lead as the workspace is opened. */
  async open(homes: readonly string[]): Promise<void> {
    const found = homes.map(async (home) => {
      const entries = await this.driver.list(home).catch(() => []);
      return homeSecretsIn(home, entries.map(({ name }) => name)); // biome-ignore format: one line
    });
    await this.#protect([...(await Promise.all(found)).flat(), ...this.rules.protected.paths]);
  }

  /** The file that a path leads to, when it may be used. @throws SandboxError that reveals nothing about what lies outside */
  async check(path: string, access: PathAccess): Promise<Walk> {
    const { absolute } = this.rules.spelled(path);
    const seen = await this.#follow(absolute);
    this.rules.decide(path, access, seen);
    return seen;
  }

  async #follow(absolute: string): Promise<Walk & SeenPath> {
    const known = this.memory?.get(absolute);
    if (known?.isKey !== undefined) return { ...known, isKey: known.isKey };
    const [walk] = known
      ? [known]
      : await Promise.all([this.driver.walk(absolute), this.#protect(this.rules.protected.listed)]);
    const seen = { ...walk, isKey: await this.#isKey(walk) };
    this.memory?.set(absolute, seen);
    if (seen.trouble === undefined) this.memory?.set(seen.path, { ...seen, links: [] });
    return seen;
  }

  /**
   * The path as it is written, when it may be used if it is real and nothing is known of what is there: for a driver that proves the
   * one as it finds out the other. `null` when more has to be known.
   */
  unproven(path: string, access: PathAccess): string | null {
    const { absolute } = this.rules.spelled(path);
    const seen = this.memory?.get(absolute);
    if (seen?.isKey !== undefined && !seen.trouble) {
      this.rules.decide(path, access, { ...seen, isKey: seen.isKey });
      return seen.path;
    }
    const real = posix.resolve(absolute);
    const isPlain = !absolute.split("/").includes("..") && !hasKeyName(real);
    if (!this.driver.proves || !isPlain || this.rules.protected.listed.length > 0) return null;
    try {
      this.rules.decide(path, access, { path: real, kind: null, links: [], isKey: false });
      return real;
    } catch {
      return null;
    }
  }

  /** The reason why the access needs approval; `null` when it does not or is refused anyway. */
  async needsApproval(path: string, access: PathAccess, sessionId?: string): Promise<string | null> {
    try {
      const walk = await this.check(path, access);
      await this.added.done;
      return this.rules.approvalReason(path, access, walk, sessionId);
    } catch (error) {
      if (isHarnessError(error) && error.code.startsWith("PATH_")) return null;
      throw error;
    }
  }

  /** Calls `use` with the real paths of directories, in the order of the calls. */
  withReal(directories: readonly string[], use: (real: readonly string[]) => void): void {
    const before = this.added.done;
    const walks = Promise.all(directories.map((each) => this.driver.walk(posix.resolve(this.root, each))));
    this.added.done = before.then(async () => use((await walks).map(({ path }) => path)));
    // It fails where it is waited for.
    this.added.done.catch(() => {});
  }

  async #protect(paths: readonly string[]): Promise<void> {
    const walks = await Promise.all(paths.map((path) => this.driver.walk(path)));
    for (const [index, walk] of walks.entries()) this.rules.protected.note(paths[index]!, walk);
  }

  /** A file with the name of a key that cannot be read counts as a key. */
  async #isKey({ path, kind }: Walk): Promise<boolean> {
    if (kind === "directory" || !hasKeyName(path)) return false;
    if (kind !== "file" || !isInside(path, "/")) return true;
    try {
      const [look] = (await this.driver.many?.look([{ path, maxBytes: KEY_BYTES }])) ?? [];
      return holdsKey(look?.bytes ?? (await this.driver.read(path, 0, SNIFFED_BYTES)).bytes);
    } catch {
      return true;
    }
  }
}

function holdsKey(content: Uint8Array): boolean {
  return holdsPrivateKey(content.subarray(0, SNIFFED_BYTES));
}
