import type { ProviderAdapter } from "../../../contracts/provider.js";
import type { OpenAIEndpoint } from "../client.js";

const ACCESS = Symbol("probe access");

/** An adapter's connection for `probeProvider`, without the capabilities that the adapter has learned. */
export interface ProbeAccess {
  readonly id: string;
  readonly model: string;
  readonly baseURL: string;
  readonly apiKeyEnv: string;
  readonly endpoint: OpenAIEndpoint;
}

/** Gives an adapter the access; its keys stay with its connection. */
export function withProbeAccess(provider: ProviderAdapter, access: ProbeAccess): ProviderAdapter {
  return Object.defineProperty(provider, ACCESS, { value: access });
}

/** `undefined` for adapters of another kind, and for decorated ones. */
export function probeAccessOf(provider: ProviderAdapter): ProbeAccess | undefined {
  return (provider as { readonly [ACCESS]?: ProbeAccess })[ACCESS];
}
