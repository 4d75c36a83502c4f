import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import pg from "pg";
import { toClientConfig } from "#server/db/pool.ts";
import { createHomes } from "#server/socket/away/homes.ts";
import { type DatabaseLine, openDatabaseLine } from "#test/database-line.ts";
import { createRulesRoom } from "#test/phoenix/rules-room.ts";
import type { SocketPair } from "#test/socket-pair.ts";
import { until } from "#test/until.ts";
import type { Carrier } from "./carrier.ts";
import { openNotifyCarrier } from "./notify-carrier.ts";
import { type Cluster, openNotifyCluster } from "./open-cluster.ts";

let line: DatabaseLine;
const warn = jest.fn();
const log = { warn, info: () => undefined };
const open: { close(): Promise<void> }[] = [];

beforeEach(async () => {
  warn.mockClear();
  line = await openDatabaseLine();
});
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
  await line.close();
});

const toConfig = () => toClientConfig(line.connection, "test");

async function startCarrier(): Promise<Carrier> {
  const carrier = await openNotifyCarrier({ connection: toConfig(), log });
  open.push(carrier);
  return carrier;
}

async function startCluster(processId: string): Promise<Cluster> {
  const cluster = await openNotifyCluster(toConfig(), {
    ...{ processId, databaseName: "site", log },
    countProcesses: async () => 0,
    ofSecrets: (_purpose, make) => make([Buffer.alloc(32)]),
    steadyMs: () => performance.now(),
  });
  open.push(cluster);
  return cluster;
}

test("texts of any length and alphabet arrive whole, in order, and at nobody else", async () => {
  const [a, b] = [await startCarrier(), await startCarrier()];
  const [heard, stray]: [string[], string[]] = [[], []];
  await b.hear("b", (text) => heard.push(text));
  await b.hear("c", (text) => stray.push(text));
  const texts = Array.from({ length: 60 }, (_, i) => `${i} ${"ışık €𝄞".repeat(i % 3 === 0 ? 3_000 : 1)}`);
  // The same text twice: PostgreSQL by itself would bring it once.
  texts.push("again", "again", `${"x".repeat(50_000)}`);
  const counts = await Promise.all(texts.map((text) => a.send("b", text)));
  await until(() => heard.length === texts.length);
  expect(heard).toEqual(texts);
  expect(stray).toEqual([]);
  expect(new Set(counts)).toEqual(new Set([undefined]));
});

test("two who send long texts at once don't mix them", async () => {
  const [a, b, c] = [await startCarrier(), await startCarrier(), await startCarrier()];
  const heard: string[] = [];
  await c.hear("c", (text) => heard.push(text));
  const texts = Array.from({ length: 20 }, (_, i) => String.fromCharCode(97 + i).repeat(30_000 + i));
  await Promise.all(texts.map((text, i) => (i % 2 === 0 ? a : b).send("c", text)));
  await until(() => heard.length === texts.length);
  expect(heard.sort()).toEqual(texts);
});

test("what others write to its channel by hand, or a part without its beginning, harms nothing", async () => {
  const [a, b] = [await startCarrier(), await startCarrier()];
  const heard: string[] = [];
  await b.hear("b", (text) => {
    if (text === "unreadable") throw new Error("no");
    heard.push(text);
  });
  const client = new pg.Client(toConfig());
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN %' AND datname = current_database()",
  );
  expect(rows).toHaveLength(1);
  const { rows: listens } = await client.query<{ query: string }>(
    "SELECT query FROM pg_stat_activity WHERE pid = $1",
    [rows[0]?.pid],
  );
  const channel = listens[0]?.query.replace("LISTEN ", "");
  for (const payload of ["", "nonsense", "7 1/3 middle", "7 2/3 end", "1 0/1 unreadable"])
    await client.query("SELECT pg_notify($1, $2)", [channel, payload]);
  await client.end();
  await a.send("b", "whole");
  await until(() => heard.length === 1);
  expect(heard).toEqual(["whole"]);
  expect(warn).toHaveBeenCalledTimes(1);
});

test("processes know each other, ask and answer", async () => {
  const [a, b] = [await startCluster("a"), await startCluster("b")];
  await until(() => a.link.list().length === 2 && b.link.list().length === 2);
  expect(a.getState()).toEqual({
    ...{ isUp: true, carrier: "postgresql", server: "PostgreSQL" },
    ...{ processes: 2, missing: 0 },
  });
  const heard: unknown[] = [];
  b.link.on("word", (body) => heard.push(body));
  b.link.answer("sum", async (body) => (body as number[]).reduce((sum, value) => sum + value, 0));
  for (let i = 0; i < 1000; i += 1) a.link.send("b.1", "word", i);
  expect(await a.link.ask("b.1", "sum", [1, 2])).toBe(3);
  expect(heard).toEqual(Array.from({ length: 1000 }, (_, i) => i));
  await b.close();
  await until(() => a.link.list().length === 1);
});

test("a connection that is cut leaves each alone; behind it they are together, under other addresses", async () => {
  const [a, b] = [await startCluster("a"), await startCluster("b")];
  await until(() => a.link.list().length === 2 && b.link.list().length === 2);
  await line.cut();
  await until(() => a.link.list().length === 1 && b.link.list().length === 1);
  expect(a.getState().isUp).toBe(false);
  await line.mend();
  await until(() => a.link.list().length === 2 && b.link.list().length === 2);
  expect(a.link.self).not.toBe("a.1");
  expect(b.link.list()).toEqual(a.link.list());
  expect(a.link.list()).toEqual([a.link.self, b.link.self]);
});

test("members of a topic at two processes hear each other", async () => {
  const [a, b] = [await startCluster("a"), await startCluster("b")];
  const areTogether = () => a.link.list().length === 2 && b.link.list().length === 2;
  await until(areTogether);
  const [here, there] = [createRulesRoom({}, a.link), createRulesRoom({}, b.link)];
  const homes = createHomes(a.link);
  const topic = ["room:0", "room:1", "room:2", "room:3", "room:4", "room:5", "room:6", "room:7"].find(
    (name) => homes.find(name) === b.link.self,
  );
  if (topic === undefined) throw new Error("b keeps none of them");
  const [ada, bob] = [await here.connect("ada"), await there.connect("bob")];
  const waitFor = (pair: SocketPair, part: string) =>
    until(async () => JSON.stringify(await pair.flush()).includes(part));
  const joinBoth = async (ref: string) => {
    for (const pair of [ada, bob]) {
      pair.send(ref, ref, topic, "phx_join", {});
      await waitFor(pair, '"status":"ok"');
    }
  };
  await joinBoth("1");
  ada.send("1", "2", topic, "say", { text: "merhaba" });
  await ada.flush();
  await waitFor(bob, "merhaba");
  bob.send("1", "2", topic, "say", { text: "selam" });
  await bob.flush();
  await waitFor(ada, "selam");
  for (const room of [here, there]) room.sockets.close();
});
