import { createHash } from "node:crypto";

/** What is known of the processes of a site. */
export interface Presence {
  /** Where this process is reached. */
  readonly self: string;
  /** Addresses of those that aren't about to stop: a process's name, a dot, and the number of its presence. */
  listStaying(): readonly string[];
}

/**
 * Which process keeps something of this name: all that know the same processes say the same. The one of highest weight keeps it
 * (rendezvous hashing): where a process comes or goes, nothing moves between two others. By the names of processes: who was cut off and is
 * back keeps what they kept.
 * @returns an address
 */
export function chooseHome({ self, listStaying }: Presence, name: string): string {
  let best = self;
  let highest = "";
  for (const address of listStaying()) {
    const process = address.slice(0, address.lastIndexOf("."));
    const weight = createHash("sha1").update(`${process} ${name}`).digest("hex");
    if (weight <= highest) continue;
    highest = weight;
    best = address;
  }
  return best;
}
