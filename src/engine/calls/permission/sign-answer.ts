// Answers that carry proof of who gave them: a host's key signs what was asked and what was answered.
import type { Answer, PendingRequest } from "../../../contracts/approval.js";
import { strongDigest } from "../../../json/digest.js";

/**
 * The answer with a signature by which an engine with the same `approvals.key` knows it. It holds for this request and
 * this answer alone: any change of either voids it.
 */
export function signAnswer<A extends Answer>(
  request: PendingRequest,
  answer: A,
  key: string,
): A & { readonly signature: string } {
  return { ...answer, signature: signatureOf(request, answer, key) };
}

/** Whether an answer counts: without a key every answer does. */
export function isSigned(request: PendingRequest, answer: Answer, key: string | undefined): boolean {
  if (key === undefined) return true;
  let expected: string;
  try {
    expected = signatureOf(request, answer, key);
  } catch {
    return false; // A value that is not JSON was never signed.
  }
  const given = typeof answer.signature === "string" ? answer.signature : "";
  if (given.length !== expected.length) return false;
  let difference = 0;
  // Every character is compared, so that the time it takes reveals nothing.
  for (let i = 0; i < expected.length; i++) difference |= expected.charCodeAt(i) ^ given.charCodeAt(i);
  return difference === 0;
}

/** The key comes first in two rounds of hashing, so that nothing can be appended to what was signed. */
function signatureOf(request: PendingRequest, { signature: _signature, ...answer }: Answer, key: string): string {
  return strongDigest([key, strongDigest([key, request, answer])]);
}
