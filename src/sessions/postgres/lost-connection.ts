/** SQLSTATEs after which the same statement may succeed on another connection, or a moment later. */
const STATES = new Set(["57P01", "57P02", "57P03", "53300", "40001", "40P01", "25P03"]);
/** The machine's codes when there is no server, or no longer one. */
const SYSTEM = new Set(["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"]);
/** Messages of `pg` without a code. */
const MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Connection ended)/i;

/** Whether a statement failed because of its connection or the server's state, and not because of what it says. */
export function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code: unknown = Reflect.get(error, "code");
  if (typeof code === "string") return code.startsWith("08") || STATES.has(code) || SYSTEM.has(code);
  if (error instanceof AggregateError) return error.errors.some(isLostConnection);
  return MESSAGES.test(error.message) || /Client was closed and is not queryable|not queryable/i.test(error.message);
}
