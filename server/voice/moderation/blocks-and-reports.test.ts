import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { VoiceRoom } from "#contract/voice/rooms.ts";
import type { TestPerson } from "#test/app.ts";
import { meetAtLock } from "#test/meet-at-lock.ts";
import { openVoice, readRefusal, type VoiceFixture } from "../fixture.ts";
import { cleanVoice } from "../service.ts";
import { listApart } from "./moderation-store.ts";

let voice: VoiceFixture;
let people: Record<"ada" | "ben" | "maker" | "admin" | "owner", TestPerson>;
let room: VoiceRoom;

beforeAll(async () => {
  voice = await openVoice();
  const add = (level: number, name: string) => voice.site.signInAs(level, name);
  people = {
    ada: await add(1, "ada"),
    ben: await add(1, "ben"),
    maker: await add(5, "maker"),
    admin: await add(10, "admin"),
    owner: await add(999, "owner"),
  };
  room = await voice.makeRoom(people.maker);
});
beforeEach(async () => {
  await voice.pool.query("DELETE FROM voice_daily_count");
  await voice.pool.query("DELETE FROM voice_report");
  await voice.pool.query("DELETE FROM voice_block");
  await voice.takeAudit();
  voice.rooms.takeCalls();
});
afterAll(() => voice.close());

const block = (method: "PUT" | "DELETE", as: TestPerson, userId: number | string) =>
  voice.call(method, `/voice/blocks/${userId}/`, as);

test("a block is the blocker's own affair: published to the rooms, in their list alone, in no log", async () => {
  const { ada, ben } = people;
  expect((await block("PUT", ada, ben.userId)).statusCode).toBe(204);
  expect((await block("PUT", ada, ben.userId)).statusCode).toBe(204);
  expect(voice.rooms.takeCalls()).toEqual([["blocksChanged", ada.userId]]);
  expect((await voice.call("GET", "/voice/blocks", ada)).json()).toEqual({
    blocks: [{ user_id: String(ben.userId), display_name: "ben" }],
  });
  expect((await voice.call("GET", "/voice/blocks", ben)).json()).toEqual({ blocks: [] });
  expect(await listApart(voice.pool, ben.userId)).toEqual([ada.userId]);
  expect((await block("DELETE", ada, ben.userId)).statusCode).toBe(204);
  expect((await block("DELETE", ada, ben.userId)).statusCode).toBe(204);
  expect(voice.rooms.takeCalls()).toEqual([["blocksChanged", ada.userId]]);
  expect([await listApart(voice.pool, ada.userId), await voice.takeAudit()]).toEqual([[], []]);
});

test("nobody blocks themselves, or somebody who is not there", async () => {
  const { ada } = people;
  expect(readRefusal(await block("PUT", ada, ada.userId))).toEqual([
    "400 validation_failed",
    "user_id own_account",
  ]);
  for (const unknown of [0, 99_999, 2_147_483_647])
    expect(readRefusal(await block("PUT", ada, unknown))).toEqual(["404 object_not_found"]);
  for (const wrong of ["x", "-1", "2147483648", "99999999999"])
    expect((await block("PUT", ada, wrong)).statusCode).toBe(400);
});

test("a list of blocks is no way to count through people who do not want to be found", async () => {
  const { ada, ben } = people;
  await voice.pool.query(
    "UPDATE account_user SET privacy_settings = privacy_settings || '{\"is_searchable\": false}' WHERE id = $1",
    [ben.userId],
  );
  await block("PUT", ada, ben.userId);
  expect((await voice.call("GET", "/voice/blocks", ada)).json()).toEqual({
    blocks: [{ user_id: String(ben.userId), display_name: `#${ben.userId}` }],
  });
  await voice.pool.query(
    "UPDATE account_user SET privacy_settings = privacy_settings - 'is_searchable' WHERE id = $1",
    [ben.userId],
  );
});

const report = (as: TestPerson, body: object, slug = room.slug) =>
  voice.call("POST", `/voice/rooms/${slug}/reports/`, as, body);

test("a report reaches the console, and the log keeps numbers alone", async () => {
  const { ada, ben, admin } = people;
  const body = { user_id: ben.userId, reason: " Was rude ", message: "a rude line" };
  const answer = await report(ada, body);
  expect([answer.statusCode, answer.json()]).toEqual([201, {}]);
  const { objects } = (
    await voice.call("GET", await voice.toObjects("voice.report", "?search=RUDE"), admin)
  ).json();
  expect(objects).toEqual([
    expect.objectContaining({
      room_name: "Tea room",
      reason: "Was rude",
      message: "a rude line",
      state: "open",
      reporter: { id: ada.userId, repr: "ada" },
      reported: { id: ben.userId, repr: "ben" },
    }),
  ]);
  const [entry, ...rest] = await voice.takeAudit();
  expect([entry, rest]).toEqual([
    expect.objectContaining({
      action_type: "CREATE",
      model_name: "report",
      user_id: ada.userId,
      object_id: String(objects[0].id),
      object_repr: "Tea room",
      ip_address: "127.0.0.1",
    }),
    [],
  ]);
  expect(JSON.stringify(entry)).not.toMatch(/rude|\bben\b/);
});

test.each([
  [
    "oneself",
    () => ({ user_id: people.ada.userId, reason: "x" }),
    ["400 validation_failed", "user_id own_account"],
  ],
  ["nobody", () => ({ user_id: "99999", reason: "x" }), ["404 object_not_found"]],
  ["no number", () => ({ user_id: "ben", reason: "x" }), ["400 validation_failed", "user_id invalid_value"]],
  [
    "without a reason",
    () => ({ user_id: people.ben.userId, reason: " " }),
    ["400 validation_failed", "reason required"],
  ],
  [
    "with NUL in both texts",
    () => ({ user_id: people.ben.userId, reason: "rude\0", message: "\0" }),
    ["400 validation_failed", "reason invalid_format", "message invalid_format"],
  ],
  [
    "with half a sign in its reason",
    () => ({ user_id: people.ben.userId, reason: "rude \ud83d" }),
    ["400 validation_failed", "reason invalid_format"],
  ],
  [
    "at too great length",
    () => ({ user_id: people.ben.userId, reason: "x".repeat(1001) }),
    ["400 validation_failed", "reason too_long"],
  ],
])("a report about %s is refused", async (_, toBody, refusal) => {
  expect(readRefusal(await report(people.ada, toBody()))).toEqual(refusal);
});

test("twenty reports a day are the most, however many are sent at once", async () => {
  const { ada, ben } = people;
  const body = { user_id: ben.userId, reason: "Rude" };
  expect(readRefusal(await report(ada, body, "nowhere"))).toEqual(["404 room_not_found"]);
  await voice.pool.query(
    "INSERT INTO voice_daily_count (user_id, what, day, made) VALUES ($1, 'report', '2026-05-01', 18)",
    [ada.userId],
  );
  const { answers } = await meetAtLock(
    voice.pool,
    (db) => db.query("SELECT FROM voice_daily_count FOR UPDATE"),
    Array.from({ length: 4 }, () => () => report(ada, body)),
  );
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 201, 429, 429]);
  expect(answers.find(({ statusCode }) => statusCode === 429)?.json()).toMatchObject({
    code: "too_many_reports",
  });
});

test("staff write state and note of a report and nothing else; a superuser deletes it, and its words go", async () => {
  const { ada, ben, admin, owner } = people;
  await report(ada, { user_id: ben.userId, reason: "Was rude", message: "a rude line" });
  const { objects } = (await voice.call("GET", await voice.toObjects("voice.report"), admin)).json();
  const url = await voice.toObjects("voice.report", `${objects[0].id}/`);
  await voice.takeAudit();
  const changed = await voice.call("PATCH", url, admin, {
    state: "in_review",
    note: "ben again",
    reason: "Mine",
    reporter: admin.userId,
  });
  expect(changed.json()).toMatchObject({
    state: "in_review",
    note: "ben again",
    reason: "Was rude",
    reporter: { id: ada.userId },
  });
  expect((await voice.call("PATCH", url, admin, { note: "" })).json()).toMatchObject({
    state: "in_review",
    note: null,
  });
  expect((await voice.call("PATCH", url, admin, { state: "gone" })).statusCode).toBe(400);
  expect((await voice.call("POST", await voice.toObjects("voice.report"), owner, {})).statusCode).toBe(403);
  expect((await voice.call("DELETE", url, admin)).statusCode).toBe(403);
  expect((await voice.call("DELETE", url, owner)).statusCode).toBe(204);
  const entries = await voice.takeAudit();
  expect(entries.map(({ action_type }) => action_type)).toEqual(["UPDATE", "UPDATE", "DELETE"]);
  expect(entries[0]?.changes).toMatchObject({ state: { before: "open", after: "in_review" } });
  expect(JSON.stringify(entries)).not.toMatch(/rude|again|\bada\b/);
});

test("reports go after 180 days, and what was counted on other days at once", async () => {
  const { ada, ben } = people;
  await voice.pool.query(
    `INSERT INTO voice_report (room_name, reporter_id, reported_id, reason, created_at) VALUES
     ('old', $1, $2, 'x', '2025-11-01T09:59:00Z'), ('kept', $1, $2, 'x', '2025-11-02T10:01:00Z')`,
    [ada.userId, ben.userId],
  );
  await voice.pool.query(
    `INSERT INTO voice_daily_count (user_id, what, day, made) VALUES
     ($1, 'room', '2026-04-30', 5), ($1, 'room', '2026-05-01', 4)`,
    [ada.userId],
  );
  await cleanVoice(voice.pool, new Date(voice.clock.now));
  const { rows } = await voice.pool.query(
    "SELECT room_name AS what FROM voice_report UNION ALL SELECT day::text FROM voice_daily_count ORDER BY 1",
  );
  expect(rows).toEqual([{ what: "2026-05-01" }, { what: "kept" }]);
});
