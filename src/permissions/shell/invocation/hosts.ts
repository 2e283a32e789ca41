/** The host a URL or `user@host:path` names, in lower case; `null` when there is not one to see. */
export function hostInUrl(address: string): string | null {
  const match =
    /^[a-z][\w+.-]*:\/\/(?:[^/@\s]*@)?(\[[^\]]*\]|[^/:?#\s]+)/i.exec(address) ??
    /^(?:[^/@:\s]+@)?([\w.-]+):/.exec(address);
  return match?.[1]?.toLowerCase() ?? null;
}
