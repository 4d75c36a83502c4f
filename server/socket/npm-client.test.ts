import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type Channel, LongPoll, Presence, type Push, Socket, type SocketConnectOption } from "phoenix";
import { WebSocket } from "ws";
import { type ChannelServer, startChannelServer } from "#test/phoenix/channel-server.ts";
import { until } from "#test/until.ts";

/** How long the client keeps a timer for a push that nobody answers. */
const UNANSWERED_MS = 100;

let server: ChannelServer;
let sockets: Socket[] = [];

beforeEach(async () => {
  server = await startChannelServer();
});
afterEach(async () => {
  for (const socket of sockets) socket.disconnect();
  sockets = [];
  await server.close();
});

type Transport = SocketConnectOption["transport"];

function connect(
  transport: Transport,
  userId: string | undefined,
  // The types know a text only.
  {
    authToken,
    ...options
  }: Omit<Partial<SocketConnectOption>, "authToken"> & { authToken?: () => string } = {},
): Socket {
  const socket = new Socket(`${server.url}/socket`, {
    transport,
    params: userId === undefined ? {} : { user_id: userId },
    reconnectAfterMs: () => 20,
    rejoinAfterMs: () => 20,
    ...(authToken && { authToken: authToken as unknown as string }),
    ...options,
  });
  sockets.push(socket);
  socket.connect();
  return socket;
}

/** What a push comes to. */
function settle(push: Push): Promise<{ status: string; response: unknown }> {
  return new Promise((resolve) => {
    for (const status of ["ok", "error", "timeout"] as const)
      push.receive(status, (response) => resolve({ status, response }));
  });
}

async function joinRoom(socket: Socket, room: string): Promise<Channel> {
  const channel = socket.channel(`voice:room:${room}`);
  expect(await settle(channel.join())).toMatchObject({ status: "ok" });
  return channel;
}

describe.each<[string, Transport]>([
  ["WebSocket", WebSocket],
  ["long polling", LongPoll],
])("over %s", (_name, transport) => {
  test("a client joins, and its pushes come to ok, error or a timeout", async () => {
    const channel = await joinRoom(connect(transport, "ada"), "r1");
    expect(await settle(channel.push("echo", { a: ["ü"] }))).toEqual({
      status: "ok",
      response: { a: ["ü"] },
    });
    expect(await settle(channel.push("fail", {}))).toEqual({
      status: "error",
      response: { reason: "not_participant" },
    });
    expect(await settle(channel.push("slow", {}, 100))).toMatchObject({ status: "timeout" });
  });

  test("two clients see each other come and go", async () => {
    const ada = connect(transport, "ada");
    const channel = ada.channel("voice:room:r2");
    const presence = new Presence(channel);
    const list = () => presence.list((key) => key).sort();
    await settle(channel.join());
    await until(() => list().length === 1);
    const bobs = await joinRoom(connect(transport, "bob"), "r2");
    await until(() => list().length === 2);
    expect(list()).toEqual(["ada", "bob"]);
    bobs.leave();
    await until(() => list().length === 1);
    expect(list()).toEqual(["ada"]);
  });

  test("what one sends the other receives", async () => {
    const adas = await joinRoom(connect(transport, "ada"), "r3");
    const bobs = await joinRoom(connect(transport, "bob"), "r3");
    const received: unknown[] = [];
    bobs.on("participant_speaking", (payload) => void received.push(payload));
    adas.push("speaking", { is_speaking: true }, UNANSWERED_MS);
    await until(() => received.length > 0);
    expect(received).toEqual([{ user_id: "ada", is_speaking: true }]);
  });

  test("a client whose connection the server cuts comes back and joins again", async () => {
    const channel = connect(transport, "ada").channel("voice:room:r4");
    let joins = 0;
    channel.on("roster_snapshot", () => {
      joins += 1;
    });
    channel.join();
    await until(() => joins === 1);
    channel.push("disconnect_me", {}, UNANSWERED_MS);
    await until(() => joins === 2);
    expect(await settle(channel.push("echo", { back: true }))).toEqual({
      status: "ok",
      response: { back: true },
    });
    expect(server.sockets.count().channels).toBe(1);
  });

  test("the token is asked for at each connect and stays out of the address", async () => {
    let asked = 0;
    const socket = connect(transport, undefined, {
      authToken: () => {
        asked += 1;
        return `token-${asked}`;
      },
    });
    const channel = socket.channel("voice:room:r5");
    const answers: unknown[] = [];
    channel.join().receive("ok", (response) => void answers.push(response));
    await until(() => answers.length === 1);
    channel.push("disconnect_me", {}, UNANSWERED_MS);
    await until(() => answers.length === 2);
    expect(answers).toMatchObject([{ auth_token: "token-1" }, { auth_token: "token-2" }]);
    // A poll finds its session gone only by asking for another one with the token it has.
    expect([...new Set(server.tokens)]).toEqual(["token-1", "token-2"]);
    expect(socket.endPointURL()).not.toContain("token");
  });

  test("a client that leaves after a refused join doesn't ask again", async () => {
    const channel = connect(transport, "ada").channel("voice:room:missing");
    let refusals = 0;
    const push = channel.join().receive("error", () => {
      refusals += 1;
    });
    await settle(push);
    await until(() => refusals >= 2);
    channel.leave();
    await pause(50);
    const refusalsAtLeave = refusals;
    await pause(200);
    expect(refusals).toBe(refusalsAtLeave);
  });
});

test("a client whose WebSocket isn't answered falls back to long polling and remembers it", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo; // it listens on TCP
  class UnansweredWebSocket extends WebSocket {
    constructor(_url: string) {
      super(`ws://127.0.0.1:${port}/socket/websocket`);
      this.on("error", () => undefined); // it is given up while it connects
    }
  }
  const kept = new Map<string, string>();
  const socket = connect(UnansweredWebSocket, "ada", {
    longPollFallbackMs: 50,
    sessionStorage: {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    },
  });
  const channel = await joinRoom(socket, "r6");
  expect(await settle(channel.push("echo", {}))).toMatchObject({ status: "ok" });
  expect([...kept]).toEqual([["phx:fallback:LongPoll", "true"]]);
  silent.close();
});

test("bytes travel both ways over WebSocket", async () => {
  const channel = await joinRoom(connect(WebSocket, "ada"), "r7");
  const { response } = await settle(channel.push("bin_reply", new Uint8Array([1, 2, 255]).buffer));
  expect([...new Uint8Array(response as ArrayBuffer)]).toEqual([1, 2, 255]);
});

test("a token in the URL-safe alphabet is read, too", async () => {
  const token = Buffer.from("ada???>>>").toString("base64url");
  expect(token).toMatch(/-.*_|_.*-/);
  const client = new WebSocket(`${server.url}/socket/websocket?vsn=2.0.0`, [
    "phoenix",
    `base64url.bearer.phx.${token}`,
  ]);
  await once(client, "open");
  expect(server.tokens).toEqual(["ada???>>>"]);
  client.terminate();
});

test("a refused client is turned away with 403 as often as it comes", async () => {
  const socket = connect(WebSocket, undefined, { params: { token: "bad" } });
  let closes = 0;
  socket.onClose(() => {
    closes += 1;
  });
  await until(() => closes >= 3);
  expect(server.sockets.count().connections).toBe(0);
  expect(socket.isConnected()).toBe(false);
});
