import { expect, test } from "@jest/globals";
import { participant } from "#contract/voice-channel.ts";
import { createText } from "#providers/text.ts";
import type { TextKey } from "../../ui/public-text.ts";
import type { InRoom, Person } from "../call/room-state.ts";
import { texts } from "../call-texts-en.ts";
import type { VoiceTexts } from "../voice-text.tsx";
import { announce, findHeldBack } from "./announce.ts";

const t = createText<TextKey<VoiceTexts>>("en", texts);

const toPerson = (name: string, more: Partial<Person> = {}): Person => ({
  ...participant.parse({ id: name, user_id: name, display_name: name, is_muted: false }),
  link: "connected",
  quality: undefined,
  ...more,
});

function toRoom(people: readonly Person[], more: Partial<InRoom> = {}): InRoom {
  return {
    phase: "in",
    room: undefined,
    me: {
      participantId: "me",
      userId: "me",
      isMuted: false,
      isSilenced: false,
      isSpeaking: false,
      isListening: false,
    },
    people,
    signalling: "connected",
    canModerate: false,
    texts: [],
    isHearingTold: true,
    apart: [],
    complaint: undefined,
    ...more,
  };
}

const toTelling = () => ({ t, mutes: new Map(), away: new Set<string>(), isPushToTalk: false });

const [ADA, BEN, CEM, DIA] = ["Ada", "Ben", "Cem", "Dia"].map((name) => toPerson(name)) as [
  Person,
  Person,
  Person,
  Person,
];

test.each<[string, InRoom, InRoom, string[]]>([
  ["somebody who comes", toRoom([ADA]), toRoom([ADA, BEN]), ["Ben joined"]],
  ["several who come at once", toRoom([]), toRoom([ADA, BEN, CEM]), ["3 people joined"]],
  ["somebody who goes", toRoom([ADA, BEN]), toRoom([BEN]), ["Ada left"]],
  ["a mute", toRoom([ADA]), toRoom([toPerson("Ada", { is_muted: true })]), ["Ada is muted"]],
  ["nobody who speaks", toRoom([ADA]), toRoom([toPerson("Ada", { is_speaking: true })]), []],
  [
    "no flood of mutes",
    toRoom([ADA, BEN, CEM, DIA]),
    toRoom(["Ada", "Ben", "Cem", "Dia"].map((name) => toPerson(name, { is_muted: true }))),
    [],
  ],
  [
    "a lost connection",
    toRoom([ADA]),
    toRoom([toPerson("Ada", { link: "lost" })]),
    ["The connection to Ada is lost"],
  ],
  [
    "all connections of a mix as one",
    toRoom([ADA, BEN, CEM]),
    toRoom(["Ada", "Ben", "Cem"].map((name) => toPerson(name, { link: "lost" }))),
    ["The connection to 3 people is lost"],
  ],
  [
    "who can't be reached",
    toRoom([toPerson("Ada", { link: "connecting" })]),
    toRoom([toPerson("Ada", { link: "unreachable" })]),
    ["Can't reach Ada"],
  ],
  [
    "the server's connection",
    toRoom([]),
    toRoom([], { signalling: "reconnecting" }),
    ["Connection to the server lost"],
  ],
])("tells of %s", (_what, before, now, said) => {
  expect(announce(before, now, { ...toTelling(), nowMs: 0 })).toEqual(said);
});

test("somebody who mutes and unmutes again and again is read out each ten seconds, with how they are then", () => {
  const telling = toTelling();
  const [on, off] = [toRoom([ADA]), toRoom([toPerson("Ada", { is_muted: true })])];
  const steps: [number, InRoom, InRoom][] = [
    [0, on, off],
    [1000, off, on],
    [2000, on, off],
    [3000, off, on],
    [10_000, on, on],
  ];
  const said = steps.map(([nowMs, before, now]) => announce(before, now, { ...telling, nowMs }));
  expect(said).toEqual([["Ada is muted"], [], [], [], ["Ada is no longer muted"]]);
});

test("an unmute that is held back is told when its time has come", () => {
  const telling = toTelling();
  const [on, off] = [toRoom([ADA]), toRoom([toPerson("Ada", { is_muted: true })])];
  announce(on, off, { ...telling, nowMs: 0 });
  expect(findHeldBack(off, telling, 1000)).toBeUndefined();
  announce(off, on, { ...telling, nowMs: 1000 });
  expect(findHeldBack(on, telling, 1000)).toBe(9000);
  expect(findHeldBack({ phase: "outside", fault: undefined }, telling, 1000)).toBeUndefined();
});

test("a link that was lost and is made anew is said to be back, once", () => {
  const telling = toTelling();
  const rooms = (["connected", "lost", "connecting", "lost", "connecting", "connected"] as const).map(
    (link) => toRoom([toPerson("Ada", { link })]),
  );
  const said = rooms
    .slice(1)
    .flatMap((now, index) => announce(rooms[index] ?? now, now, { ...telling, nowMs: 0 }));
  expect(said).toEqual(["The connection to Ada is lost", "The connection to Ada is back"]);
});

test("whoever can be reached after all is said to be back", () => {
  const telling = toTelling();
  const [gone, back] = [toRoom([toPerson("Ada", { link: "unreachable" })]), toRoom([ADA])];
  announce(toRoom([toPerson("Ada", { link: "connecting" })]), gone, { ...telling, nowMs: 0 });
  expect(announce(gone, back, { ...telling, nowMs: 0 })).toEqual(["The connection to Ada is back"]);
});

test("who holds a key to speak is not talked over", () => {
  const [closed, open] = [true, false].map((isMuted) => toRoom([], { me: { ...toRoom([]).me, isMuted } }));
  const tell = (isPushToTalk: boolean) =>
    announce(closed as InRoom, open as InRoom, { ...toTelling(), isPushToTalk, nowMs: 0 });
  expect([tell(true), tell(false)]).toEqual([[], ["You are no longer muted"]]);
});
