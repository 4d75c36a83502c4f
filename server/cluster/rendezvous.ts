import { createHash } from "node:crypto";

/** Of an address: a process's name, a dot, and the number of its presence. */
const toName = (address: string) => address.slice(0, address.lastIndexOf("."));

/**
 * Which process keeps something of this name: all that know the same processes say the same. The one of highest weight keeps it
 * (rendezvous hashing): where a process comes or goes, nothing moves between two others. By the names of processes: who was cut off and is
 * back keeps what they kept.
 *
 * @param addresses of the processes that stay; one at least
 * @param name of a topic, or of a count's key
 * @returns an address
 */
export function chooseHome(addresses: readonly string[], name: string): string {
  let best = "";
  let highest = "";
  for (const address of addresses) {
    const weight = createHash("sha1")
      .update(`${toName(address)} ${name}`)
      .digest("hex");
    if (weight <= highest) continue;
    highest = weight;
    best = address;
  }
  return best;
}
