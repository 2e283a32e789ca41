export { google } from "./google.js";
export { type GoogleSchema, toGoogleSchema } from "./google-schema.js";
export type { GoogleOptions } from "./options.js";
export type { GoogleClient, GoogleThinking } from "./wire.js";
