import type { Figure } from "../socket/figure.ts";
import { addMembers, becomeOwner } from "./people.ts";
import { openClusterSite, type SiteProcess } from "./site.ts";

const PROCESSES = 3;
const ATTEMPTS = 60;

interface Attempt {
  username: string;
  address: string;
}

/** Wrong passwords at once. @returns how many were compared */
async function attack(processes: readonly SiteProcess[], toAttempt: (index: number) => Attempt) {
  const statuses = await Promise.all(
    Array.from({ length: ATTEMPTS }, async (_, index) => {
      const { username, address } = toAttempt(index);
      const answer = await fetch(`${processes[index % processes.length]?.url}/api/users/login/`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": address },
        body: JSON.stringify({ username, password: `Wrong-${index}` }),
      });
      await answer.arrayBuffer();
      return answer.status;
    }),
  );
  const other = statuses.filter((status) => status !== 401 && status !== 429);
  if (other.length > 0) throw new Error(`log-ins were answered ${other.join(", ")}`);
  return statuses.filter((status) => status === 401).length;
}

/**
 * Again and again, until none is compared any more. What comes from one address is compared one after the other with a pause, in each process for
 * itself: what counts is how many there are in the end.
 */
async function attackUntilFull(processes: readonly SiteProcess[], toAttempt: (index: number) => Attempt) {
  let compared = 0;
  for (;;) {
    const more = await attack(processes, toAttempt);
    if (more === 0) return compared;
    compared += more;
  }
}

const toFigure = (name: string, spread: number, one: number): Figure => ({
  name: `wrong log-ins that are compared, ${ATTEMPTS} at once and again ${name}`,
  bar: `${one}, as at one process`,
  measured: `${spread} over ${PROCESSES} processes`,
  isMet: spread <= one,
});

/** Whether limits are as strict with requests over three processes as with all of them at one. */
export async function measureLimits(): Promise<Figure[]> {
  const site = await openClusterSite();
  try {
    const env = { TRUST_PROXY: "true" };
    const first = await site.add({ env });
    await becomeOwner(first);
    await addMembers(site, ["spread", "one"], 1, () => first);
    const all = [first];
    while (all.length < PROCESSES) all.push(await site.add({ env }));
    const onAccount = (username: string, net: string) => (index: number) => ({
      username,
      address: `${net}.${index + 1}`,
    });
    const fromAddress = (address: string, name: string) => (index: number) => ({
      username: `${name}${index}`,
      address,
    });
    return [
      toFigure(
        "on one account from as many addresses",
        await attackUntilFull(all, onAccount("spread", "198.51.100")),
        await attackUntilFull([first], onAccount("one", "203.0.113")),
      ),
      toFigure(
        "from one address on as many names",
        await attackUntilFull(all, fromAddress("192.0.2.1", "nobody")),
        await attackUntilFull([first], fromAddress("192.0.2.2", "noone")),
      ),
    ];
  } finally {
    await site.close();
  }
}
