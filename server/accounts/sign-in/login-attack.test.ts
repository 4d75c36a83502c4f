import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type AccountsFixture, OWNER, openAccounts, PLAIN_PASSWORDS, toCookieHeader } from "../fixture.ts";

let accounts: AccountsFixture;
beforeAll(async () => {
  accounts = await openAccounts({ passwords: PLAIN_PASSWORDS, hasOwner: false });
});
afterAll(() => accounts.close());

test.each([["known"], ["unknown"]])(
  "of 1,000 wrong log-ins on 10 %s accounts from 5 addresses at most 50 are compared",
  async (kind) => {
    accounts.clock.now += 3_600_000;
    const names = Array.from({ length: 10 }, (_, index) => `${kind}_${index}`);
    if (kind === "known") for (const name of names) await accounts.addAccount(name);
    const [first] = names;
    const cookie = kind === "known" ? toCookieHeader(await accounts.logIn({ username: first ?? "" })) : "";
    await accounts.takeAudit();
    const before = accounts.counts.known + accounts.counts.unknown;
    const answers = await Promise.all(
      Array.from({ length: 1000 }, (_, index) =>
        accounts.logIn({
          username: names[index % 10] ?? "",
          address: `203.0.113.${Math.floor(index / 10) % 5}`,
          password: `Guess-${index}`,
        }),
      ),
    );
    const count = (status: number) => answers.filter((answer) => answer.statusCode === status).length;
    expect(count(401)).toBe(50);
    expect(count(429)).toBe(950);
    expect(accounts.counts.known + accounts.counts.unknown - before).toBe(50);
    for (const answer of answers.filter(({ statusCode }) => statusCode === 429))
      expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    // One entry for each guess that was compared, and one for each account and address that refused.
    const details = (await accounts.takeAudit()).map((entry) => entry.detail);
    expect(details.filter((detail) => detail === "failed_sign_in")).toHaveLength(50);
    expect(details.filter((detail) => detail === "too_many_sign_ins").length).toBeLessThanOrEqual(15);
    if (!cookie) return;
    const owner = { username: first ?? "", password: OWNER.password };
    expect((await accounts.logIn(owner)).statusCode).toBe(429);
    expect((await accounts.logIn({ ...owner, cookie })).statusCode).toBe(200);
  },
);
