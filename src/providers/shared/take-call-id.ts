/** The id of a call: what the server says, or a made one, unless another call of the response has it. It is taken then. */
export function takeCallId(said: unknown, order: number, taken: Set<string>, prefix = "call_"): string {
  let id = typeof said === "string" && said !== "" ? said : `${prefix}${order}`;
  if (taken.has(id)) id = `${id}_${order}`;
  taken.add(id);
  return id;
}
