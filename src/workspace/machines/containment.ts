// A host's claim of what a machine keeps in: checked as the workspace opens, and again before a decision that rests on it.

import { posix } from "node:path";
import { ConfigurationError } from "../../contracts/errors.js";
import type { Workspace } from "../../contracts/workspace.js";
import type { Containment } from "../../contracts/workspace-machine.js";
import {
  byDefault,
  eitherOf,
  FLAG,
  listOf,
  type OptionTable,
  oneOf,
  PATH,
  required,
} from "../../json/check-options.js";
import { isInside } from "../../paths/inside.js";
import type { LanePool } from "./lane-pool.js";
import type { Machine, MachineWalls } from "./machine.js";

/** A claim of what a machine keeps in, so that a permission checker for its workspace asks less. Paths are those of the machine. */
export interface ContainmentClaim {
  /** `none`: no way leads out. It is tried from inside, too. `any`: no claim. */
  readonly network: "none" | "any";
  /**
   * The paths that outlive the machine: mounts that can be written, or paths that are copied back. Default: those mounts of a container that is started
   * for the workspace; of any other machine also the root and `writeRoots`. `[]`: all is thrown away.
   */
  readonly kept?: readonly string[] | undefined;
  /**
   * Changes to what is kept need no question as long as they lose nothing. Of mounts, `.git` and each file that is run or trusted outside
   * has to be mounted read-only. Default: `false`.
   */
  readonly acceptChanges?: boolean | undefined;
  /** Files there that hold real secrets, which counts where there is a network; `none`: none does. Default: any may. */
  readonly secrets?: readonly string[] | "none" | undefined;
}

export const CLAIM = {
  network: required(oneOf("none", "any")),
  kept: listOf(PATH, "paths"),
  acceptChanges: byDefault(false, FLAG),
  secrets: eitherOf(oneOf("none"), listOf(PATH, "paths")),
} satisfies OptionTable<ContainmentClaim>;

/** An answer is not older, in milliseconds. */
const MAX_AGE_MS = 5_000;

/** A claim about one machine, which its engine is asked about where it has one. */
export class HeldClaim {
  #last: { readonly at: number; readonly walls: Promise<MachineWalls | null> } | undefined;

  constructor(
    private readonly machine: Pick<Machine, "name" | "walls">,
    private readonly claim: ContainmentClaim,
    private readonly owner = "createMachineWorkspace()",
  ) {}

  /** To be called before anything is started there. @throws ConfigurationError `OPTION_INVALID` for a claim that its engine contradicts */
  async open(): Promise<void> {
    const walls = await this.#walls();
    if (walls?.breach) throw this.#refused(walls.breach);
  }

  /** @throws ConfigurationError `OPTION_INVALID` when the machine has more than a loopback device, though no network is claimed */
  async tryFromInside(lanes: LanePool): Promise<void> {
    if (this.claim.network !== "none") return;
    const { bytes } = await lanes.ask({ script: "cat /proc/net/dev", maxBytes: 64 * 1024, timeoutMs: 10_000 });
    const devices = [...new TextDecoder().decode(bytes).matchAll(/^\s*(\S+?):/gm)].map(([, name]) => name!);
    const other = devices.find((name) => name !== "lo");
    if (devices.length === 0) throw this.#refused("Its network devices are not known: /proc/net/dev says nothing.");
    if (other !== undefined) throw this.#refused(`It has the network device "${other}".`);
  }

  /** The member of a workspace. `own`: its directories that can be written. @throws ConfigurationError `OPTION_INVALID` */
  async member(own: readonly string[], realOf: (path: string) => Promise<string>): Promise<Workspace["contained"]> {
    const known = new Map<string, Promise<string>>();
    const withReal = async (named: readonly string[]) => {
      const paths = named.map((path) => posix.resolve(own[0]!, path));
      for (const path of paths) if (!known.has(path)) known.set(path, realOf(path));
      return [...new Set([...paths, ...(await Promise.all(paths.map((path) => known.get(path)!)))])];
    };
    const look = async (): Promise<Containment | { readonly lost: string }> => {
      const walls = await this.#walls();
      const { network, acceptChanges = false, secrets = "unknown" } = this.claim;
      const kept = await withReal(this.claim.kept ?? [...(walls?.isDisposable ? [] : own), ...(walls?.writable ?? [])]);
      const lost = walls && (walls.breach ?? missedBy(walls, kept, acceptChanges));
      if (lost) return { lost };
      const hidden = typeof secrets === "string" ? secrets : await withReal(secrets);
      return {
        machine: this.machine.name,
        by: walls ? "engine" : "host",
        network,
        kept,
        acceptChanges,
        secrets: hidden,
      };
    };
    const found = await look();
    if ("lost" in found) throw this.#refused(found.lost);
    return async () => {
      const now = await look();
      return "lost" in now ? { lost: `"${this.machine.name}" is not contained any more: ${now.lost}` } : now;
    };
  }

  /** As they were at most five seconds ago; `null` where nobody can be asked. */
  #walls(): Promise<MachineWalls | null> {
    const now = performance.now();
    if (this.#last && now - this.#last.at < MAX_AGE_MS) return this.#last.walls;
    const walls = Promise.resolve(this.machine.walls?.(this.claim.network) ?? null).catch((error: Error) => ({
      breach: `Its engine cannot be asked: ${error.message}`,
      writable: [],
      trusted: [],
      isDisposable: false,
    }));
    this.#last = { at: now, walls };
    return walls;
  }

  #refused(why: string): ConfigurationError {
    return new ConfigurationError("OPTION_INVALID", {
      message: `Option "contained" of ${this.owner} claims what does not hold for "${this.machine.name}": ${why}`,
      details: { option: "contained", machine: this.machine.name },
    });
  }
}

/** The part of the walls that the claim leaves out. */
function missedBy({ writable, trusted }: MachineWalls, kept: readonly string[], acceptChanges: boolean): string | null {
  const forgotten = writable.find((mount) => !kept.some((each) => isInside(mount, each)));
  if (forgotten !== undefined) return `"${forgotten}" can be written, and is not in "kept".`;
  if (!acceptChanges || trusted.length === 0) return null;
  return `"${trusted[0]}" is run or trusted outside, and can be written there. Make it read-only, or accept no changes.`;
}
