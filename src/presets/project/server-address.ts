/** A server as people recognise it: without its variables and headers, which may be secrets. */
export function addressIn({ command, args, url }: Readonly<Record<string, unknown>>): string {
  return [url ?? command ?? "", ...(Array.isArray(args) ? args : [])].map(String).join(" ");
}
