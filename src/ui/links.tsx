/** Whether an address leads to a page of the web, with everything that it takes. */
export function isHttpAddress(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
}

/** An address that may stand in `href`: http or https, or a path on this site. Anything else stays text. */
export function toWebAddress(address: string | null): string | null {
  if (!address) return null;
  if (address.startsWith("/") && !/^\/[/\\]/.test(address)) return address;
  return isHttpAddress(address) ? address : null;
}

/** The part of an address that people read: no scheme, no `www.`, no slash at the end. */
export function toShortAddress(address: string): string {
  return address.replace(/^https?:\/\/(www\.)?/, "").replace(/\/$/, "");
}
