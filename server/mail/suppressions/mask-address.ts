/** Enough of an address for its owner to know it by: `a…@example.org`. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf("@");
  const [first = ""] = Array.from(address.slice(0, Math.max(at, 0)));
  return `${first}…${address.slice(Math.max(at, 0))}`;
}
