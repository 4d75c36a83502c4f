import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { FINAL_REASONS } from "#contract/socket.ts";
import { toRoomTopic } from "#contract/voice/room-channel.ts";
import { LOBBY_TOPIC } from "#contract/voice/rooms.ts";
import { settle } from "#test/carriers.ts";
import {
  ADA,
  ADMIN,
  BEN,
  CEM,
  createTestRooms,
  MAKER,
  ROOM,
  type TestRooms,
  TOPIC,
  toPerson,
} from "./test-rooms.ts";

let rooms: TestRooms;
beforeEach(async () => {
  rooms = await createTestRooms();
});
afterEach(() => {
  expect(rooms.errors).toEqual([]);
  rooms.close();
});

type Received = [string, unknown][];
const of = (received: Received, event: string) =>
  received.filter(([name]) => name === event).map(([, said]) => said);
const namesOf = (received: Received) => received.map(([name]) => name);
const SDP = "v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 111\r\n";

describe("a join", () => {
  test.each([
    ["an unknown room", toRoomTopic("nothing-like-this"), {}, { reason: "room_not_found" }],
    ["a slug", toRoomTopic(ROOM.slug), {}, { reason: "room_not_found" }],
    ["another's ticket", TOPIC, { ticket: "ticket of 9" }, { reason: "unauthorized", detail: "ticket" }],
  ])("of %s is refused", async (_what, topic, payload, response) => {
    const ada = await rooms.connect(ADA);
    expect(await ada.ask(topic, "phx_join", payload)).toEqual(["error", response]);
  });

  test("of a closed room, a full one or by somebody banned is refused with what stands against it", async () => {
    const refusal = async (userId: number) => (await rooms.connect(userId)).ask(TOPIC, "phx_join");
    rooms.restrictions.push({ roomId: ROOM.public_id, userId: ADA, kind: "ban" });
    expect(await refusal(ADA)).toEqual(["error", { reason: "unauthorized", detail: "banned" }]);
    for (const userId of [MAKER, BEN, CEM]) await rooms.enter(userId);
    expect(await refusal(ADMIN)).toEqual(["error", { reason: "failed_to_join_room", detail: "full" }]);
    rooms.rows.set(ROOM.id, { ...ROOM, is_active: false });
    expect(await refusal(ADMIN)).toEqual(["error", { reason: "failed_to_join_room", detail: "closed" }]);
  });

  test("answers with seat, room and whether the person moderates; the roster holds everybody, oneself too", async () => {
    await rooms.enter(ADA);
    const maker = await rooms.connect(MAKER);
    maker.send(TOPIC, "phx_join", { ticket: `ticket of ${MAKER}` });
    const received = await maker.receive();
    expect(namesOf(received)[0]).toBe("roster_snapshot");
    expect(of(received, "roster_snapshot")).toEqual([
      {
        participants: [
          expect.objectContaining({ user_id: String(ADA), display_name: "Ada", join_number: 1 }),
          expect.objectContaining({ user_id: String(MAKER), display_name: "Maker", join_number: 2 }),
        ],
      },
    ]);
    const { answer } = await rooms.enter(ADMIN);
    expect(answer).toMatchObject({
      can_moderate: true,
      ice_servers: [],
      room: { id: ROOM.public_id, slug: "tea-room", participant_count: 3 },
    });
  });

  test("is sent to the others once, and a room with a rule mutes newcomers", async () => {
    rooms.rows.set(ROOM.id, { ...ROOM, auto_mute_on_join: true });
    const ada = await rooms.enter(ADA);
    await ada.receive();
    await rooms.enter(BEN);
    const received = await ada.receive();
    const ben = expect.objectContaining({ user_id: String(BEN), is_muted: true, mute_state: "muted" });
    expect(received).toEqual([
      ["participant_joined", ben],
      ["roster_update", { added: [ben] }],
    ]);
  });

  test("says a hidden name to nobody: who it is says the server", async () => {
    const ada = await rooms.enter(ADA);
    await ada.receive();
    await rooms.enter(BEN, { display_name: "The Owner", user_id: "1" });
    const [joined] = of(await ada.receive(), "participant_joined");
    expect(joined).toMatchObject({ user_id: String(BEN), display_name: "Ben" });
  });
});

describe("a seat", () => {
  test("is free at once when its holder leaves, and 20 s after their connection is lost", async () => {
    const [ada, ben, cem] = [await rooms.enter(ADA), await rooms.enter(BEN), await rooms.enter(CEM)];
    await ada.receive();
    expect(await ben.ask(TOPIC, "leave")).toEqual(["ok", {}]);
    expect(of(await ada.receive(), "participant_left")).toEqual([
      { id: ben.answer.participant_id, user_id: String(BEN) },
    ]);
    await cem.drop();
    rooms.advance(19_999);
    expect(await ada.receive()).toEqual([]);
    expect(rooms.voice.countSeats(ROOM.public_id)).toBe(2);
    rooms.advance(1);
    expect(namesOf(await ada.receive())).toEqual(["participant_left", "roster_update"]);
    expect(rooms.voice.countSeats(ROOM.public_id)).toBe(1);
  });

  test("is the same for who comes back in time: nobody is notified of a new person", async () => {
    const [ada, ben] = [await rooms.enter(ADA), await rooms.enter(BEN)];
    const { participant_id } = ben.answer;
    await ben.drop();
    rooms.advance(10_000);
    await ada.receive();
    const back = await rooms.enter(BEN, { is_muted: true, seat: { id: participant_id, join_number: 2 } });
    expect(back.answer.participant_id).toBe(participant_id);
    const received = await ada.receive();
    expect(namesOf(received)).toEqual(["roster_update"]);
    expect(of(received, "roster_update")).toEqual([
      { updated: [expect.objectContaining({ id: participant_id, is_muted: true, join_number: 2 })] },
    ]);
    rooms.advance(60_000);
    expect(await ada.receive()).toEqual([]);
  });

  test("goes to the newest tab, and the old one is notified", async () => {
    const [ada, old] = [await rooms.enter(ADA), await rooms.enter(BEN)];
    await ada.receive();
    await old.receive();
    const next = await rooms.enter(BEN);
    expect(next.answer.participant_id).not.toBe(old.answer.participant_id);
    expect(await old.receive()).toEqual([
      ["error", { code: "replaced", message: expect.any(String) }],
      ["phx_close", {}],
    ]);
    expect(namesOf(await ada.receive())).toEqual(["participant_left", "participant_joined", "roster_update"]);
    expect(rooms.voice.countSeats(ROOM.public_id)).toBe(2);
    expect(await next.ask(TOPIC, "mute")).toEqual(["ok", {}]);
  });

  test("behind a restart of the server is what it was", async () => {
    const { answer } = await rooms.enter(ADA, {
      is_muted: true,
      seat: { id: "a-seat-from-before-the-restart", join_number: 41 },
    });
    expect(answer.participant_id).toBe("a-seat-from-before-the-restart");
    const ben = await rooms.connect(BEN);
    ben.send(TOPIC, "phx_join", {});
    const [snapshot] = of(await ben.receive(), "roster_snapshot") as { participants: object[] }[];
    expect(snapshot?.participants).toMatchObject([
      { join_number: 41, is_muted: true },
      { join_number: 42, is_muted: false },
    ]);
  });

  test("that is reserved counts, is on no roster, and goes after 20 s", async () => {
    const reserved = rooms.voice.reserve(ROOM, {
      userId: BEN,
      username: "ben",
      level: 1,
      sessionId: "s",
      ipAddress: null,
      requestId: null,
    });
    await reserved;
    const ada = await rooms.connect(ADA);
    ada.send(TOPIC, "phx_join", {});
    const [snapshot] = of(await ada.receive(), "roster_snapshot") as { participants: object[] }[];
    expect(snapshot?.participants).toHaveLength(1);
    await rooms.enter(CEM);
    const refused = await (await rooms.connect(MAKER)).ask(TOPIC, "phx_join");
    expect(refused[1]).toEqual({ reason: "failed_to_join_room", detail: "full" });
    const ben = await rooms.enter(BEN);
    expect(of(await ada.receive(), "participant_joined")).toMatchObject([
      { user_id: String(CEM) },
      { user_id: String(BEN) },
    ]);
    rooms.advance(30_000);
    expect(await ben.receive()).not.toContainEqual(["phx_close", {}]);
    await ben.ask(TOPIC, "leave");
    await rooms.voice.reserve(ROOM, {
      userId: BEN,
      username: "ben",
      level: 1,
      sessionId: "s",
      ipAddress: null,
      requestId: null,
    });
    rooms.advance(20_000);
    await settle();
    expect(rooms.voice.countSeats(ROOM.public_id)).toBe(2);
  });
});

test("who has only reserved a seat is named to nobody, whatever is said of them", async () => {
  const ada = await rooms.enter(ADA);
  await ada.receive();
  await rooms.voice.reserve(ROOM, toPerson(BEN));
  rooms.voice.setMuted(ROOM.public_id, BEN, true);
  rooms.voice.measured(ROOM.public_id, BEN, "muted");
  rooms.advance(10_000);
  expect(await ada.receive()).toEqual([]);
});

describe("what a client claims", () => {
  test("of another's seat is not believed", async () => {
    const ada = await rooms.enter(ADA);
    const { participant_id } = ada.answer;
    const thief = await rooms.enter(BEN, { seat: { id: participant_id, join_number: 1 } });
    expect(thief.answer.participant_id).not.toBe(participant_id);
    expect(rooms.voice.countSeats(ROOM.public_id)).toBe(2);
  });

  test("of its number is believed as far as a million, and a seat that can't be read costs nothing else", async () => {
    await rooms.enter(ADA, { seat: { id: "a-seat-of-the-first-one", join_number: 2_000_000 } });
    const ben = await rooms.connect(BEN);
    ben.send(TOPIC, "phx_join", { is_muted: true, seat: { id: "?", join_number: -1 } });
    const [snapshot] = of(await ben.receive(), "roster_snapshot") as { participants: object[] }[];
    expect(snapshot?.participants).toMatchObject([
      { join_number: 1_000_000 },
      { join_number: 1_000_000, is_muted: true },
    ]);
  });

  test("by a name with NUL is no room", async () => {
    const ada = await rooms.connect(ADA);
    expect(await ada.ask(toRoomTopic("abc\u0000"), "phx_join")).toEqual([
      "error",
      { reason: "room_not_found" },
    ]);
    expect(rooms.asked).toEqual([]);
  });
});

describe("nobody can drown another", () => {
  test("in offers or candidates: a pair has a budget, which comes back with time", async () => {
    const [ada, ben] = [await rooms.enter(ADA), await rooms.enter(BEN)];
    await ben.receive();
    for (let n = 0; n < 200; n += 1) {
      ada.send(TOPIC, "offer", { target_user_id: BEN, offer: SDP });
      ada.send(TOPIC, "ice-candidate", { candidate: "candidate:1" });
    }
    await ada.receive();
    const received = await ben.receive();
    expect([of(received, "offer").length, of(received, "ice-candidate").length]).toEqual([8, 120]);
    expect(await ada.ask(TOPIC, "offer", { target_user_id: BEN, offer: SDP })).toEqual([
      "error",
      { reason: "too_many_messages" },
    ]);
    rooms.advance(1000);
    expect(await ada.ask(TOPIC, "offer", { target_user_id: BEN, offer: SDP })).toEqual(["ok", {}]);
  });

  test("by joining again: that fills no budget, and has one of its own", async () => {
    const [ada, ben] = [await rooms.enter(ADA), await rooms.enter(BEN)];
    await ben.receive();
    const refused: unknown[] = [];
    for (let n = 0; n < 20; n += 1) {
      const [status, response] = await ada.ask(TOPIC, "phx_join");
      if (status !== "ok") refused.push(response);
      for (let offer = 0; offer < 8; offer += 1)
        ada.send(TOPIC, "offer", { target_user_id: BEN, offer: SDP });
      await ada.receive();
    }
    expect(refused).toEqual(Array.from({ length: 11 }, () => ({ reason: "too_many_messages" })));
    expect(of(await ben.receive(), "offer")).toHaveLength(8);
    expect(FINAL_REASONS.has("too_many_messages")).toBe(false);
    rooms.advance(2000);
    expect((await ada.ask(TOPIC, "phx_join"))[0]).toBe("ok");
    expect((await ada.ask(TOPIC, "phx_join"))[0]).toBe("error");
  });

  test("by naming one room after the other, or the lobby: a person has one budget for all rooms, and one for the lobby", async () => {
    const ada = await rooms.connect(ADA);
    const statuses: string[] = [];
    const join = async (topic: string, payload: object = {}) => {
      const [status, response] = await ada.ask(topic, "phx_join", payload);
      statuses.push(status === "ok" ? "ok" : (response as { reason: string }).reason);
    };
    for (let n = 0; n < 100; n += 1) await join(toRoomTopic(`no-such-room-${n}`));
    expect(statuses.splice(0)).toEqual([
      ...Array(40).fill("room_not_found"),
      ...Array(60).fill("too_many_messages"),
    ]);
    expect(rooms.asked.splice(0)).toHaveLength(40);
    for (let n = 0; n < 100; n += 1) await join(LOBBY_TOPIC, { room_id: `no-such-room-${n}` });
    expect(statuses.splice(0)).toEqual([...Array(40).fill("ok"), ...Array(60).fill("too_many_messages")]);
    expect(rooms.asked).toHaveLength(40);
    // Nobody else has spent anything.
    await rooms.enter(BEN);
    rooms.advance(1000);
    for (const topic of [TOPIC, LOBBY_TOPIC]) await join(topic);
    expect(statuses).toEqual(["ok", "ok"]);
  });

  test("in news of oneself: those of a quarter of a second are one, and name only who is there", async () => {
    const [ada, ben] = [await rooms.enter(ADA), await rooms.enter(BEN)];
    await ben.receive();
    for (let n = 0; n < 100; n += 1) {
      ada.send(TOPIC, "hearing", { user_ids: Array.from({ length: 100 }, (_, id) => `${n}-${id}`) });
      ada.send(TOPIC, "ready", { protocol_version: "1.0.0" });
    }
    ada.send(TOPIC, "hearing", { user_ids: ["4", "4", "99"] });
    await ada.receive();
    rooms.advance(1000);
    const received = await ben.receive();
    expect(namesOf(received).filter((name) => name === "roster_update").length).toBeLessThanOrEqual(2);
    expect(of(received, "participant_hearing")).toEqual([
      { user_id: "3", user_ids: [] },
      { user_id: "3", user_ids: ["4"] },
    ]);
  });
});

test("a block that was made from outside holds when the two meet", async () => {
  const ben = await rooms.enter(BEN);
  rooms.apart.set(ADA, [BEN]);
  await rooms.voice.blocksChanged(ADA);
  const ada = await rooms.enter(ADA);
  await ada.receive();
  await ben.ask(TOPIC, "text", { text: "hello" });
  await ben.ask(TOPIC, "ice-candidate", { candidate: "candidate:1" });
  expect(await ada.receive()).toEqual([]);
});

test("who mutes themselves by a call is published in the room, so that their browser follows", async () => {
  const ada = await rooms.enter(ADA);
  rooms.voice.setMuted(ROOM.public_id, ADA, true);
  expect(of(await ada.receive(), "own_mute")).toEqual([{ is_muted: true }]);
});

test("a new name is on the roster, in what was said, and in no presence", async () => {
  const ada = await rooms.enter(ADA);
  await ada.ask(TOPIC, "text", { text: "hello" });
  rooms.names.set(ADA, "ada");
  await rooms.notice("accounts.user", [ADA]);
  const ben = await rooms.connect(BEN);
  ben.send(TOPIC, "phx_join", {});
  const all = JSON.stringify(await ben.receiveAll());
  expect(all).toContain('"display_name":"ada"');
  expect(all).not.toContain("Ada");
});

test("who has left is called in their lines as they are called now, and where they are gone, so are the lines", async () => {
  const [ada, ben] = [await rooms.enter(ADA), await rooms.enter(BEN)];
  await ada.ask(TOPIC, "text", { text: "hello" });
  await ben.ask(TOPIC, "text", { text: "good day" });
  await ada.ask(TOPIC, "leave");
  const readTexts = async () => {
    const cem = await rooms.connect(CEM);
    cem.send(TOPIC, "phx_join", {});
    const [kept] = of(await cem.receive(), "texts") as { texts: { display_name: string; text: string }[] }[];
    return kept?.texts.map(({ display_name, text }) => [display_name, text]);
  };
  rooms.names.set(ADA, "ada");
  await rooms.notice("accounts.user", [ADA]);
  expect(await readTexts()).toEqual([
    ["ada", "hello"],
    ["Ben", "good day"],
  ]);
  rooms.gone.add(ADA);
  await rooms.notice("accounts.user", [ADA]);
  expect(await readTexts()).toEqual([["Ben", "good day"]]);
  rooms.names.set(BEN, "Benjamin");
  await rooms.missNotices();
  expect(await readTexts()).toEqual([["Benjamin", "good day"]]);
});

describe("a message between two", () => {
  test("reaches the one it is for, with its sender as the server knows them", async () => {
    const [ada, ben, cem] = [await rooms.enter(ADA), await rooms.enter(BEN), await rooms.enter(CEM)];
    await Promise.all([ada.receive(), ben.receive(), cem.receive()]);
    const forged = {
      from_user_id: "1",
      from_display_name: "The Owner",
      target_user_id: String(BEN),
      epoch: 2,
    };
    expect(await ada.ask(TOPIC, "offer", { ...forged, offer: { type: "offer", sdp: SDP } })).toEqual([
      "ok",
      {},
    ]);
    expect(await ben.receive()).toEqual([
      [
        "offer",
        {
          from_user_id: String(ADA),
          from_display_name: "Ada",
          from_participant_id: ada.answer.participant_id,
          target_user_id: String(BEN),
          offer: { type: "offer", sdp: SDP },
          epoch: 2,
        },
      ],
    ]);
    expect(await cem.receive()).toEqual([]);
  });

  test("a candidate without an address goes to everybody else", async () => {
    const [ada, ben, cem] = [await rooms.enter(ADA), await rooms.enter(BEN), await rooms.enter(CEM)];
    await Promise.all([ada.receive(), ben.receive(), cem.receive()]);
    await ada.ask(TOPIC, "ice-candidate", { candidate: "", sdp_mid: "0", sdp_mline_index: 0 });
    for (const other of [ben, cem])
      expect(of(await other.receive(), "ice-candidate")).toEqual([
        expect.objectContaining({ candidate: "", from_user_id: String(ADA) }),
      ]);
    expect(await ada.receive()).toEqual([]);
  });

  test.each<[string, string, object, string]>([
    ["offer", "that is a number", { target_user_id: "4", offer: 7 }, "invalid_offer_format"],
    ["offer", "without sound", { target_user_id: "4", offer: "v=0\r\n" }, "invalid_offer_format"],
    [
      "offer",
      "with a picture too",
      { target_user_id: "4", offer: `${SDP}m=video 9 x\r\n` },
      "invalid_offer_format",
    ],
    [
      "offer",
      "that is too long",
      { target_user_id: "4", offer: `${SDP}${"a".repeat(17_000)}` },
      "invalid_offer_format",
    ],
    ["offer", "to nobody", { offer: SDP }, "missing_required_fields"],
    ["offer", "to somebody who is not there", { target_user_id: "5", offer: SDP }, "not_participant"],
    ["offer", "to what is no person", { target_user_id: "x", offer: SDP }, "not_participant"],
    ["offer", "to oneself", { target_user_id: "3", offer: SDP }, "not_participant"],
    [
      "answer",
      "of the wrong type",
      { target_user_id: "4", answer: { type: "offer", sdp: SDP } },
      "invalid_answer_format",
    ],
    ["answer", "that is missing", { target_user_id: "4" }, "missing_required_fields"],
    [
      "ice-candidate",
      "that is no candidate",
      { target_user_id: "4", candidate: "hello" },
      "invalid_candidate_string",
    ],
    ["ice-candidate", "that is a number", { target_user_id: "4", candidate: 5 }, "invalid_candidate_format"],
    [
      "ice-candidate",
      "that is too long",
      { target_user_id: "4", candidate: "c".repeat(1025) },
      "invalid_candidate_format",
    ],
    ["ice-candidate", "that is missing", { target_user_id: "4" }, "missing_required_fields"],
    ["ready", "of another version", { protocol_version: "2.0.0" }, "unsupported_version"],
    ["ready", "without a version", {}, "missing_required_fields"],
    ["wave", "of an unknown kind", {}, "unknown_event_type"],
  ])("%s %s is refused", async (event, _fault, payload, reason) => {
    const ada = await rooms.enter(ADA);
    const ben = await rooms.enter(BEN);
    await ben.receive();
    expect(await ada.ask(TOPIC, event, payload)).toEqual(["error", { reason }]);
    expect(await ben.receive()).toEqual([]);
  });

  test("to a seat whose connection is away is taken and dropped", async () => {
    const [ada, ben] = [await rooms.enter(ADA), await rooms.enter(BEN)];
    await ben.drop();
    expect(await ada.ask(TOPIC, "offer", { target_user_id: BEN, offer: SDP })).toEqual(["ok", {}]);
  });

  test("between two of whom one has blocked the other is taken and dropped, both ways, text too", async () => {
    const [ada, ben, cem] = [await rooms.enter(ADA), await rooms.enter(BEN), await rooms.enter(CEM)];
    rooms.apart.set(ADA, [BEN]);
    await rooms.voice.blocksChanged(ADA);
    await Promise.all([ada.receive(), ben.receive(), cem.receive()]);
    expect(await ada.ask(TOPIC, "offer", { target_user_id: BEN, offer: SDP })).toEqual(["ok", {}]);
    expect(await ben.ask(TOPIC, "answer", { target_user_id: ADA, answer: SDP })).toEqual(["ok", {}]);
    await ada.ask(TOPIC, "text", { text: "hello" });
    expect(await ben.receive()).toEqual([]);
    expect(of(await cem.receive(), "text")).toMatchObject([{ text: "hello", user_id: String(ADA) }]);
    rooms.apart.clear();
    await rooms.voice.blocksChanged(ADA);
    await ben.ask(TOPIC, "offer", { target_user_id: ADA, offer: SDP });
    expect(namesOf(await ada.receive())).toContain("offer");
  });
});

describe("what somebody does", () => {
  test("is sent to all at once, then at most four times a second, and the last state is never lost", async () => {
    const [ada, ben] = [await rooms.enter(ADA), await rooms.enter(BEN)];
    await ben.receive();
    for (let n = 0; n < 50; n += 1) ada.send(TOPIC, "speaking", { is_speaking: n % 2 === 0 });
    ada.send(TOPIC, "mute");
    await ada.receive();
    expect(await ben.receive()).toEqual([
      ["participant_muted", { user_id: "3", is_muted: false }],
      ["participant_speaking", { user_id: "3", is_speaking: true }],
    ]);
    rooms.advance(250);
    expect(await ben.receive()).toEqual([
      ["participant_muted", { user_id: "3", is_muted: true }],
      ["participant_speaking", { user_id: "3", is_speaking: false }],
    ]);
    rooms.advance(10_000);
    expect(await ben.receive()).toEqual([]);
  });

  test("being ready, with or without a microphone, and whom they hear", async () => {
    const [ada, ben] = [await rooms.enter(ADA), await rooms.enter(BEN)];
    await ben.receive();
    await ada.ask(TOPIC, "ready", {
      protocol_version: "1.0.0",
      devices: { microphone: false },
      capabilities: { x: 1 },
    });
    await ada.ask(TOPIC, "hearing", { user_ids: [String(BEN)] });
    const received = await ben.receive();
    expect(namesOf(received)).toEqual(["participant_ready", "roster_update", "participant_hearing"]);
    expect(of(received, "roster_update")).toMatchObject([
      { updated: [{ status: "ready", devices: { microphone: false } }] },
    ]);
    const cem = await rooms.connect(CEM);
    cem.send(TOPIC, "phx_join", {});
    const [snapshot] = of(await cem.receive(), "roster_snapshot") as { participants: object[] }[];
    expect(snapshot?.participants).toMatchObject([{ user_id: "3", hears: ["4"] }, {}, {}]);
  });

  test("a text reaches everybody, is kept for newcomers, and goes when the room is empty", async () => {
    const ada = await rooms.enter(ADA);
    expect(await ada.ask(TOPIC, "text", { text: "  first  " })).toEqual(["ok", {}]);
    expect(await ada.ask(TOPIC, "text", { text: "too soon" })).toEqual([
      "error",
      { reason: "too_many_messages" },
    ]);
    expect(await ada.ask(TOPIC, "text", { text: "a\u202Etxt.exe" })).toEqual([
      "error",
      { reason: "missing_required_fields" },
    ]);
    expect(await ada.ask(TOPIC, "text", { text: "   " })).toEqual([
      "error",
      { reason: "missing_required_fields" },
    ]);
    for (let n = 2; n <= 60; n += 1) {
      rooms.advance(1000);
      await ada.ask(TOPIC, "text", { text: `line ${n}` });
    }
    const ben = await rooms.connect(BEN);
    ben.send(TOPIC, "phx_join", {});
    const [kept] = of(await ben.receive(), "texts") as { texts: { text: string }[] }[];
    expect(kept?.texts).toHaveLength(50);
    expect(kept?.texts.at(-1)).toMatchObject({ text: "line 60", display_name: "Ada" });
    await ada.ask(TOPIC, "leave");
    await ben.ask(TOPIC, "leave");
    const cem = await rooms.connect(CEM);
    cem.send(TOPIC, "phx_join", {});
    expect(of(await cem.receive(), "texts")).toEqual([]);
  });
});

describe("a moderator's measure", () => {
  test("mutes somebody for all, who can't lift it themselves, until it is lifted", async () => {
    const [ada, ben] = [await rooms.enter(ADA), await rooms.enter(BEN)];
    await Promise.all([ada.receive(), ben.receive()]);
    rooms.voice.measured(ROOM.public_id, BEN, "muted");
    expect(await ben.receive()).toContainEqual(["error", { code: "muted", message: expect.any(String) }]);
    await ben.ask(TOPIC, "unmute");
    rooms.advance(1000);
    const received = await ada.receive();
    expect(of(received, "roster_update")).toMatchObject([
      { updated: [{ is_silenced: true, is_muted: true }] },
    ]);
    expect(of(received, "participant_muted")).toEqual([{ user_id: "4", is_muted: true }]);
    rooms.voice.measured(ROOM.public_id, BEN, "unmuted");
    expect(of(await ada.receive(), "roster_update")).toMatchObject([
      { updated: [{ is_silenced: false, is_muted: false }] },
    ]);
  });

  test.each(["removed", "banned"] as const)("%s ends the call, and others are notified", async (measure) => {
    const [ada, ben] = [await rooms.enter(ADA), await rooms.enter(BEN)];
    await Promise.all([ada.receive(), ben.receive()]);
    rooms.voice.measured(ROOM.public_id, BEN, measure);
    const received = await ben.receive();
    expect(received).toContainEqual(["error", { code: measure, message: expect.any(String) }]);
    expect(received).toContainEqual(["phx_close", {}]);
    expect(namesOf(await ada.receive())).toEqual(["participant_left", "roster_update"]);
    expect(rooms.voice.countSeats(ROOM.public_id)).toBe(1);
  });

  test("written by any endpoint holds in the room", async () => {
    const [ada, ben] = [await rooms.enter(ADA), await rooms.enter(BEN)];
    await Promise.all([ada.receive(), ben.receive()]);
    rooms.restrictions.push({ roomId: ROOM.public_id, userId: ADA, kind: "mute" });
    rooms.restrictions.push({ roomId: ROOM.public_id, userId: BEN, kind: "ban" });
    await rooms.notice("voice.restriction", [1, 2]);
    expect(of(await ada.receive(), "error")).toMatchObject([{ code: "muted" }]);
    expect(of(await ben.receive(), "error")).toMatchObject([{ code: "banned" }]);
  });

  test("a suspended account loses its seat at once, a lost connection's too", async () => {
    const [ada, ben] = [await rooms.enter(ADA), await rooms.enter(BEN)];
    await ada.receive();
    await ben.drop();
    rooms.gone.add(BEN);
    await rooms.notice("accounts.user", [BEN]);
    expect(namesOf(await ada.receive())).toEqual(["participant_left", "roster_update"]);
  });

  test("a room that is closed or deleted ends for everybody in it", async () => {
    const [ada, ben] = [await rooms.enter(ADA), await rooms.enter(BEN)];
    rooms.rows.set(ROOM.id, { ...ROOM, is_active: false });
    await rooms.notice("voice.room", [ROOM.id]);
    for (const client of [ada, ben])
      expect(of(await client.receive(), "error")).toMatchObject([{ code: "room_closed" }]);
    expect(rooms.voice.countSeats(ROOM.public_id)).toBe(0);
    rooms.rows.set(ROOM.id, { ...ROOM });
    const again = await rooms.enter(ADA);
    rooms.rows.delete(ROOM.id);
    await rooms.notice("voice.room", [ROOM.id]);
    expect(of(await again.receive(), "error")).toMatchObject([{ code: "room_closed" }]);
  });
});

describe("the lobby", () => {
  const joinLobby = async (userId: number, payload: object = {}) => {
    const client = await rooms.connect(userId);
    const [, answer] = await client.ask(LOBBY_TOPIC, "phx_join", payload);
    return { ...client, answer };
  };

  test("receives who is in public rooms, at most twice a second", async () => {
    const lobby = await joinLobby(CEM);
    await rooms.enter(ADA);
    await rooms.enter(BEN);
    expect(of(await lobby.receive(), "room_changed")).toMatchObject([
      { participant_count: 1, slug: "tea-room" },
    ]);
    rooms.advance(500);
    expect(of(await lobby.receive(), "room_changed")).toMatchObject([{ participant_count: 2 }]);
  });

  test("publishes a private room to its creator and admins, and strangers get no id", async () => {
    rooms.rows.set(ROOM.id, { ...ROOM, is_public: false });
    const [stranger, maker, admin] = [await joinLobby(CEM), await joinLobby(MAKER), await joinLobby(ADMIN)];
    await rooms.enter(ADA);
    await rooms.notice("voice.room", [ROOM.id]);
    expect(await stranger.receive()).toEqual([["rooms_changed", {}]]);
    rooms.advance(500);
    expect(namesOf(await maker.receive())).toEqual(["room_changed", "room_entered", "room_changed"]);
    expect(namesOf(await admin.receive())).toEqual(["room_changed", "room_changed"]);
  });

  test("sends a guest of a private room news of that room, and of no other", async () => {
    rooms.rows.set(ROOM.id, { ...ROOM, is_public: false });
    const guest = await joinLobby(CEM, { room_id: ROOM.public_id });
    const other = await joinLobby(BEN, { room_id: "qrstuvwxyzabcdef" });
    const confused = await joinLobby(BEN, { room_id: 7 });
    expect(rooms.asked).toEqual([ROOM.public_id, "qrstuvwxyzabcdef"]);
    expect(guest.answer).toMatchObject({ room: { slug: ROOM.slug, participant_count: 0 } });
    expect([other.answer, confused.answer]).toEqual([{ room: null }, {}]);
    await rooms.enter(ADA);
    expect(of(await guest.receive(), "room_changed")).toMatchObject([{ participant_count: 1 }]);
    rooms.rows.delete(ROOM.id);
    await rooms.notice("voice.room", [ROOM.id]);
    expect(of(await guest.receive(), "room_removed")).toEqual([{ id: ROOM.public_id }]);
    expect([await other.receive(), await confused.receive()]).toEqual([[], []]);
  });

  test.each(["abc\0", "", "x".repeat(101)])(
    "is refused to who names what can be no room, and nothing is read: %j",
    async (room_id) => {
      const { answer } = await joinLobby(CEM, { room_id });
      expect([answer, rooms.asked]).toEqual([{ reason: "room_not_found" }, []]);
    },
  );

  test("the creator is notified of the first one who comes in, and of nobody after", async () => {
    const maker = await joinLobby(MAKER);
    await rooms.enter(ADA);
    await rooms.enter(BEN);
    expect(of(await maker.receive(), "room_entered")).toMatchObject([{ display_name: "Ada" }]);
    expect(rooms.notified).toEqual(["Ada is in Tea room"]);
  });

  test("the creator is notified once an hour at most, however often the room is empty between", async () => {
    const maker = await joinLobby(MAKER);
    const visit = async (userId: number) => {
      const { ask } = await rooms.enter(userId);
      await ask(TOPIC, "leave");
      return of(await maker.receive(), "room_entered");
    };
    expect(await visit(ADA)).toHaveLength(1);
    rooms.advance(59 * 60_000);
    expect(await visit(BEN)).toEqual([]);
    rooms.advance(2 * 60_000);
    expect(await visit(CEM)).toMatchObject([{ display_name: "Cem" }]);
    expect(rooms.notified).toEqual(["Ada is in Tea room", "Cem is in Tea room"]);
  });

  test("the creator is not notified of who comes back behind a restart of the server: they were there already", async () => {
    const maker = await joinLobby(MAKER);
    await rooms.enter(ADA, { seat: { id: "a-seat-from-before-the-restart", join_number: 1 } });
    await rooms.enter(BEN, { seat: { id: "another-seat-from-before-that", join_number: 2 } });
    expect(of(await maker.receive(), "room_entered")).toEqual([]);
    expect(rooms.notified).toEqual([]);
  });

  test("is notified when a room is gone", async () => {
    const lobby = await joinLobby(CEM);
    await rooms.enter(ADA);
    await lobby.receive();
    rooms.rows.delete(ROOM.id);
    await rooms.notice("voice.room", [ROOM.id]);
    expect(await lobby.receive()).toContainEqual(["room_removed", { id: ROOM.public_id }]);
  });
});
