import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { ADA, BEN, createTestRooms, ROOM, type TestRooms, TOPIC } from "../live/test-rooms.ts";
import type { EngineEvents, RoomEngine } from "./engine.ts";

const SDP = "v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n";
const CANDIDATE = "candidate:1 1 udp 2122260223 192.0.2.7 40000 typ host";

interface Place {
  calls: unknown[][];
  events: EngineEvents;
}

/** An engine that remembers what it was sent. */
function createRecordingEngine() {
  const places: Place[] = [];
  const state = { isReachable: true };
  const engine: RoomEngine = {
    isReachable: async () => state.isReachable,
    join(roomId, isMuted, events) {
      const calls: unknown[][] = [["join", roomId, isMuted]];
      places.push({ calls, events });
      return {
        offer: (...said) => void calls.push(["offer", ...said]),
        candidate: (...said) => void calls.push(["candidate", ...said]),
        setMuted: (isNow) => void calls.push(["setMuted", isNow]),
        leave: () => void calls.push(["leave"]),
      };
    },
    check: async () => ({ status: "healthy" }),
    close: async () => undefined,
  };
  return { engine, places, state };
}

let engine: ReturnType<typeof createRecordingEngine>;
let rooms: TestRooms;
beforeEach(async () => {
  engine = createRecordingEngine();
  rooms = await createTestRooms({ engine: engine.engine });
});
afterEach(() => {
  expect(rooms.errors).toEqual([]);
  rooms.close();
});

const toOffer = (epoch: number, target: string = "engine") => ({
  target_user_id: target,
  offer: { type: "offer", sdp: SDP },
  epoch,
});
const takeCalls = (index: number) => engine.places[index]?.calls.splice(0);

describe("in a mixed room", () => {
  test("an offer and its candidates go to the engine, and the answer to whoever offered", async () => {
    const [ada, ben] = [await rooms.enter(ADA), await rooms.enter(BEN)];
    await ada.receive();
    expect(await ada.ask(TOPIC, "offer", toOffer(3))).toEqual(["ok", {}]);
    const line = {
      target_user_id: "engine",
      candidate: `a=${CANDIDATE}`,
      sdp_mid: "0",
      sdp_mline_index: 0,
      epoch: 3,
    };
    expect(await ada.ask(TOPIC, "ice-candidate", line)).toEqual(["ok", {}]);
    expect(takeCalls(0)).toEqual([
      ["join", ROOM.public_id, false],
      ["offer", SDP, 3],
      ["candidate", { candidate: CANDIDATE, sdpMid: "0", sdpMLineIndex: 0 }, 3],
    ]);
    engine.places[0]?.events.onAnswer("the answer", 3);
    expect(await ada.receive()).toEqual([
      [
        "answer",
        {
          from_user_id: "engine",
          answer: { type: "answer", sdp: "the answer" },
          epoch: 3,
        },
      ],
    ]);
    expect(await ben.receive()).toEqual([]);
  });

  test("the engine has a budget of each person too", async () => {
    const ada = await rooms.enter(ADA);
    const line = { target_user_id: "engine", candidate: CANDIDATE, epoch: 1 };
    for (let n = 0; n < 200; n += 1) {
      ada.send(TOPIC, "offer", toOffer(1));
      ada.send(TOPIC, "ice-candidate", line);
    }
    await ada.receive();
    const names = takeCalls(0)?.map(([name]) => name);
    expect(names?.filter((name) => name === "offer")).toHaveLength(8);
    expect(names?.filter((name) => name === "candidate")).toHaveLength(120);
    expect(await ada.ask(TOPIC, "offer", toOffer(1))).toEqual(["error", { reason: "too_many_messages" }]);
    expect(await ada.ask(TOPIC, "ice-candidate", line)).toEqual(["error", { reason: "too_many_messages" }]);
  });

  test("nothing passes between two people, and a faulty offer is refused as elsewhere", async () => {
    const ada = await rooms.enter(ADA);
    await rooms.enter(BEN);
    const refused = ["error", { reason: "not_participant" }];
    expect(await ada.ask(TOPIC, "offer", toOffer(1, String(BEN)))).toEqual(refused);
    expect(await ada.ask(TOPIC, "ice-candidate", { candidate: CANDIDATE })).toEqual(refused);
    const faulty = { target_user_id: "engine", offer: "v=0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\n" };
    expect(await ada.ask(TOPIC, "offer", faulty)).toEqual(["error", { reason: "invalid_offer_format" }]);
    expect(engine.places).toEqual([]);
  });

  test("muted by oneself or by a moderator holds at the engine until both are lifted", async () => {
    const ada = await rooms.enter(ADA);
    await ada.ask(TOPIC, "offer", toOffer(1));
    takeCalls(0);
    await ada.ask(TOPIC, "mute");
    rooms.voice.measured(ROOM.public_id, ADA, "muted");
    await ada.ask(TOPIC, "unmute");
    expect(takeCalls(0)?.at(-1)).toEqual(["setMuted", true]);
    rooms.voice.measured(ROOM.public_id, ADA, "unmuted");
    expect(takeCalls(0)?.at(-1)).toEqual(["setMuted", false]);
  });

  test("who leaves or is removed loses their place at once, and whose connection is lost keeps it for 20 s", async () => {
    const [ada, ben] = [await rooms.enter(ADA), await rooms.enter(BEN)];
    await ada.ask(TOPIC, "offer", toOffer(1));
    await ben.ask(TOPIC, "offer", toOffer(1));
    ada.drop();
    rooms.advance(19_999);
    expect(takeCalls(0)?.at(-1)).toEqual(["offer", SDP, 1]);
    rooms.advance(1);
    expect(takeCalls(0)).toEqual([["leave"]]);
    rooms.voice.measured(ROOM.public_id, BEN, "removed");
    expect(takeCalls(1)?.at(-1)).toEqual(["leave"]);
  });

  test("another tab gets a place of its own, and answers of the former one reach nobody", async () => {
    const former = await rooms.enter(ADA);
    await former.ask(TOPIC, "offer", toOffer(1));
    const next = await rooms.enter(ADA);
    expect(takeCalls(0)?.at(-1)).toEqual(["leave"]);
    await next.ask(TOPIC, "offer", toOffer(1));
    expect(engine.places).toHaveLength(2);
    await next.receive();
    engine.places[0]?.events.onAnswer("too late", 1);
    expect(await next.receive()).toEqual([]);
  });

  test("whose connection the engine has lost gets the roster anew, with their own seat as joining until they are connected", async () => {
    const ada = await rooms.enter(ADA);
    await ada.ask(TOPIC, "ready", { protocol_version: "1.0.0" });
    await ada.ask(TOPIC, "offer", toOffer(1));
    await ada.receive();
    engine.places[0]?.events.onLost();
    const own = (status: string) => expect.objectContaining({ user_id: String(ADA), status });
    expect(await ada.receive()).toEqual([["roster_snapshot", { participants: [own("joining")] }]]);
    engine.places[0]?.events.onAnswer(SDP, 2);
    ada.drop();
    const back = await rooms.connect(ADA);
    back.send(TOPIC, "phx_join", { seat: { id: ada.answer.participant_id, join_number: 1 } });
    expect((await back.receive())[0]).toEqual(["roster_snapshot", { participants: [own("ready")] }]);
  });
});

test("a mixed room without its engine says so on joining, and a mesh needs none", async () => {
  engine.state.isReachable = false;
  const refused = ["error", { reason: "failed_to_join_room", detail: "engine" }];
  expect(await (await rooms.connect(ADA)).ask(TOPIC, "phx_join")).toEqual(refused);
  rooms.rows.set(ROOM.id, ROOM);
  const ada = await rooms.enter(ADA);
  expect(await ada.ask(TOPIC, "offer", toOffer(1))).toEqual(["error", { reason: "not_participant" }]);
});

test("a room of an engine that the site runs no more can't be entered", async () => {
  const plain = await createTestRooms();
  plain.rows.set(ROOM.id, { ...ROOM, engine: "mix" });
  const refused = ["error", { reason: "failed_to_join_room", detail: "engine" }];
  expect(await (await plain.connect(ADA)).ask(TOPIC, "phx_join")).toEqual(refused);
  plain.close();
});
