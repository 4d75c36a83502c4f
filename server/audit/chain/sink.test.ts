import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { makeTestFolder } from "#server/db/embedded/test-folder.ts";
import { createLocalLeases } from "#server/db/leases/lease.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { createChainDuty } from "./duty.ts";
import { createSealer } from "./seal.ts";
import { createSink } from "./sink.ts";
import { type SinkTarget, sinkTarget } from "./target.ts";

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof makeTestFolder>>;
let errors: object[];
beforeEach(async () => {
  database = await createTestDatabase();
  folder = await makeTestFolder();
  errors = [];
});
afterEach(async () => {
  await database.close();
  await folder.remove();
});

const KEY = Buffer.alloc(32);
const now = () => new Date("2026-11-26T12:00:00Z");
const open = (target: SinkTarget, options: Partial<Parameters<typeof createSink>[0]> = {}) =>
  createSink({
    pool: database.pool,
    target,
    dataDir: folder.folder,
    log: { error: (details) => void errors.push(details) },
    now,
    duty: createChainDuty(createLocalLeases(), KEY),
    ...options,
  });

async function write(...messages: string[]): Promise<void> {
  const { pool } = database;
  await pool.query(
    `INSERT INTO audit_entry (timestamp, action_type, username, change_message, changes)
     SELECT '2026-11-26T10:00:00Z', 'UPDATE', 'ada', message, '{"bio":{"after":"secret words"}}' FROM unnest($1::text[]) message`,
    [messages],
  );
  await createSealer({ pool, key: KEY, now }).seal();
}

test("a file gets each sealed entry once, also over a restart, and no values", async () => {
  const path = join(folder.folder, "copy.log");
  await write("one", "two");
  await open({ kind: "file", path }).deliver();
  await write("three\nforged");
  await open({ kind: "file", path }).deliver();
  await open({ kind: "file", path }).deliver();
  const text = await readFile(path, "utf8");
  expect(text).not.toContain("secret words");
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(lines).toEqual(
    [
      ["1", 1, "one"],
      ["1", 2, "two"],
      ["2", 3, "three\nforged"],
    ].map(([seal, id, change_message]) =>
      expect.objectContaining({ seal: Number(seal), id, change_message, username: "ada" }),
    ),
  );
});

test("a sink that refuses is said once in the log and on the health page, and gets everything later", async () => {
  const path = join(folder.folder, "later", "copy.log");
  await write("one");
  const refusing = open({ kind: "file", path });
  await refusing.deliver();
  await refusing.deliver();
  expect(errors).toHaveLength(1);
  expect(refusing.getFailing()).toEqual({ since: now(), reason: expect.stringContaining("ENOENT") });
  const other = open({ kind: "file", path: join(folder.folder, "copy.log") });
  await other.deliver();
  expect(other.getFailing()).toBeUndefined();
  expect(await readFile(join(folder.folder, "copy.log"), "utf8")).toContain('"one"');
});

test("syslog by UDP gets a message of RFC 5424 for an entry", async () => {
  const server = createSocket("udp4");
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
  const received = once(server, "message");
  await write("one");
  const { port } = server.address();
  await open({ kind: "syslog", protocol: "udp", host: "127.0.0.1", port }).deliver();
  const [message] = (await received) as [Buffer];
  server.close();
  expect(message.toString()).toMatch(
    /^<109>1 2026-11-26T10:00:00\.000000Z \S+ foyer \d+ audit - \{"id" : 1,.*"one".*\}$/,
  );
  expect(errors).toEqual([]);
});

test("syslog by TCP gets each message after its length", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const received = new Promise<string>((resolve) => {
    server.on("connection", (socket) => {
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk.toString();
      });
      socket.on("end", () => resolve(text));
    });
  });
  await write("one", "two");
  const { port } = server.address() as AddressInfo;
  await open({ kind: "syslog", protocol: "tcp", host: "127.0.0.1", port }).deliver();
  const text = await received;
  server.close();
  const length = Number(/^\d+/.exec(text)?.[0]);
  const rest = text.slice(String(length).length + 1);
  expect(rest.slice(0, length)).toMatch(/^<109>1 .*"one".*\}$/);
  expect(rest.slice(length)).toMatch(/^\d+ <109>1 .*"two".*\}$/);
});

test.each([
  ["file:/var/log/foyer.log", { kind: "file", path: "/var/log/foyer.log" }],
  ["syslog://logs.example.org:514", { kind: "syslog", protocol: "udp", host: "logs.example.org", port: 514 }],
  ["syslog+tcp://[::1]:601", { kind: "syslog", protocol: "tcp", host: "::1", port: 601 }],
])("%s is a sink", (text, target) => {
  expect(sinkTarget.parse(text)).toEqual(target);
});

test.each(["/var/log/foyer.log", "file:foyer.log", "syslog://host", "syslog://host:70000", "https://host:1"])(
  "%s is none",
  (text) => {
    expect(sinkTarget.safeParse(text).success).toBe(false);
  },
);
