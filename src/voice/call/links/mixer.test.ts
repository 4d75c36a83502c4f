import { expect, test } from "@jest/globals";
import { participant } from "#contract/voice-channel.ts";
import type { LinkPhase } from "../room-state.ts";
import type { LinkParts } from "./link-parts.ts";
import type { LinksParts, OutgoingMessage } from "./links.ts";
import { Mixer } from "./mixer.ts";
import type { PeerLink } from "./peer-link.ts";

const person = (userId: string, status: "joining" | "ready" = "ready") =>
  participant.parse({
    id: `seat-${userId}`,
    user_id: userId,
    display_name: userId,
    is_muted: false,
    status,
  });

/** A mixer over a link that remembers what it was told, in a time that stands still. */
function createTestMixer() {
  const calls: string[] = [];
  const phases: [string, LinkPhase][] = [];
  const sent: OutgoingMessage[] = [];
  const clock = { now: 0 };
  let made: Omit<LinkParts, "createConnection"> | undefined;
  const link = {
    phase: "none" as LinkPhase,
    played: undefined as { level: number; rtpTimestamp: number } | undefined,
    connect: () => calls.push("connect"),
    checkPath: () => calls.push("checkPath"),
    lose: () => calls.push("lose"),
    found: () => calls.push("found"),
    take: ({ event }: { event: string }) => calls.push(`take ${event}`),
    changeTrack: async () => undefined,
    getPlayed: () => link.played,
    close: () => calls.push("close"),
  };
  const parts: Partial<LinksParts> = {
    settings: () => ({ iceServers: [], isRelayOnly: true, certificate: undefined, maxBitrate: 32_000 }),
    send: (message) => sent.push(message),
    onLink: (userId, phase) => phases.push([userId, phase]),
    createLink: (linkParts) => {
      made = linkParts;
      return link as unknown as PeerLink;
    },
    now: () => clock.now,
  };
  const mixer = new Mixer(parts as LinksParts);
  return {
    mixer,
    link,
    clock,
    sent,
    takeCalls: () => calls.splice(0),
    takePhases: () => phases.splice(0),
    get linkParts() {
      if (!made) throw new Error("no link was made");
      return made;
    },
    become(phase: Exclude<LinkPhase, "none">) {
      link.phase = phase;
      this.linkParts.onPhase(phase);
    },
  };
}

test("one link is begun, to the engine, however many are there, and everybody is reached as it is", () => {
  const room = createTestMixer();
  room.mixer.takeRoster([person("1", "joining"), person("2"), person("3")], "seat-1", false);
  expect(room.takeCalls()).toEqual(["connect"]);
  room.linkParts.send({ event: "offer", offer: { type: "offer", sdp: "v=0" }, epoch: 1 });
  expect(room.sent).toMatchObject([{ event: "offer", target_user_id: "engine", epoch: 1 }]);
  room.takePhases();
  room.become("connected");
  expect(room.takePhases()).toEqual([
    ["2", "connected"],
    ["3", "connected"],
  ]);
  room.mixer.add(person("4"));
  expect(room.takePhases()).toEqual([["4", "connected"]]);
  expect(room.takeCalls()).toEqual([]);
});

test("the engine alone is listened to", () => {
  const room = createTestMixer();
  const description = { type: "answer", sdp: "v=0" } as const;
  room.mixer.take({ userId: "2" }, { event: "answer", description, epoch: 1 });
  expect(room.takeCalls()).toEqual([]);
  room.mixer.take({ userId: "engine" }, { event: "answer", description, epoch: 1 });
  expect(room.takeCalls()).toEqual(["take answer"]);
});

test("an address is hidden from nobody: no relay is forced on the way to the server", () => {
  expect(createTestMixer().linkParts.settings().isRelayOnly).toBe(false);
});

test("behind a lost channel a link goes on where the server still has it, and is made anew where it has not", () => {
  const room = createTestMixer();
  room.mixer.takeRoster([person("1", "joining"), person("2")], "seat-1", false);
  room.become("connected");
  room.takeCalls();
  room.mixer.takeRoster([person("1"), person("2")], "seat-1", true);
  expect(room.takeCalls()).toEqual(["checkPath"]);
  room.mixer.takeRoster([person("1", "joining"), person("2")], "seat-1", true);
  expect(room.takeCalls()).toEqual(["connect"]);
});

test("who is missing behind a lost channel counts as gone after ten seconds, unless they are back", () => {
  const room = createTestMixer();
  room.mixer.takeRoster([person("1"), person("2"), person("3")], "seat-1", false);
  room.mixer.takeRoster([person("1")], "seat-1", true);
  room.mixer.add(person("3"));
  room.clock.now = 9999;
  room.mixer.measure();
  expect([room.mixer.has("2"), room.mixer.has("3")]).toEqual([true, true]);
  room.clock.now = 10_000;
  room.mixer.measure();
  expect([room.mixer.has("2"), room.mixer.has("3")]).toEqual([false, true]);
});

test("a mix that stops coming is a lost path, and one that comes again a found one", () => {
  const room = createTestMixer();
  room.become("connected");
  room.link.played = { level: 0, rtpTimestamp: 960 };
  room.mixer.measure();
  room.clock.now = 3000;
  room.mixer.measure();
  expect(room.takeCalls()).toEqual([]);
  room.clock.now = 3001;
  room.mixer.measure();
  expect(room.takeCalls()).toEqual(["lose"]);
  room.become("lost");
  room.link.played = { level: 0, rtpTimestamp: 1920 };
  room.mixer.measure();
  expect(room.takeCalls()).toEqual(["found"]);
});

test("a seat that is left is forgotten, and a newer one of the same person stays", () => {
  const room = createTestMixer();
  room.mixer.takeRoster([person("1"), person("2")], "seat-1", false);
  room.mixer.remove("2", "an earlier seat");
  expect(room.mixer.has("2")).toBe(true);
  room.mixer.remove("2", "seat-2");
  expect(room.mixer.has("2")).toBe(false);
});
