import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { strFromU8, unzipSync } from "fflate";
import type { TestPerson } from "#test/app.ts";
import { openVoice, type VoiceFixture } from "./fixture.ts";

let voice: VoiceFixture;
let people: Record<"ada" | "ben" | "maker" | "admin", TestPerson>;

beforeAll(async () => {
  voice = await openVoice();
  const add = (level: number, name: string) => voice.site.signInAs(level, name);
  people = {
    ada: await add(1, "ada"),
    ben: await add(1, "ben_yilmaz"),
    maker: await add(5, "maker"),
    admin: await add(10, "admin"),
  };
});
afterAll(() => voice.close());

const erase = (as: TestPerson) => voice.call("DELETE", "/api/users/me/", as, { password: as.password });

test("a person takes along what voice rooms keep of them, and what goes with their account goes", async () => {
  const { ada, ben, maker, admin } = people;
  const room = await voice.makeRoom(maker, { description: "Cups" });
  const path = `/voice/rooms/${room.slug}`;
  await voice.call("POST", `${path}/bans/`, maker, { user_id: ben.userId });
  await voice.call("POST", `${path}/bans/`, admin, { user_id: maker.userId });
  await voice.call("PUT", `/voice/blocks/${ada.userId}`, ben);
  await voice.call("PUT", `/voice/blocks/${ben.userId}`, ada);
  const words = { reason: "Was rude", message: "a line" };
  await voice.call("POST", `${path}/reports/`, ben, { user_id: ada.userId, ...words });
  await voice.call("POST", `${path}/reports/`, ada, { user_id: ben.userId, ...words });

  const takeExport = async (as: TestPerson) => {
    const { rawPayload } = await voice.call("GET", "/api/users/export/", as);
    const files = unzipSync(new Uint8Array(rawPayload));
    return JSON.parse(strFromU8(files["voice.json"] ?? new Uint8Array()));
  };
  expect(await takeExport(ben)).toEqual({
    rooms: [],
    restrictions: [{ room: "Tea room", kind: "ban", created_at: expect.any(String) }],
    blocks: [{ user_id: ada.userId, created_at: expect.any(String) }],
    reports: [
      {
        room: "Tea room",
        about_user_id: ada.userId,
        ...words,
        state: "open",
        created_at: expect.any(String),
      },
    ],
  });
  expect(await takeExport(maker)).toMatchObject({
    rooms: [{ id: room.id, slug: room.slug, name: "Tea room", description: "Cups" }],
    restrictions: [{ kind: "ban" }],
  });

  for (const person of [ben, maker]) expect((await erase(person)).statusCode).toBe(204);
  const count = async (table: string) => (await voice.pool.query(`SELECT FROM ${table}`)).rowCount;
  expect([await count("voice_restriction"), await count("voice_block")]).toEqual([0, 0]);
  const { rows } = await voice.pool.query(
    "SELECT reporter_id, reported_id, reason FROM voice_report ORDER BY id",
  );
  expect(rows).toEqual([
    { reporter_id: null, reported_id: ada.userId, reason: "Was rude" },
    { reporter_id: ada.userId, reported_id: null, reason: "Was rude" },
  ]);
  expect((await voice.call("GET", path, ada)).json()).toMatchObject({
    name: "Tea room",
    created_by: "unknown",
  });
  const entries = JSON.stringify(await voice.takeAudit());
  expect(entries).not.toMatch(/ben_yilmaz|"maker"/);
});

test("a room without a creator is the admins' alone", async () => {
  const maker = await voice.site.signInAs(5, "leaving");
  const room = await voice.makeRoom(maker);
  const restricted = await voice.call("POST", `/voice/rooms/${room.slug}/bans/`, maker, {
    user_id: people.ada.userId,
  });
  expect(restricted.statusCode).toBe(201);
  await erase(maker);
  const other = await voice.site.signInAs(5, "another");
  const change = (as: TestPerson) => voice.call("PUT", `/voice/rooms/${room.slug}`, as, { name: "Theirs" });
  expect([(await change(other)).statusCode, (await change(people.admin)).statusCode]).toEqual([403, 200]);
  const deleted = await voice.call("DELETE", `/voice/rooms/${room.slug}`, people.admin);
  expect(deleted.statusCode).toBe(204);
});
