import { expect, test } from "@jest/globals";
import { participant } from "#contract/voice-channel.ts";
import { createText } from "#providers/text.ts";
import type { TextKey } from "../../ui/public-text.ts";
import type { InRoom, Person } from "../call/room-state.ts";
import { texts } from "../call-texts-en.ts";
import type { VoiceTexts } from "../voice-text.tsx";
import { announce } from "./announce.ts";

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
  expect(announce(before, now, { t, mutesSaidAt: new Map(), nowMs: 0 })).toEqual(said);
});

test("somebody who mutes and unmutes again and again is read out each ten seconds", () => {
  const mutesSaidAt = new Map<string, number>();
  const [on, off] = [toRoom([ADA]), toRoom([toPerson("Ada", { is_muted: true })])];
  const said = [0, 1000, 2000, 10_000].map(
    (nowMs, index) =>
      announce(
        ...([
          [on, off],
          [off, on],
        ][index % 2] as [InRoom, InRoom]),
        { t, mutesSaidAt, nowMs },
      ).length,
  );
  expect(said).toEqual([1, 0, 0, 1]);
});
