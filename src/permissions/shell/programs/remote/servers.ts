import type { ProgramRow } from "../program-row.js";
import { CALLS, does } from "../reach.js";

/** It hands out the directories among its words, or the one it stands in, with all that is below. */
export const FILE_SERVER: ProgramRow = does(CALLS, "their documentations, 2024", {
  anyOptions: true,
  operands: "directory",
  recursive: true,
  // Commands, ports, addresses and time spans.
  noFiles: { operands: /^(?:start|run|file-server|httpd|localhost|[\d.:]+s?|tcp:.*)$/ },
});

/** Programs that hand out a whole directory to whoever connects. */
export const SERVER_PROGRAMS: Readonly<Record<string, ProgramRow>> = {
  "http-server serve live-server lite-server browser-sync servor miniserve dufs darkhttpd webfsd simple-http-server httpd caddy":
    FILE_SERVER,
};
