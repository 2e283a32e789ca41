import { fieldsOf } from "./is-object.js";

export const RUN_PROGRAM = "run_program";

/** The JavaScript that a call runs; `undefined` for a call that runs none. */
export function programOf(name: string, input: unknown): string | undefined {
  const { program } = fieldsOf(input);
  return name === RUN_PROGRAM && typeof program === "string" ? program : undefined;
}
