/**
 * An id that is unique for good: the time, and 104 random bits.
 *
 * Not a secret. `crypto.randomUUID` would be as good, but the first use of Web Crypto costs a process two milliseconds,
 * as much as a hundred turns.
 */
export function newId(): string {
  const random = () =>
    Math.floor(Math.random() * 2 ** 52)
      .toString(36)
      .padStart(11, "0");
  return `${Date.now().toString(36)}-${random()}${random()}`;
}
