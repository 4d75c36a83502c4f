/** Enough of an address for its owner to know it by: `a…@example.org`. What stands for the address of a deleted account stays. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf("@");
  if (at < 0) return address;
  const [first = ""] = Array.from(address.slice(0, at));
  return `${first}…${address.slice(at)}`;
}
