import { randomBytes } from "node:crypto";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import * as z from "zod/mini";
import { orHang, until } from "#test/until.ts";
import { hasJanus, startJanus, type TestJanus } from "#test/voice/janus.ts";
import type { EngineSeat, RoomEngine } from "./engine.ts";
import { type JanusClient, openJanusClient } from "./janus-client.ts";
import { openJanusEngine } from "./janus-engine.ts";

const withJanus = hasJanus ? describe : describe.skip;
const SILENT = pino({ level: "silent" });
const KEY = randomBytes(32);
const OTHER = { room: 77, description: "another site's" };

const roomList = z.object({ list: z.array(z.object({ room: z.number(), description: z.string() })) });
const participantList = z.object({ participants: z.array(z.object({ muted: z.boolean() })) });

/** As Chromium's, but for a browser behind it: Janus answers, and nobody ever connects. */
const toOffer = (ufrag = "abcd") =>
  [
    "v=0",
    "o=- 4611731400430051336 2 IN IP4 127.0.0.1",
    "s=-",
    "t=0 0",
    "a=group:BUNDLE 0",
    "m=audio 9 UDP/TLS/RTP/SAVPF 111",
    "c=IN IP4 0.0.0.0",
    "a=rtcp:9 IN IP4 0.0.0.0",
    `a=ice-ufrag:${ufrag}`,
    "a=ice-pwd:asd88fgpdd777uzjYhagZg12",
    "a=ice-options:trickle",
    `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => "AB").join(":")}`,
    "a=setup:actpass",
    "a=mid:0",
    "a=sendrecv",
    "a=rtcp-mux",
    "a=rtpmap:111 opus/48000/2",
    "a=fmtp:111 minptime=10;useinbandfec=1",
    "",
  ].join("\r\n");

/** Between an engine and Janus, to be cut as a kill of the process would. */
async function openWay(url: string): Promise<{ url: string; cut(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect(Number(new URL(url).port), "127.0.0.1");
    for (const end of [socket, onward]) sockets.add(end.on("error", () => undefined));
    socket.pipe(onward).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `ws://127.0.0.1:${port}`,
    async cut() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

withJanus("Janus", () => {
  let janus: TestJanus;
  /** Looks from outside, as whoever runs Janus would. */
  let watcher: JanusClient;
  const engines: RoomEngine[] = [];

  beforeAll(async () => {
    janus = await startJanus();
    watcher = openJanusClient({
      ...janus,
      plugin: "janus.plugin.audiobridge",
      onUp: () => undefined,
      log: SILENT,
    });
  });
  afterEach(async () => {
    for (const engine of engines.splice(0)) await engine.close();
  });
  afterAll(async () => {
    watcher?.close();
    await janus?.close();
  });

  function openEngine(settings: { url: string; secret?: string } = janus): RoomEngine {
    const engine = openJanusEngine({ settings, key: KEY, log: SILENT, times: { retryMs: [20] } });
    engines.push(engine);
    return engine;
  }

  /** Somebody in a room, with what the engine said to them. */
  function sit(engine: RoomEngine, room: string, isMuted = false) {
    const answers: { sdp: string; epoch: number }[] = [];
    const state = { lost: 0 };
    const seat: EngineSeat = engine.join(room, isMuted, {
      onAnswer: (sdp, epoch) => answers.push({ sdp, epoch }),
      onLost: () => {
        state.lost += 1;
      },
    });
    return {
      seat,
      answers,
      state,
      async offer(epoch: number, ufrag?: string) {
        seat.offer(toOffer(ufrag), epoch);
        await until(() => answers.some((answer) => answer.epoch === epoch));
      },
    };
  }

  const listAll = async () => {
    await watcher.waitUntilUp(30_000);
    return roomList.parse(await watcher.ask({ request: "list" })).list;
  };

  /** Of each room, who is muted; one that ends meanwhile is left out. */
  async function listRooms(): Promise<{ muted: boolean[] }[]> {
    const asked = (await listAll()).map(({ room }) => watcher.ask({ request: "listparticipants", room }));
    const answered = (await Promise.allSettled(asked)).filter(({ status }) => status === "fulfilled");
    return answered.map((answer) => {
      const { participants } = participantList.parse("value" in answer ? answer.value : undefined);
      return { muted: participants.map(({ muted }) => muted).sort() };
    });
  }

  test("has a room while somebody is in it, with one participant for each seat", async () => {
    const engine = openEngine();
    expect(await engine.isReachable()).toBe(true);
    const [ada, ben] = [sit(engine, "one"), sit(engine, "one", true)];
    await Promise.all([ada.offer(1), ben.offer(1)]);
    expect(ada.answers[0]?.sdp).toMatch(/m=audio [\s\S]*opus\/48000[\s\S]*a=candidate:/);
    expect(await listRooms()).toEqual([{ muted: [false, true] }]);
    ada.seat.leave();
    await until(async () => (await listRooms())[0]?.muted.length === 1);
    ben.seat.leave();
    await until(async () => (await listRooms()).length === 0);
  });

  test("keeps rooms apart, and lets nobody in without their pin", async () => {
    const engine = openEngine();
    await engine.isReachable();
    const [ada, ben] = [sit(engine, "one"), sit(engine, "two")];
    await Promise.all([ada.offer(1), ben.offer(1)]);
    expect(await listRooms()).toEqual([{ muted: [false] }, { muted: [false] }]);
    const room = (await listAll())[0]?.room;
    const stranger = await watcher.attach(() => undefined);
    await expect(stranger.ask({ request: "join", room })).rejects.toThrow(/pin/);
    await expect(watcher.ask({ request: "destroy", room })).rejects.toThrow();
  });

  test("silences a seat whatever its browser sends", async () => {
    const engine = openEngine();
    await engine.isReachable();
    const ada = sit(engine, "one");
    await ada.offer(1);
    ada.seat.setMuted(true);
    await until(async () => (await listRooms())[0]?.muted[0] === true);
    ada.seat.setMuted(false);
    await until(async () => (await listRooms())[0]?.muted[0] === false);
  });

  test("answers another path of the same connection, and takes the place of an earlier attempt", async () => {
    const engine = openEngine();
    await engine.isReachable();
    const ada = sit(engine, "one");
    await ada.offer(1);
    ada.seat.candidate(
      { candidate: "candidate:1 1 udp 1 127.0.0.1 9 typ host", sdpMid: "0", sdpMLineIndex: 0 },
      1,
    );
    ada.seat.offer(toOffer("wxyz"), 1);
    await until(() => ada.answers.length === 2);
    await ada.offer(2);
    await until(async () => (await listRooms())[0]?.muted.length === 1);
  });

  test("that was started anew asks every browser that was connected to begin again", async () => {
    const engine = openEngine();
    await engine.isReachable();
    const [ada, ben] = [sit(engine, "one"), sit(engine, "one")];
    await ada.offer(1);
    await janus.restart();
    await until(() => ada.state.lost === 1);
    expect(ben.state.lost).toBe(0);
    await ada.offer(2);
    await until(async () => (await listRooms())[0]?.muted.length === 1);
  });

  test("loses the rooms that a killed process of the site has left, and no others", async () => {
    const way = await openWay(janus.url);
    const killed = openEngine({ ...way, secret: janus.secret });
    await killed.isReachable();
    await sit(killed, "one").offer(1);
    await listAll();
    await watcher.ask({ request: "create", is_private: false, ...OTHER });
    await way.cut();
    await until(async () => (await listRooms()).every(({ muted }) => muted.length === 0));
    const next = openEngine();
    await next.isReachable();
    await until(async () => (await listAll()).length === 1);
    expect((await listAll())[0]).toMatchObject(OTHER);
    await watcher.ask({ request: "destroy", room: 77 });
  });

  test("is healthy, refuses another secret, or is not there: the health page says which", async () => {
    expect(await openEngine().check()).toEqual({ status: "healthy" });
    expect(await openEngine({ url: janus.url, secret: "another" }).check()).toMatchObject({
      status: "critical",
      reason: "engine_wrong_secret",
    });
    const gone = openEngine({ url: "ws://127.0.0.1:1" });
    expect(await orHang(gone.isReachable())).toBe(false);
    expect(await gone.check()).toMatchObject({
      status: "critical",
      reason: "engine_unreachable",
      vars: { address: "127.0.0.1:1" },
    });
  });
});
