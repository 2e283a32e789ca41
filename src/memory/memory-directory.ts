// A directory that a model knows as `/memories`, in a workspace. A path that leaves it is refused, also where a link leads on.
import { ToolError } from "../contracts/errors.js";
import type { FileAccess, PathAccess, Workspace } from "../contracts/workspace.js";
import { isInside } from "../paths/inside.js";
import { quoteName } from "../text/quote-name.js";

/** The directory's name to the model. */
const ROOT = "/memories";

/** Files below one directory, by the paths that a model gives. */
export class MemoryDirectory {
  /** Its own path. */
  readonly root: string;
  readonly #files: FileAccess;

  constructor(
    { files, root }: Workspace,
    private readonly directory: string,
  ) {
    this.#files = files;
    this.root = `${root}/${directory}`;
  }

  /** @throws ToolError `TOOL_INPUT_INVALID` for a path that is not below `/memories`, or that a link leads out of it */
  async path(given: string, access: PathAccess = "read"): Promise<string> {
    const names = given.replace(/\/$/, "").split("/").slice(1);
    const isBelow = given === ROOT || given.startsWith(`${ROOT}/`);
    if (!isBelow || names.some((name) => name === "" || name === "." || name === ".." || /[\\\0]/.test(name)))
      throw invalid(`The path ${quoteName(given)} is not below ${ROOT}. Give one such as ${ROOT}/notes.md.`);
    const path = [this.root, ...names.slice(1)].join("/");
    const [root, real] = await Promise.all([this.root, path].map((each) => this.#files.resolve(each, access)));
    if (!isInside(real!, root!))
      throw invalid(`A link leads from ${quoteName(given)} out of ${ROOT}. Choose another path.`);
    return path;
  }

  /** The path of a file or a directory in it, to be changed, which is not the whole of it. */
  async inner(given: string): Promise<string> {
    const path = await this.path(given, "write");
    if (path === this.root) throw invalid(`${ROOT} itself stays. Give the path of something in it.`);
    return path;
  }

  async kind(path: string): Promise<"file" | "directory" | null> {
    try {
      const { kind } = await this.#files.stat(path);
      return kind === "file" || kind === "directory" ? kind : null;
    } catch (error) {
      if (error instanceof ToolError && error.code === "PATH_NOT_FOUND") return null;
      throw error;
    }
  }

  async read(path: string): Promise<string> {
    return new TextDecoder().decode(await this.#files.read(path));
  }

  async write(path: string, text: string): Promise<void> {
    await this.#files.write(path, new TextEncoder().encode(text));
  }

  /** Replaces a file by what `change` makes of it, while nobody else uses it. */
  change(path: string, change: (text: string) => string): Promise<void> {
    return this.#files.withLock(path, "write", async () => this.write(path, change(await this.read(path))));
  }

  /** The files below a directory, by their path from it, ascending. Links are no part of it. */
  async below(path: string): Promise<string[]> {
    if ((await this.kind(path)) !== "directory") return [];
    const entries = await this.#files.list(path);
    const found = entries.map(async ({ name, kind }) => {
      if (kind === "directory") return (await this.below(`${path}/${name}`)).map((inner) => `${name}/${inner}`);
      return kind === "file" ? [name] : [];
    });
    return (await Promise.all(found)).flat().sort();
  }

  /** Removes a file, or a directory with all that is in it. @throws ToolError `TOOL_INPUT_INVALID`, before anything goes, for one that holds a link */
  async remove(path: string): Promise<void> {
    await this.#removeEach(await this.#removable(path));
  }

  /** Moves a file, or all files of a directory. What comes to be there meanwhile stays. @throws ToolError as `remove` does, before anything is written */
  async move(from: string, to: string): Promise<void> {
    const old = await this.#removable(from);
    if ((await this.kind(from)) === "file") await this.write(to, await this.read(from));
    else
      for (const name of await this.below(from)) await this.write(`${to}/${name}`, await this.read(`${from}/${name}`));
    await this.#removeEach(old);
  }

  /** The entries to remove before a directory, and then itself. */
  async #removable(path: string): Promise<string[]> {
    if (!this.#files.remove)
      throw invalid(`Files of "${this.directory}" cannot be removed. Write an empty file in its place.`);
    if ((await this.kind(path)) !== "directory") return [path];
    const paths: string[] = [];
    for (const { name, kind } of await this.#files.list(path)) {
      if (kind === "symlink") throw invalid(`${quoteName(name)} in it is a link, which may lead elsewhere. Keep it.`);
      paths.push(...(await this.#removable(`${path}/${name}`)));
    }
    return [...paths, path];
  }

  async #removeEach(paths: readonly string[]): Promise<void> {
    for (const path of paths) await this.#files.remove!(path);
  }
}

export function invalid(message: string): ToolError {
  return new ToolError("TOOL_INPUT_INVALID", { message });
}
