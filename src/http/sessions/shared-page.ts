// A shared chat as one HTML document. It shows what was said and the names of the tools that were used: not what the tools were given
// and gave back, not the reasoning, and nothing of sub-agents.
import { escapeHtml } from "../../text/escape-html.js";
import type { StoredUiMessage } from "../messages/to-ui-messages.js";
import type { UiPart } from "../messages/ui-message-reader.js";

const STYLE = `:root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif }
body { margin: 0 auto; padding: 1rem; max-width: 44rem }
section { margin: 1.5rem 0; overflow-wrap: anywhere }
section.user { border-inline-start: .25rem solid; padding-inline-start: .75rem }
h1 { font-size: 1.4rem; overflow-wrap: anywhere } h2 { font-size: .85rem; margin: 0 }
p { margin: .25rem 0; white-space: pre-wrap } img { max-width: 100% }`;

export function sharedPage(title: string, messages: readonly StoredUiMessage[]): string {
  const name = escapeHtml(title === "" ? "A shared chat" : title);
  const sections = messages.map(({ role, parts }) => {
    const shown = parts.map(partOf).filter((part) => part !== "");
    if (shown.length === 0) return "";
    return `<section class="${role}"><h2>${role === "user" ? "User" : "Assistant"}</h2>${shown.join("")}</section>`;
  });
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name}</title><style>${STYLE}</style>
<main><h1>${name}</h1>${sections.join("\n")}</main></html>`;
}

function partOf(part: UiPart): string {
  const { type, text, url, mediaType, filename, toolName } = part as { readonly [field: string]: unknown };
  if (type === "text" && typeof text === "string") return text.trim() === "" ? "" : `<p>${escapeHtml(text)}</p>`;
  if (type === "file") return fileOf(String(url), String(filename ?? mediaType));
  const tool = typeof type === "string" && type.startsWith("tool-") ? type.slice("tool-".length) : toolName;
  return typeof tool === "string" ? `<p><em>Used ${escapeHtml(tool)}.</em></p>` : "";
}

function fileOf(url: string, name: string): string {
  if (/^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]*$/.test(url))
    return `<p><img src="${url}" alt="${escapeHtml(name)}"></p>`;
  return `<p><em>File: ${escapeHtml(name)}</em></p>`;
}
