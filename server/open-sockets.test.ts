import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { pino } from "pino";
import { WebSocket } from "ws";
import { SOCKET_PATH } from "#contract/socket.ts";
import { createTestApp, type TestApp } from "#test/app.ts";
import { HandshakeRefused, openSocketClient } from "#test/socket-client.ts";

const REFUSED = new HandshakeRefused(403);
const TOPIC = "admin:cv.certificate";

let site: TestApp | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

async function open(options: Parameters<typeof createTestApp>[0] = {}) {
  const opened = await createTestApp(options);
  site = opened;
  const origin = await opened.listen();
  return { site: opened, url: `${origin.replace("http", "ws")}${SOCKET_PATH}/websocket?vsn=2.0.0` };
}

test("a token whose signature is bad, or no token, is refused before the database is asked", async () => {
  const { site, url } = await open();
  const { accessToken } = await site.signInAs(10);
  const [header, payload, signature = ""] = accessToken.split(".");
  const changed = `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`;
  const { pool } = site.database;
  const lookUps: unknown[] = [];
  const { query } = pool;
  Object.assign(pool, {
    query(...given: unknown[]) {
      if (String(given[0]).includes("account_session")) lookUps.push(given);
      return Reflect.apply(query, pool, given);
    },
  });
  const bad = ["", "&token=", "&token=x", "&token=a.b.c", `&token=${header}.${payload}.${changed}`];
  for (const query of bad) await expect(openSocketClient(`${url}${query}`)).rejects.toEqual(REFUSED);
  expect(lookUps).toEqual([]);
  const client = await openSocketClient(`${url}&token=${accessToken}`);
  expect(lookUps).toHaveLength(1);
  client.close();
});

test("who somebody is follows from the token alone", async () => {
  const { site, url } = await open();
  const owner = await site.signInAs(999);
  const user = await site.signInAs(1);
  const claims = `&user_id=${owner.userId}&level=999&username=${owner.username}&access_level=999`;
  await expect(openSocketClient(`${url}${claims}`)).rejects.toEqual(REFUSED);
  const client = await openSocketClient(`${url}${claims}&token=${user.accessToken}`);
  expect(await client.join(TOPIC)).toBe("unauthorized");
  client.close();
});

test.each([
  ["https://site.test", true],
  ["http://127.0.0.1:5173", true],
  ["https://evil.test", false],
  ["null", false],
])("a page of %s may connect: %j", async (origin, isAllowed) => {
  const { site, url } = await open();
  const { accessToken } = await site.signInAs(10);
  const connected = openSocketClient(`${url}&token=${accessToken}`, { origin });
  if (!isAllowed) return expect(connected).rejects.toEqual(REFUSED);
  expect(await (await connected).join(TOPIC)).toBe("ok");
});

test("a stop closes a hundred sockets with 1012", async () => {
  const { site, url } = await open();
  const people = [await site.signInAs(10), await site.signInAs(999), await site.signInAs(500)];
  const clients = await Promise.all(
    Array.from({ length: 100 }, (_, i) =>
      openSocketClient(`${url}&token=${people[i % people.length]?.accessToken}`),
    ),
  );
  expect(new Set(await Promise.all(clients.map((client) => client.join(TOPIC))))).toEqual(new Set(["ok"]));
  await site.app.close();
  const codes = await Promise.all(clients.map((client) => client.waitForClose()));
  expect(new Set(codes)).toEqual(new Set([1012]));
});

test("a stop doesn't wait for a connection that has said nothing", async () => {
  const { site, url } = await open();
  const { hostname, port } = new URL(url);
  const accepted = once(site.app.server, "connection");
  const silent = connect(Number(port), hostname);
  await accepted;
  const closed = once(silent, "close");
  await site.app.close();
  await closed;
});

test("a post of long polling may be as long as what a full room needs at once", async () => {
  const { site, url } = await open();
  const { accessToken } = await site.signInAs(10);
  const base = url.replace("ws", "http").replace("websocket", "longpoll");
  const answer = await fetch(base, { headers: { "x-phoenix-authtoken": accessToken } });
  const { token } = (await answer.json()) as { token: string };
  const heartbeat = JSON.stringify([null, "1", "phoenix", "heartbeat", { x: "x".repeat(60_000) }]);
  const post = await fetch(`${base}&token=${token}`, {
    method: "POST",
    headers: { "content-type": "application/x-ndjson" },
    body: `${heartbeat}\n`.repeat(15),
  });
  expect([post.status, await post.json()]).toEqual([200, { status: 200 }]);
});

test("no token reaches the log, however it travels", async () => {
  const lines: string[] = [];
  const log = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
  const { site, url } = await open({ log });
  const { accessToken } = await site.signInAs(10);
  for (const name of ["token", "access_token"]) {
    const client = await openSocketClient(`${url}&${name}=${accessToken}`);
    client.send("1", "1", "no:topic", "phx_join", {});
    await client.take("phx_reply");
    client.close();
  }
  const inBase64 = Buffer.from(accessToken).toString("base64url");
  const offered = new WebSocket(url, ["phoenix", `base64url.bearer.phx.${inBase64}`]);
  await once(offered, "open");
  offered.close();
  await expect(openSocketClient(`${url}&token=${accessToken}x`)).rejects.toEqual(REFUSED);
  const plain = url.replace("ws", "http");
  const poll = await fetch(`${plain.replace("websocket", "longpoll")}&token=${accessToken}`);
  expect(poll.status).toBe(200);
  const headers = { "x-phoenix-authtoken": accessToken };
  const polled = await fetch(plain.replace("websocket", "longpoll"), { headers });
  expect(await polled.json()).toMatchObject({ status: 410 });
  await fetch(`${plain}&token=${accessToken}`);
  await site.app.close();
  expect(lines.length).toBeGreaterThan(0);
  const [, , signature = "none"] = accessToken.split(".");
  const text = lines.join("");
  expect(text).not.toContain(signature.slice(0, 20));
  expect(text).not.toContain(inBase64.slice(-20));
});
