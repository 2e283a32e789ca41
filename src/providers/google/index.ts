export { google } from "./google.js";
export { type GoogleSchema, toGoogleSchema } from "./google-schema.js";
export { toOpenApiSchema } from "./openapi-schema.js";
export type { GoogleOptions } from "./options.js";
export type { GoogleClient, GoogleThinking } from "./wire.js";
