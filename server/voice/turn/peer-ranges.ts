import { BlockList, isIPv6 } from "node:net";

/**
 * Where the relay sends nothing, first and last address: otherwise whoever may talk could reach the owner's own network through it.
 * IANA's special-purpose registries, without what the relay itself may have as its address.
 */
export const DENIED_PEERS: readonly (readonly [first: string, last: string])[] = [
  ["0.0.0.0", "0.255.255.255"],
  ["10.0.0.0", "10.255.255.255"],
  ["100.64.0.0", "100.127.255.255"],
  ["127.0.0.0", "127.255.255.255"],
  ["169.254.0.0", "169.254.255.255"],
  ["172.16.0.0", "172.31.255.255"],
  ["192.0.0.0", "192.0.0.255"],
  ["192.0.2.0", "192.0.2.255"],
  ["192.88.99.0", "192.88.99.255"],
  ["192.168.0.0", "192.168.255.255"],
  ["198.18.0.0", "198.19.255.255"],
  ["198.51.100.0", "198.51.100.255"],
  ["203.0.113.0", "203.0.113.255"],
  ["224.0.0.0", "255.255.255.255"],
  // Loopback and IPv4 in other forms. Not from `::` on: coturn takes a range without a lower end for one of all IPv4 addresses too.
  ["::1", "::ffff:ffff"],
  ["::ffff:0.0.0.0", "::ffff:255.255.255.255"],
  ["64:ff9b::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff"],
  ["100::", "100::ffff:ffff:ffff:ffff"],
  // Teredo, benchmarks, documentation, 6to4.
  ["2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  // Of a private network, of one link, multicast.
  ["fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["fe80::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  ["ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
];

const toFamily = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4");
// One for each: a list reads an IPv4 address as its mapped form too, all of which are denied.
const denied = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [first, last] of DENIED_PEERS) denied[toFamily(first)].addRange(first, last, toFamily(first));

/** Whether the relay would refuse this peer. */
export function isDeniedPeer(address: string): boolean {
  const family = toFamily(address);
  return denied[family].check(address, family);
}
