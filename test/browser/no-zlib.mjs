// In the place of `node:zlib` in a page: just-bash asks for it where a command packs or unpacks.
export const constants = {};
export const gunzipSync = undefined;
export const gzipSync = undefined;
