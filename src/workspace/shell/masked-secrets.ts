// Secrets that commands use and do not have: they find a placeholder, and the proxy of the sandbox puts the value into their requests.
import { statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { CredentialsConfig } from "@anthropic-ai/sandbox-runtime";
import { ConfigurationError } from "../../contracts/errors.js";
import { listOf, type OptionTable, optionError, PATH, required, TEXT } from "../../json/check-options.js";

/** A secret that commands use without having it. Either a `variable` or a `file`. */
export interface MaskedSecret {
  /** The name of a variable of this process. Commands have it, with a placeholder as its value. */
  readonly variable?: string | undefined;
  /** A file whose whole content is the secret. Relative to the workspace's root; `~/` is the home directory. Commands read a placeholder. */
  readonly file?: string | undefined;
  /** The hosts that get the real value, as they stand in `allowedHosts`. */
  readonly hosts: readonly string[];
}

export const MASKED = {
  variable: TEXT,
  file: PATH,
  hosts: required(listOf(TEXT, "host names")),
} satisfies OptionTable<MaskedSecret>;

/** @throws ConfigurationError `OPTION_INVALID` for one that would be masked nowhere, or put in nowhere */
export function assertMasked(masked: readonly MaskedSecret[], allowedHosts: readonly string[]): void {
  for (const { variable, file, hosts } of masked) {
    if ((variable === undefined) === (file === undefined))
      throw optionError("sandboxedShell()", "masked", { variable, file }, "a variable or a file, and not both");
    const other = hosts.find((host) => !allowedHosts.includes(host));
    if (hosts.length === 0 || other !== undefined)
      throw optionError("sandboxedShell()", "masked", hosts, "hosts that stand in allowedHosts, at least one");
  }
}

/** The secrets as the runtime takes them. @throws ConfigurationError `OPTION_INVALID` where one is not there: nothing would be masked */
export function credentialsOf(root: string, masked: readonly MaskedSecret[]): CredentialsConfig {
  const envVars = masked.flatMap(({ variable, hosts }) => {
    if (variable === undefined) return [];
    if (process.env[variable] === undefined) throw notThere(`variable "${variable}"`, "Set it in this process");
    return [{ name: variable, mode: "mask" as const, injectHosts: [...hosts] }];
  });
  const files = maskedFiles(root, masked).map(({ path, hosts }) => {
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw notThere(`file "${path}"`, "Write it");
    return { path, mode: "mask" as const, injectHosts: [...hosts] };
  });
  return { envVars, files };
}

/** Their files, absolute. */
export function maskedFiles(root: string, masked: readonly MaskedSecret[] = []) {
  return masked.flatMap(({ file, hosts }) => {
    if (file === undefined) return [];
    return [{ path: file.startsWith("~/") ? join(homedir(), file.slice(2)) : resolve(root, file), hosts }];
  });
}

/** Hosts whose connections stay as they are, and are not opened to put in a secret. */
export function untouchedHosts(allowedHosts: readonly string[], masked: readonly MaskedSecret[]): string[] {
  const secretsFor = masked.flatMap(({ hosts }) => hosts);
  return allowedHosts.filter((host) => {
    return !secretsFor.some((each) => each === host || (host.startsWith("*.") && each.endsWith(host.slice(1))));
  });
}

function notThere(what: string, how: string): ConfigurationError {
  return new ConfigurationError("OPTION_INVALID", {
    message: `The ${what} in "masked" of sandboxedShell() is not there, so the command was not run. ${how}, or leave it out.`,
  });
}
