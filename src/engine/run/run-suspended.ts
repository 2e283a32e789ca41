import { RunAbortedError } from "../../contracts/errors.js";

/** The host goes on with the run elsewhere: its calls stay open, as if its process had been killed. */
export class RunSuspendedError extends RunAbortedError {
  static override readonly name: string = "RunAbortedError";
}
