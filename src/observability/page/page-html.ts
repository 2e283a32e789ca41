// One file, nothing from elsewhere: a content-security policy allows this style and this script by their hashes and
// nothing else. What a session says is data in a JSON block, which the script shows as text.
import { createHash } from "node:crypto";
import { escapeHtml } from "../../text/escape-html.js";
import { PAGE_SCRIPT, PAGE_STYLE } from "./page-assets.js";
import type { PageSession } from "./page-entry.js";

/** The policy of a page. A page that is a file connects to nothing, a live one to where it came from. */
export function contentSecurityPolicy(isLive: boolean): string {
  return [
    "default-src 'none'",
    `script-src ${hashOf(PAGE_SCRIPT)}`,
    `style-src ${hashOf(PAGE_STYLE)}`,
    "img-src data:",
    `connect-src ${isLive ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
}

/** The whole page. */
export function pageHtml(session: PageSession): string {
  const policy = contentSecurityPolicy(session.live !== undefined);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(session.title.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ""))}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<noscript>This page needs JavaScript. It loads nothing from the network.</noscript>
<div id="page"></div>
<script type="application/json" id="session">${jsonForHtml(session)}</script>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

/**
 * JSON that no HTML parser finds a tag, a comment or a line end of a script in, and nothing that controls a terminal or reorders
 * text where the file itself is looked at. It parses to the same value.
 */
export function jsonForHtml(value: unknown): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value).replace(/[<>&\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (one) => one.split("").map(escaped).join(""));
}

function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
