import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";

let site: TestApp;
let staff: TestPerson;
let visitor: TestPerson;
beforeAll(async () => {
  site = await createTestApp();
  staff = await site.signInAs(10);
  visitor = await site.signInAs(5);
});
afterAll(() => site.close());
beforeEach(() =>
  site.database.pool.query("DELETE FROM mail_suppression; DELETE FROM mail_suppression_change"),
);

const call = (path: string, payload: object, { person = staff, language = "en" } = {}) =>
  site.app.inject({
    method: "POST",
    url: `/api/mail/suppressions/${path}`,
    headers: { authorization: person.authorization, "accept-language": language },
    payload,
  });

const STOP = { scope: "all", reason: "They asked by phone." };
const read = async () =>
  (
    await site.database.pool.query(
      "SELECT id, address, scope, reason, source FROM mail_suppression ORDER BY address",
    )
  ).rows;

test("staff stop addresses, and learn which are none and which were stopped already", async () => {
  const first = await call("", { ...STOP, addresses: ["Ada@Foyer.example"] });
  expect(first.json()).toMatchObject({
    success: true,
    message: "The address gets no more such mail.",
    changed: 1,
  });
  const second = await call("", {
    ...STOP,
    addresses: ["ADA@foyer.example", "eve@örnek.example", "no address"],
  });
  expect(second.json()).toMatchObject({
    changed: 1,
    unchanged: 1,
    invalid: ["no address"],
    invalid_count: 1,
  });
  expect((await read()).map(({ address, source }) => [address, source])).toEqual([
    ["ada@foyer.example", "admin"],
    ["eve@xn--rnek-4qa.example", "admin"],
  ]);
});

test("a file is read line by line, of csv its first column, and in the language of who asks", async () => {
  const text = 'email,reason\r\n"a@foyer.example",gone\r\nb@foyer.example;x\n\na@foyer.example\n';
  const answer = await call("import/", { ...STOP, text }, { language: "tr" });
  expect(answer.json()).toMatchObject({
    changed: 2,
    message: "2 adrese artık bu tür e-posta gitmeyecek.",
    invalid: [],
  });
  expect((await read()).map(({ address }) => address)).toEqual(["a@foyer.example", "b@foyer.example"]);
});

test("what a file stops ends when it is asked to", async () => {
  const expires_at = "2031-05-02T00:00:00.000Z";
  const answer = await call("import/", { ...STOP, text: "a@foyer.example", expires_at });
  expect(answer.json()).toMatchObject({ changed: 1 });
  const { rows } = await site.database.pool.query("SELECT expires_at FROM mail_suppression");
  expect(rows.map((row) => new Date(row.expires_at).toISOString())).toEqual([expires_at]);
  expect((await call("import/", { ...STOP, text: "b@foyer.example", expires_at: "soon" })).statusCode).toBe(
    400,
  );
});

test("lifting needs a reason, and can be undone", async () => {
  await call("", { ...STOP, addresses: ["a@foyer.example", "b@foyer.example"] });
  const before = await read();
  const ids = before.map(({ id }) => id);
  expect((await call("lift/", { ids, reason: " " })).statusCode).toBe(400);
  const lifted = (await call("lift/", { ids, reason: "The mailboxes work again." })).json();
  expect(lifted).toMatchObject({ changed: 2, message: "2 addresses get mail again." });
  expect(await read()).toEqual([]);
  expect((await call("undo/", lifted.undo.body)).json()).toMatchObject({ success: true, changed: 2 });
  const withoutId = (rows: { id: number }[]) => rows.map(({ id: _, ...row }) => row);
  expect(withoutId(await read())).toEqual(withoutId(before));
  expect((await call("undo/", lifted.undo.body)).statusCode).toBe(409);
});

test("five thousand addresses are one call", async () => {
  const addresses = Array.from({ length: 5000 }, (_, index) => `person${index}@foyer.example`);
  expect((await call("", { ...STOP, addresses })).json()).toMatchObject({ changed: 5000, unchanged: 0 });
  const more = [...addresses, "one@foyer.example"];
  expect((await call("", { ...STOP, addresses: more })).statusCode).toBe(400);
});

test("who may not open the console changes nothing", async () => {
  for (const path of ["", "import/", "lift/", "undo/"])
    expect(
      (await call(path, { ...STOP, addresses: ["a@foyer.example"] }, { person: visitor })).statusCode,
    ).toBe(403);
});

describe("staff don't silence", () => {
  let made = 0;
  const signIn = (level: number) => site.signInAs(level, `silent_${++made}`);

  test.each([
    [10, 10],
    [10, 999],
    [999, 999],
  ])("of level %d somebody of level %d, by the list or by a file", async (own, level) => {
    const [me, other] = [await signIn(own), await signIn(level)];
    const address = other.email.toUpperCase();
    for (const [path, what] of [
      ["", { addresses: ["free@foyer.example", address] }],
      ["import/", { text: `free@foyer.example\n${address}` }],
    ] as const) {
      const answer = await call(path, { ...STOP, scope: "optional", ...what }, { person: me });
      expect(answer.statusCode).toBe(403);
      expect(answer.json().errors).toEqual([
        expect.objectContaining({
          code: "address_of_peer",
          message: expect.stringContaining(address.toLowerCase()),
        }),
      ]);
    }
    expect(await read()).toEqual([]);
  });

  test("but whoever is below, and themselves", async () => {
    const [me, below] = [await signIn(10), await signIn(5)];
    const addresses = [me.email, below.email];
    expect((await call("", { ...STOP, addresses }, { person: me })).json()).toMatchObject({ changed: 2 });
  });

  test("by undoing what let mail through again", async () => {
    const owner = await signIn(999);
    await call("", { ...STOP, addresses: [owner.email] }, { person: owner });
    const [row] = await read();
    const lifted = (await call("lift/", { ids: [row?.id], reason: "It works." })).json();
    expect(await read()).toEqual([]);
    const undone = await call("undo/", lifted.undo.body);
    expect(undone.statusCode).toBe(409);
    expect(await read()).toEqual([]);
  });
});
