import { createHash } from "node:crypto";

/** Scripts that stand in a template itself, as the browser hashes them; `type` marks data blocks and modules. */
function findInlineScripts(template: string): string[] {
  return [...template.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, text = ""]) => text);
}

/**
 * Nothing from elsewhere, no inline style, and of inline scripts only those of the template, by their hash: the public
 * pages' HTML stays the same bytes for everybody.
 */
export function toPublicCsp(template: string): string {
  const hashes = findInlineScripts(template).map(
    (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`,
  );
  return [
    "default-src 'self'",
    ["script-src 'self'", ...hashes].join(" "),
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The console: antd writes style elements, which carry the nonce of this document. */
export function toAdminCsp(nonce: string): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}
