import { randomBytes } from "node:crypto";
import { afterEach, expect, test } from "@jest/globals";
import { pino } from "pino";
import { until } from "#test/until.ts";
import type { Timers } from "../timing.ts";
import { openJanusEngine } from "./janus-engine.ts";
import { FakeJanus, type FakeRequest, SILENCE } from "./test-janus.ts";

const KEY = randomBytes(32);
const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const thing of open.splice(0).reverse()) await thing.close();
});

interface FakeRoom {
  description: string | undefined;
  num_participants: number;
}

/** A Janus with rooms, as far as an engine asks for them. */
async function openRooms() {
  const janus = new FakeJanus();
  const rooms = new Map<number, FakeRoom>();
  const url = await janus.open();
  open.push(janus);
  janus.answer = ({ body }) => {
    if (body?.request === "list") {
      const list = [...rooms].map(([room, values]) => ({ room, ...values }));
      return { janus: "success", plugindata: { data: { list } } };
    }
    const { room = 0, description } = body ?? {};
    if (body?.request === "create") rooms.set(room, { description, num_participants: 0 });
    if (body?.request === "destroy") rooms.delete(room);
    return undefined;
  };
  /** In place of a usual answer. */
  const refuse = (doesRefuse: (body: NonNullable<FakeRequest["body"]>) => boolean, refusal: object) => {
    const usual = janus.answer;
    janus.answer = (request) => {
      const said = usual(request);
      return request.body && doesRefuse(request.body) ? refusal : said;
    };
  };
  const received = (name: string) =>
    janus.received.flatMap(({ body }) => (body?.request === name ? [body.room ?? 0] : []));
  return { janus, rooms, url, refuse, received };
}

function openEngine(url: string, askMs = 60_000) {
  const later: { ms: number; run: () => void }[] = [];
  const timers: Timers = {
    now: () => 0,
    after(ms, run) {
      const timer = { ms, run };
      later.push(timer);
      return () => void later.splice(later.indexOf(timer), 1);
    },
  };
  const engine = openJanusEngine({
    settings: { url, secret: "secret" },
    key: KEY,
    log: pino({ level: "silent" }),
    times: { retryMs: [5], askMs },
    timers,
  });
  open.push(engine);
  const sit = async () => {
    await until(() => engine.isReachable());
    const seat = engine.join("a room", false, { onAnswer: () => undefined, onLost: () => undefined });
    seat.offer("v=0", 1);
  };
  return { engine, later, sit };
}

/** By what the rooms of this site are known. */
async function readMark(): Promise<string | undefined> {
  const { url, rooms } = await openRooms();
  await openEngine(url).sit();
  await until(() => rooms.size === 1);
  return [...rooms.values()][0]?.description;
}

test("a room of a killed process in which Janus still counts somebody is ended a while later", async () => {
  const description = await readMark();
  const { url, rooms, received } = await openRooms();
  rooms.set(5, { description, num_participants: 1 });
  rooms.set(6, { description, num_participants: 0 });
  rooms.set(7, { description: "another site's", num_participants: 0 });
  const { engine, later } = openEngine(url);
  await until(() => received("destroy").length === 1);
  expect([...rooms.keys()]).toEqual([5, 7]);
  expect(later.map(({ ms }) => ms)).toEqual([90_000]);
  rooms.set(5, { description, num_participants: 0 });
  later[0]?.run();
  await until(() => received("destroy").length === 2);
  expect([...rooms.keys()]).toEqual([7]);
  await engine.close();
});

test("nothing is looked for again once the site stops", async () => {
  const { url } = await openRooms();
  const { engine, later } = openEngine(url);
  await until(() => later.length === 1);
  await engine.close();
  expect(later).toEqual([]);
});

test("a room that can't be ended keeps no other from its end", async () => {
  const description = await readMark();
  const { url, rooms, refuse, received } = await openRooms();
  for (const room of [5, 6]) rooms.set(room, { description, num_participants: 0 });
  refuse(({ request, room }) => request === "destroy" && room === 5, {
    janus: "success",
    plugindata: { data: { error_code: 490, error: "Wrong secret" } },
  });
  openEngine(url);
  await until(() => received("destroy").length === 2);
  expect(received("destroy")).toEqual([5, 6]);
});

test("a room of which nobody said that it was made is ended, and another one is made for who tries again", async () => {
  const { url, rooms, refuse, received } = await openRooms();
  let creations = 0;
  refuse(({ request }) => {
    if (request === "create") creations += 1;
    return request === "create" && creations === 1;
  }, SILENCE);
  const { sit } = openEngine(url, 200);
  await sit();
  await until(() => received("destroy").length === 1);
  expect(received("destroy")).toEqual(received("create"));
  expect(rooms.size).toBe(0);
  await sit();
  await until(() => rooms.size === 1);
});
