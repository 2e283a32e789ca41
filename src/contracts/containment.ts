/** The containment of a machine, so that a permission checker has less to ask. Paths are absolute and real, on the machine. */
export interface Containment {
  /** For people: `docker:3f2a`. */
  readonly machine: string;
  /** `engine`: the program that runs the machine was asked just now. `host`: the host's word, which nobody has checked. */
  readonly by: "engine" | "host";
  /** `none`: no way leads out of the machine. `any`: no claim. */
  readonly network: "none" | "any";
  /** Directories that outlive the machine: mounts of the host that can be written, and those copied back. */
  readonly kept: readonly string[];
  /** Changes to what is kept need no question as long as they lose nothing. */
  readonly acceptChanges: boolean;
  /** Files that hold real secrets; `unknown`: any may. */
  readonly secrets: readonly string[] | "none" | "unknown";
  /** It is this machine, behind a sandbox: what a call reads outside the workspace, or of secrets, is the host's own. */
  readonly isHere?: true | undefined;
}
