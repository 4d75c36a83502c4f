import { randomUUID } from "node:crypto";

type Call = [path: string, payload: object];

/** What must not tell by its time whether there is such an account. */
const CALLS: Record<string, (username: string) => Call> = {
  "a wrong log-in": (username) => ["/api/users/login/", { username, password: "Wrong-Horse-1" }],
  "a forgotten password": (username) => ["/api/users/password/forgot/", { email: toEmail(username) }],
  "a code asked for": (username) => ["/api/users/request-verification/", { email: toEmail(username) }],
};

/** As the accounts of bench/login/site.ts have them. */
const toEmail = (username: string) => `${username}@example.org`;

async function measure(url: string, [path, payload]: Call, address: string): Promise<number> {
  const begin = performance.now();
  const answer = await fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": address },
    body: JSON.stringify(payload),
  });
  await answer.arrayBuffer();
  return performance.now() - begin;
}

/** Milliseconds of each call for people with an account and for as many without, in turns, each from an address of their own. */
export async function measureAlike(url: string, people: readonly string[]) {
  const found: { what: string; known: number[]; unknown: number[] }[] = [];
  let address = 0;
  const takeAddress = () => `100.64.${Math.floor(++address / 250)}.${address % 250}`;
  for (const [what, toCall] of Object.entries(CALLS)) {
    const times = { what, known: [] as number[], unknown: [] as number[] };
    for (const username of people) {
      times.known.push(await measure(url, toCall(username), takeAddress()));
      const nobody = `n_${randomUUID().slice(0, 8)}`;
      times.unknown.push(await measure(url, toCall(nobody), takeAddress()));
    }
    found.push(times);
  }
  return found;
}
