import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { withTransaction } from "#server/db/transaction.ts";
import { type AccountsFixture, OWNER, openAccounts } from "../fixture.ts";
import { getCode, register, requireRegistered, toWrong, verify } from "../test-registration.ts";
import { cancelEmailChange, requestEmailChange } from "./change-email.ts";

const HOUR_MS = 3_600_000;

let accounts: AccountsFixture;
let count = 0;
beforeAll(async () => {
  accounts = await openAccounts();
});
afterAll(() => accounts.close());
beforeEach(async () => {
  accounts.clock.now += HOUR_MS;
  accounts.takeMails();
  await accounts.takeAudit();
});

/** A signed-in person with a way to ask for another address. */
async function openMover() {
  const account = await accounts.addAccount(`mover_${++count}`);
  const { tokens } = await accounts.signIn(account.username);
  accounts.takeMails();
  await accounts.takeAudit();
  const token = tokens.access_token;
  return {
    ...account,
    token,
    async move(email: string) {
      const person = await accounts.service.authenticate(token);
      if (!person) throw new Error("the token is no good");
      await withTransaction(accounts.pool, (db) =>
        requestEmailChange(accounts.deps, db, person, email, "tr"),
      );
      accounts.deps.sessionAccounts.drop();
    },
    cancel: async () => {
      await cancelEmailChange(accounts.pool, account.id);
      accounts.deps.sessionAccounts.drop();
    },
    async read() {
      const { rows } = await accounts.pool.query(
        "SELECT email, pending_email FROM account_user WHERE id = $1",
        [account.id],
      );
      return rows[0];
    },
  };
}

test("whoever staff made a guest stays one with another address", async () => {
  const mover = await openMover();
  const level = async () => {
    const { rows } = await accounts.pool.query(
      "SELECT l.level FROM account_user u JOIN access_level l ON l.id = u.access_level_id WHERE u.id = $1",
      [mover.id],
    );
    return rows[0].level;
  };
  await accounts.pool.query(
    "UPDATE account_user SET access_level_id = (SELECT id FROM access_level WHERE level = 0) WHERE id = $1",
    [mover.id],
  );
  accounts.deps.sessionAccounts.drop();
  await mover.move(`other_${count}@example.org`);
  const answer = await verify(accounts, `other_${count}@example.org`, getCode(accounts.takeMails()), {
    token: mover.token,
  });
  expect([answer.statusCode, await level()]).toEqual([200, 0]);
});

test("the old address stays until the code is typed that the new one was sent", async () => {
  const mover = await openMover();
  await mover.move("New@example.org");
  expect(await mover.read()).toEqual({ email: mover.email, pending_email: "New@example.org" });
  const mails = accounts.takeMails();
  expect(mails).toMatchObject([
    { kind: "change_email_code", recipient: "New@example.org", language: "tr", userId: mover.id },
  ]);
  const answer = await verify(accounts, "new@example.org", getCode(mails), { token: mover.token });
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({
    success: true,
    message: "Your new email address is verified.",
    username: mover.username,
    session: null,
    is_waiting: false,
    reset: null,
  });
  expect(await mover.read()).toEqual({ email: "New@example.org", pending_email: null });
  expect((await accounts.getMe(mover.token)).json()).toMatchObject({ email: "New@example.org" });
  expect(accounts.takeMails()).toEqual([
    expect.objectContaining({
      kind: "address_changed",
      recipient: mover.email,
      newAddress: "New@example.org",
    }),
  ]);
  expect(await accounts.takeAudit()).toEqual([
    expect.objectContaining({ action_type: "UPDATE", detail: "change_email", user_id: mover.id }),
  ]);
});

test("without the person's token the code is good for nothing", async () => {
  const mover = await openMover();
  await mover.move("alone@example.org");
  const code = getCode(accounts.takeMails());
  const other = await openMover();
  expect((await verify(accounts, "alone@example.org", code)).statusCode).toBe(400);
  expect((await verify(accounts, "alone@example.org", code, { token: other.token })).statusCode).toBe(400);
  expect(await mover.read()).toMatchObject({ email: mover.email });
});

test("of two people who wait for one address, the one whose code it is moves there", async () => {
  const first = await openMover();
  const second = await openMover();
  await first.move("shared@example.org");
  await second.move("shared@example.org");
  const [mail, ...others] = accounts.takeMails();
  // Each has a mail and a code: nobody makes another person wait.
  expect(others).toMatchObject([{ kind: "change_email_code", userId: expect.any(Number) }]);
  const code = getCode(mail ? [mail] : []);
  const early = await verify(accounts, "shared@example.org", code, { token: second.token });
  expect(early.statusCode).toBe(400);
  expect((await verify(accounts, "shared@example.org", code, { token: first.token })).statusCode).toBe(200);
  expect(await second.read()).toMatchObject({ email: second.email });
});

test("a wrong code moves nothing", async () => {
  const mover = await openMover();
  await mover.move("wrong@example.org");
  const code = getCode(accounts.takeMails());
  const answer = await verify(accounts, "wrong@example.org", toWrong(code), { token: mover.token });
  expect(answer.statusCode).toBe(400);
  expect(await mover.read()).toMatchObject({ email: mover.email, pending_email: "wrong@example.org" });
});

test("an address that has an account is not shown as one; its owner is notified", async () => {
  const mover = await openMover();
  await mover.move(OWNER.email);
  expect(await mover.read()).toMatchObject({ pending_email: OWNER.email });
  expect(accounts.takeMails()).toEqual([
    expect.objectContaining({ kind: "account_exists", recipient: OWNER.email, userId: accounts.owner.id }),
  ]);
});

test("a change that was cancelled, or replaced by another, makes its code worthless", async () => {
  const mover = await openMover();
  await mover.move("one@example.org");
  const one = getCode(accounts.takeMails());
  await mover.move("two@example.org");
  const two = getCode(accounts.takeMails());
  expect((await verify(accounts, "one@example.org", one, { token: mover.token })).statusCode).toBe(400);
  await mover.cancel();
  expect(await mover.read()).toMatchObject({ pending_email: null });
  expect((await verify(accounts, "two@example.org", two, { token: mover.token })).statusCode).toBe(400);
});

test("another code for the new address is asked for like any, with the person's token", async () => {
  const mover = await openMover();
  await mover.move("again@example.org");
  accounts.takeMails();
  const ask = () =>
    accounts.send("POST", "/api/users/request-verification/", {
      payload: { email: "again@example.org" },
      token: mover.token,
    });
  accounts.clock.now += 20_000;
  expect((await ask()).json()).toMatchObject({ retry_after: 40 });
  accounts.clock.now += 40_000;
  expect((await ask()).json()).toMatchObject({ retry_after: 60 });
  const code = getCode(accounts.takeMails());
  expect((await verify(accounts, "again@example.org", code, { token: mover.token })).statusCode).toBe(200);
});

test("however many people want a new address, it gets ten mails an hour, then one each five minutes", async () => {
  const email = `wanted_${++count}@example.org`;
  const movers = [];
  for (let index = 0; index < 14; index++) movers.push(await openMover());
  for (const mover of movers) await mover.move(email);
  expect(accounts.takeMails().length).toBe(10 + 1);
  const ask = async (mover: { token: string }) => {
    const payload = { email };
    const answer = await accounts.send("POST", "/api/users/request-verification/", {
      payload,
      token: mover.token,
    });
    return [answer.statusCode, answer.json().retry_after];
  };
  // Each five minutes one of those who ask; all are answered alike.
  accounts.clock.now += 5 * 60_000;
  for (const mover of movers.slice(1)) expect(await ask(mover)).toEqual([200, 60]);
  const sent = accounts.takeMails();
  expect(sent.length).toBe(1);
  // Whom it names moves there; nobody is left without a way for ever.
  const named = movers.find(
    ({ username }) => sent[0]?.kind === "change_email_code" && sent[0].username === username,
  );
  const moved = await verify(accounts, email, getCode(sent), { token: named?.token ?? "none" });
  expect(moved.statusCode).toBe(200);
});

test("who registered the new address without proving it loses it to the one who does", async () => {
  const mover = await openMover();
  const claim = await requireRegistered(accounts, "claimant", { email: "both@example.org" });
  const claimed = getCode(accounts.takeMails());
  await mover.move("both@example.org");
  const code = getCode(accounts.takeMails());
  expect((await verify(accounts, "both@example.org", code, { token: mover.token })).statusCode).toBe(200);
  const late = await verify(accounts, "both@example.org", claimed, { ticket: claim.ticket });
  expect(late.statusCode).toBe(400);
  expect((await accounts.pool.query("SELECT FROM account_user WHERE username = 'claimant'")).rowCount).toBe(
    0,
  );
});

test("an address that somebody proves meanwhile can't be moved to", async () => {
  const mover = await openMover();
  await mover.move("race@example.org");
  const code = getCode(accounts.takeMails());
  await register(accounts, "winner", { email: "race@example.org" });
  await verify(accounts, "race@example.org", getCode(accounts.takeMails()));
  const answer = await verify(accounts, "race@example.org", code, { token: mover.token });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: "invalid_verification_code" });
  expect(await mover.read()).toMatchObject({ email: mover.email });
});

test.each(["", "nobody", "a..b@example.org"])("the address %j is refused at its field", async (email) => {
  const mover = await openMover();
  await expect(mover.move(email)).rejects.toMatchObject({
    code: "validation_failed",
    fields: [expect.objectContaining({ field: "email" })],
  });
  expect(await mover.read()).toMatchObject({ pending_email: null });
});
