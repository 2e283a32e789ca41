import { fileURLToPath } from "node:url";

/** Our server with bad habits. */
export const HOSTILE = fileURLToPath(new URL("server.mjs", import.meta.url));
