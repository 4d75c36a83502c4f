/** What browsers with Trusted Types give; TypeScript's own library of the DOM doesn't know them yet. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML: (html: string) => string }): Policy;
}

interface Policy {
  createHTML(html: string): TrustedHTML;
}

let policy: Policy | undefined;

/**
 * The only HTML that public pages may parse: texts that the server laid out from Markdown, and the head that `buildHead` wrote. The
 * policy of the document (`server/http/pages/policies.ts`) lets nobody else turn text into elements or scripts, a library neither, so
 * that text of a person which went astray stays text. Where there are no Trusted Types, on the server too, it is the text itself.
 */
export function trustHtml(html: string): TrustedHTML | string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  if (!trustedTypes) return html;
  policy ??= trustedTypes.createPolicy("foyer", { createHTML: (text) => text });
  return policy.createHTML(html);
}
