/** What browsers with Trusted Types give; TypeScript's own library of the DOM doesn't know them yet. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML: (html: string) => string; createScriptURL: (address: string) => string },
  ): Policy;
}

interface Policy {
  createHTML(html: string): TrustedHTML;
  /** In truth a TrustedScriptURL, which stands where the DOM's types say `string`. */
  createScriptURL(address: string): string;
}

let policy: Policy | undefined;

/** The only policy that public pages allow (`server/http/pages/policies.ts`). Undefined where there are none: on the server, in old browsers. */
function getPolicy(): Policy | undefined {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy("foyer", {
    createHTML: (html) => html,
    createScriptURL(address) {
      if (!/^\/[\w.-]+\?/.test(address)) throw new TypeError(`${address} is no script of the site's own`);
      return address;
    },
  });
  return policy;
}

/**
 * The only HTML that public pages may parse: texts that the server laid out from Markdown, and the head that `buildHead` wrote. Nobody
 * else turns text into elements or scripts, a library neither, so that text of a person which went astray stays text.
 */
export const trustHtml = (html: string): TrustedHTML | string => getPolicy()?.createHTML(html) ?? html;

/** The address of a worker that stands beside the pages. @throws TypeError of any other. */
export const trustWorker = (address: string): string => getPolicy()?.createScriptURL(address) ?? address;
