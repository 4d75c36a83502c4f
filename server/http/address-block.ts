import { isIPv4, isIPv6 } from "node:net";

const GROUPS = 8;
const GROUPS_OF_BLOCK = 4;

/** The eight groups of an IPv6 address, `::` filled in. */
function toGroups(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const first = head === "" ? [] : head.split(":");
  if (tail === undefined) return first;
  const last = tail === "" ? [] : tail.split(":");
  return [...first, ...Array<string>(Math.max(0, GROUPS - first.length - last.length)).fill("0"), ...last];
}

/**
 * What counts as one place for a limit: an IPv4 address, or the /64 of an IPv6 one, because a household is given at
 * least that much and can change the rest at will. An IPv4 address written as IPv6 (`::ffff:192.0.2.1`) is that address.
 */
export function toAddressBlock(address: string | null): string {
  if (address === null) return "unknown";
  const plain = address.split("%")[0]?.toLowerCase() ?? "";
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1];
  if (mapped) return mapped;
  if (isIPv4(plain) || !isIPv6(plain)) return plain;
  const groups = toGroups(plain)
    .slice(0, GROUPS_OF_BLOCK)
    .map((group) => Number.parseInt(group, 16).toString(16));
  return `${groups.join(":")}::/64`;
}
