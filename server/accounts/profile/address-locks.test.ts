import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { LightMyRequestResponse } from "fastify";
import { loginAnswer } from "#contract/accounts/accounts.ts";
import { lockAddress } from "../codes/store.ts";
import { openProfiles, PASSWORD, type Person, type ProfilesFixture } from "./fixture.ts";

const DAY_MS = 86_400_000;
const POLL_MS = 10;
/** Ends a test that would hang. */
const PATIENCE_MS = 180_000;

let profiles: ProfilesFixture;
beforeAll(async () => {
  profiles = await openProfiles();
});
afterAll(() => profiles.close());

const deleteMe = (person: Pick<Person, "headers">) =>
  profiles.call("DELETE", "/api/users/me/", person, { password: PASSWORD });

/** True once somebody waits for an address; false where the call answers without waiting. */
async function hasToWait(call: Promise<unknown>): Promise<boolean> {
  let isAnswered = false;
  const answered = call.finally(() => {
    isAnswered = true;
  });
  answered.catch(() => undefined); // the test itself awaits the call
  const end = performance.now() + PATIENCE_MS;
  while (!isAnswered && performance.now() < end) {
    const { rowCount } = await profiles.pool.query(
      "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())",
    );
    if (rowCount) return true;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return false;
}

/** Makes a call while somebody else decides about an address, and then takes the account's row as that one does. */
async function callWhileLocked(
  address: string,
  userId: number,
  call: () => Promise<LightMyRequestResponse>,
): Promise<LightMyRequestResponse> {
  const other = await profiles.pool.connect();
  try {
    await other.query("BEGIN");
    await lockAddress(other, address);
    const answer = call();
    expect(await hasToWait(answer)).toBe(true);
    await other.query("SELECT FROM account_user WHERE id = $1 FOR UPDATE NOWAIT", [userId]);
    await other.query("COMMIT");
    return await answer;
  } finally {
    await other.query("ROLLBACK");
    other.release();
  }
}

test("a person who asks for another address holds nothing that the one who types its code needs", async () => {
  const person = await profiles.addPerson("mover");
  const answer = await callWhileLocked("new@example.org", person.id, () =>
    profiles.putJson(person, { email: "New@example.org", current_password: PASSWORD }),
  );
  expect(answer.json()).toMatchObject({ pending_email: "New@example.org" });
});

test.each([
  ["its address", "leaver_1", "leaver_1@example.org"],
  ["the address that it waits for", "leaver_2", "elsewhere@example.org"],
])("an account that is deleted waits for whoever sends a code to %s", async (_which, username, address) => {
  const person = await profiles.addPerson(username, { columns: "pending_email = 'elsewhere@example.org'" });
  const answer = await callWhileLocked(address, person.id, () => deleteMe(person));
  expect(answer.statusCode).toBe(204);
});

test("who claims somebody's address and deletes the account takes nothing of that person's along", async () => {
  const email = "victim@example.org";
  const send = (url: string, payload: object) => profiles.call("POST", url, undefined, payload);
  const claim = { username: "claimant", email, password: PASSWORD, password_confirm: PASSWORD };
  expect((await send("/api/users/register/", claim)).statusCode).toBe(201);
  await send("/api/users/password/forgot/", { email });
  await profiles.logIn(email, "Wrong-Horse-1");
  const readRows = async () => {
    const { rows } = await profiles.pool.query(
      "SELECT purpose, code_hash, sent_at FROM account_code WHERE email = $1 ORDER BY purpose",
      [email],
    );
    return rows;
  };
  const before = await readRows();
  expect(before).toHaveLength(2);
  const { tokens } = loginAnswer.parse((await profiles.logIn("claimant")).json());
  const answer = await deleteMe({ headers: { authorization: `Bearer ${tokens.access_token}` } });
  expect(answer.statusCode).toBe(204);
  expect(await readRows()).toEqual(before);
  // Whose address it was, the log never had; from where it was tried stays.
  const { rows } = await profiles.pool.query(
    "SELECT ip_address FROM audit_entry WHERE username = '…@example.org'",
  );
  expect(rows).toEqual([{ ip_address: expect.any(String) }]);
});

test("a username that was held for a day without proving an address is free for a rename", async () => {
  const person = await profiles.addPerson("renamed");
  const claim = {
    username: "Wanted",
    email: "w@example.org",
    password: PASSWORD,
    password_confirm: PASSWORD,
  };
  await profiles.call("POST", "/api/users/register/", undefined, claim);
  expect((await profiles.putJson(person, { username: "wanted" })).statusCode).toBe(400);
  profiles.clock.now += DAY_MS;
  const { tokens } = loginAnswer.parse((await profiles.logIn("renamed")).json());
  const again = { headers: { authorization: `Bearer ${tokens.access_token}` } };
  expect((await profiles.putJson(again, { username: "wanted" })).json()).toMatchObject({
    username: "wanted",
  });
});
