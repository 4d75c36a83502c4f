/**
 * Address of a file or picture of the back end, for what the browser fetches by itself (`src`, `href`): answers name them
 * without an origin, and the back end may be at another one (`VITE_API_URL`). Whole addresses stay as they are.
 */
export function toBackEndAddress(address: string, baseUrl = import.meta.env?.VITE_API_URL ?? ""): string {
  return /^\/(?!\/)/.test(address) ? baseUrl.replace(/\/$/, "") + address : address;
}
