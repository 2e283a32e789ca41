// Reading what configures an agent, on this machine's disk or where its workspace is.
import { constants } from "node:fs";
import { open, readdir, realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { type OptionRule, optionOf, withMethods } from "../json/check-options.js";
import { isInside } from "../paths/inside.js";

/** An entry of a directory. */
export interface ProjectEntry {
  readonly name: string;
  readonly kind: "file" | "directory" | "symlink" | "other";
}

/** The reason why a file of a project was not read. */
export type ProjectFileTrouble = "missing" | "not a file" | "outside" | "unreadable" | "untrusted";

/**
 * The files from which an agent is configured: settings, instructions, skills, sub-agents, servers. They lie where the project
 * lies, which may be another machine.
 *
 * @throws ProjectFileError from `realPath` and `read`
 */
export interface ProjectFiles {
  /**
   * These are files of this machine's disk. What other files say starts nothing on this machine and allows nothing, also in a
   * project that is trusted.
   */
  readonly onDisk?: true;
  /** The entries of a directory, in no order; none of one that is not there or cannot be read. */
  list(directory: string): Promise<readonly ProjectEntry[]>;
  /** The path with its links followed. */
  realPath(path: string): Promise<string>;
  /** The first bytes of the file at a real path, and its size in bytes. A pipe or a device does not hold the reader up. */
  read(path: string, maxBytes: number): Promise<{ readonly bytes: Uint8Array; readonly size: number }>;
  /** Whether a model may be told to follow what is in the file at a real path. Optional: it may. */
  mayFollow?(path: string): Promise<boolean>;
}

/** A directory of a project, and where it lies. */
export interface ProjectDirectory {
  /** Absolute. */
  readonly path: string;
  readonly files: ProjectFiles;
}

/** A file of a project was not read. The message goes on after the file's name. */
export class ProjectFileError extends Error {
  constructor(
    readonly trouble: ProjectFileTrouble | "too large",
    message: string,
  ) {
    super(message);
  }
}

/** An error of the file system as one of a project's files. */
export function projectFileError(cause: unknown): ProjectFileError {
  if (cause instanceof ProjectFileError) return cause;
  const { code, message } = cause as NodeJS.ErrnoException;
  const isMissing = code === "ENOENT" || code === "ENOTDIR";
  return new ProjectFileError(isMissing ? "missing" : "unreadable", `it cannot be read (${code ?? message})`);
}

export const PROJECT_FILES: OptionRule = withMethods("list", "realPath", "read");

/** A directory of this machine's disk by its path, or one that says where it lies. */
export const PROJECT_DIRECTORY: OptionRule = optionOf(
  (value) =>
    typeof value === "string" || (typeof Object(value).path === "string" && PROJECT_FILES.accepts(Object(value).files)),
  "a path, or { path, files }",
);

/** A path of this machine's disk is relative to the process's directory. */
export function projectDirectoryOf(directory: string | ProjectDirectory): ProjectDirectory {
  return typeof directory === "string" ? { path: resolve(directory), files: diskFiles } : directory;
}

/** The files of this machine's disk. */
export const diskFiles: ProjectFiles = {
  onDisk: true,
  async list(directory) {
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
    return entries.map((entry) => ({
      name: entry.name,
      kind: entry.isDirectory() ? "directory" : entry.isFile() ? "file" : entry.isSymbolicLink() ? "symlink" : "other",
    }));
  },
  realPath: (path) => failing(() => realpath(path)),
  read: (path, maxBytes) =>
    failing(async () => {
      const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
      try {
        const about = await file.stat();
        if (!about.isFile()) throw new ProjectFileError("not a file", "it is not a file");
        const bytes = Buffer.alloc(Math.min(about.size, maxBytes));
        const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
        return { bytes: bytes.subarray(0, bytesRead), size: about.size };
      } finally {
        await file.close();
      }
    }),
};

/** No files at all: of a project that is not to be read. */
export const NO_FILES: ProjectFiles = {
  list: async () => [],
  realPath: () => Promise.reject(projectFileError({ code: "ENOENT" })),
  read: () => Promise.reject(projectFileError({ code: "ENOENT" })),
};

async function failing<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((cause) => {
    throw projectFileError(cause);
  });
}

/**
 * The whole of a file. `within`: the directory that it must really be in, whatever links say.
 *
 * @throws ProjectFileError
 */
export async function readProjectFile(
  files: ProjectFiles,
  path: string,
  { maxBytes, within = null }: { readonly maxBytes: number; readonly within?: string | null | undefined },
): Promise<Uint8Array> {
  const real = await files.realPath(path);
  if (within !== null && !isInside(real, await files.realPath(within))) {
    throw new ProjectFileError("outside", "it is a link that leads out of its directory, so it was not read");
  }
  // The file that was checked is the one that is read, even if the link is changed meanwhile.
  const { bytes, size } = await files.read(real, maxBytes);
  if (size > maxBytes) throw new ProjectFileError("too large", `it has ${size} bytes; at most ${maxBytes} are read`);
  return bytes;
}
