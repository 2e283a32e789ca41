import { fieldsOf } from "../../json/is-object.js";

/** A server as people recognise it: without its variables and headers, which may be secrets. */
export function addressIn({ command, args, url }: Readonly<Record<string, unknown>>): string {
  return [url ?? command ?? "", ...(Array.isArray(args) ? args : [])].map(String).join(" ");
}

/** The same with its variables, as they are written: for those who are asked whether it may be started. */
export function startIn(server: Readonly<Record<string, unknown>>): string {
  const variables = Object.entries(fieldsOf(server.env)).map(([name, value]) => `${name}=${value}`);
  return [...variables, addressIn(server)].join(" ");
}
