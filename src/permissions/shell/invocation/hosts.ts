/** A host as it is looked up: `ev%69l.example` and `ｅvil。example` are `evil.example`. `null`: not known. */
export function lookedUp(host: string): string | null {
  if (/^[\w.:@[\]*{}-]*$/.test(host)) return host;
  try {
    return new URL(`http://${host}`).hostname;
  } catch {
    return null;
  }
}

/** A text as programs read it that decode the characters of a host. */
export function decoded(text: string): string {
  const plain = text.replace(/%[\da-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  return plain.normalize("NFKC").replace(/[\u3002\uff61]/g, ".");
}

/** The host a URL or `user@host:path` names, in lower case; `null` when there is not one to see. */
export function hostInUrl(address: string): string | null {
  const match =
    /^[a-z][\w+.-]*:\/\/(?:[^/@\s]*@)?(\[[^\]:]*:[^\]]*\]|[^/:?#\s]+)/i.exec(address) ??
    /^(?:[^/@:\s]+@)?([\w.-]+):/.exec(address);
  return match?.[1]?.toLowerCase() ?? null;
}
