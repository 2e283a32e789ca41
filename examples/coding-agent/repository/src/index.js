export { formatDuration } from "./format.js";
export { parseDuration } from "./parse.js";
