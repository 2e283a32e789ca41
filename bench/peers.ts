export async function comparePeers(_x: unknown): Promise<string> {
  return "";
}
