/** A request's body as a test looks into it. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not there
export type WireBody = { readonly [field: string]: any };
