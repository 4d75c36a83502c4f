import { describe, expect, test } from "@jest/globals";
import { screen } from "@testing-library/react";
import type { InRoom, LinkPhase, Person } from "../call/room-state.ts";
import { listBareKeys, openVoice, type VoiceSetup } from "../test-voice.tsx";
import { Participants } from "./participants.tsx";
import { createRoomCall, toInRoom, toPerson } from "./test-room-call.ts";

function openPeople(state: InRoom, setup: VoiceSetup & { blocked?: string; mutedForMe?: string } = {}) {
  const { blocked, mutedForMe, ...voice } = setup;
  const { call, fake, ...room } = createRoomCall(state);
  fake.isBlocked = (userId) => userId === blocked;
  fake.isMutedForMe = (userId) => userId === mutedForMe;
  const page = openVoice(
    <Participants
      call={call}
      state={state}
      ownName="Işıl Y"
      ownAvatar={null}
      drawMenu={(person) => <i>menu of {person.display_name}</i>}
    />,
    voice,
  );
  return { ...page, ...room, fake };
}

const getFace = (id: string) => {
  const face = document.querySelector<HTMLElement>(`[data-person="${id}"]`);
  if (!face) throw new Error(`${id} is not shown`);
  return face;
};
const listTags = (id: string) =>
  [...getFace(id).querySelectorAll(".tag")].map(({ textContent }) => textContent);
const readTrouble = (id: string) => getFace(id).querySelector(".face-trouble")?.textContent ?? "";

describe("tags", () => {
  test.each<[Partial<InRoom["me"]>, string[]]>([
    [{}, ["You", "Listening"]],
    [{ isSpeaking: true }, ["You", "Speaking"]],
    [{ isMuted: true }, ["You", "Muted"]],
    [{ isListening: true, isMuted: true }, ["You", "No microphone"]],
    [{ isSilenced: true, isMuted: true }, ["You", "Muted by a moderator"]],
  ])("of oneself who is %j are %j", (me, tags) => {
    openPeople(toInRoom({}, me));
    expect(listTags("own")).toEqual(tags);
  });

  test("of oneself whose microphone was unplugged say that there is none", () => {
    openPeople(toInRoom()).setMicrophone({ isOpen: false, wasLost: true });
    expect(listTags("own")).toEqual(["You", "No microphone"]);
  });

  test.each<[Partial<Person>, string[]]>([
    [{}, ["Listening"]],
    [{ is_speaking: true }, ["Speaking"]],
    [{ is_muted: true, is_speaking: true }, ["Muted"]],
    [{ is_silenced: true }, ["Muted by a moderator"]],
    [{ devices: { microphone: false } }, ["Listening", "No microphone"]],
  ])("of somebody who is %j are %j", (more, tags) => {
    openPeople(toInRoom({ people: [toPerson("Ada", more)] }));
    expect(listTags("Ada")).toEqual(tags);
  });

  test("say whom one has blocked or muted for oneself, and of who is blocked nothing else is wrong", () => {
    const people = [toPerson("Ada", { link: "unreachable" }), toPerson("Ben")];
    openPeople(toInRoom({ people }), { blocked: "Ada", mutedForMe: "Ben" });
    expect([listTags("Ada"), listTags("Ben")]).toEqual([
      ["Listening", "Blocked by you"],
      ["Listening", "Muted for you"],
    ]);
    expect(readTrouble("Ada")).toBe("");
  });
});

describe("a link", () => {
  test.each<[LinkPhase, string, boolean]>([
    ["none", "Not connected", true],
    ["connecting", "Connecting…", true],
    ["lost", "Connection lost – looking for another way…", true],
    ["unreachable", "Can't reach Ada. Retry", true],
    ["connected", "", false],
  ])("that is %s says %j", (link, text, isDimmed) => {
    openPeople(toInRoom({ people: [toPerson("Ada", { link })] }));
    expect([readTrouble("Ada"), getFace("Ada").classList.contains("face-dimmed")]).toEqual([text, isDimmed]);
  });

  test("that came to nothing is tried again for that person, when asked", async () => {
    const people = [toPerson("Ada"), toPerson("Ben", { link: "unreachable" })];
    const { user, fake } = openPeople(toInRoom({ people }));
    await user.click(screen.getByRole("button", { name: "Try again to reach Ben" }));
    expect(fake.retry.mock.calls).toEqual([["Ben"]]);
  });

  test.each([
    [
      { firstAudioMs: 240, lossPercent: 0, roundTripMs: 42, isRelayed: false },
      "Good connection",
      "First sound after 240 ms · loss 0% · delay 42 ms",
    ],
    [
      { firstAudioMs: undefined, lossPercent: 2.5, roundTripMs: 42, isRelayed: false },
      "Fair connection",
      "First sound after – · loss 2.5% · delay 42 ms",
    ],
    [
      { firstAudioMs: 240, lossPercent: 0, roundTripMs: 201, isRelayed: false },
      "Fair connection",
      "delay 201 ms",
    ],
    [
      { firstAudioMs: 240, lossPercent: 8.1, roundTripMs: undefined, isRelayed: false },
      "Poor connection",
      "loss 8.1% · delay –",
    ],
    [
      { firstAudioMs: 240, lossPercent: 0, roundTripMs: 401, isRelayed: false },
      "Poor connection",
      "delay 401 ms",
    ],
  ])("with the figures %j is a %s", (quality, grade, details) => {
    openPeople(toInRoom({ people: [toPerson("Ada", { quality })] }));
    expect(readTrouble("Ada")).toContain(grade);
    expect(readTrouble("Ada")).toContain(details);
  });
});

test("everybody is shown with name and initials, oneself first and without a menu", () => {
  openPeople(toInRoom({ people: [toPerson("ada lovelace"), toPerson("ben", { avatar: "/b.webp" })] }));
  const faces = [...document.querySelectorAll(".faces > li")];
  expect(faces.map((face) => face.querySelector(".face-name")?.textContent)).toEqual([
    "Işıl Y",
    "ada lovelace",
    "ben",
  ]);
  expect(faces.map((face) => face.querySelector(".face-picture")?.textContent)).toEqual(["IY", "AL", ""]);
  expect(getFace("ben").querySelector("img")?.getAttribute("src")).toBe("/b.webp");
  expect(screen.getAllByText(/^menu of/).map(({ textContent }) => textContent)).toEqual([
    "menu of ada lovelace",
    "menu of ben",
  ]);
});

test.each([
  [11, "faces"],
  [12, "faces faces-list"],
])("with %i others the people are %j", (count, className) => {
  openPeople(toInRoom({ people: Array.from({ length: count }, (_, index) => toPerson(`Person ${index}`)) }));
  expect(getFace("own").parentElement?.className).toBe(className);
});

test("the ring of who speaks follows their level, in steps; others have none", () => {
  const people = [toPerson("Ada", { is_speaking: true }), toPerson("Ben")];
  const { publishLevels } = openPeople(toInRoom({ people }));
  publishLevels({ Ada: 47, Ben: 90, own: 80 });
  const readLevel = (id: string) => getFace(id).style.getPropertyValue("--level");
  expect([readLevel("Ada"), readLevel("Ben"), readLevel("own")]).toEqual(["50", "0", "0"]);
});

test.each(["en", "tr"] as const)("every text is there in %s", (lang) => {
  const quality = { firstAudioMs: 1, lossPercent: 9, roundTripMs: 1, isRelayed: false };
  const links = (["none", "connecting", "lost", "unreachable", "connected"] as const).map((link) =>
    toPerson(link, { link, quality, is_muted: link === "none", is_speaking: link === "lost" }),
  );
  openPeople(toInRoom({ people: links }, { isListening: true }), { lang, mutedForMe: "lost" });
  expect([getFace("unreachable").querySelector("button") !== null, listBareKeys()]).toEqual([true, []]);
});
