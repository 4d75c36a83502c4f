import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { screen } from "@testing-library/react";
import { participant } from "#contract/voice/room-channel.ts";
import { createText } from "#providers/text.ts";
import type { TextKey } from "../../ui/public-text.ts";
import type { InRoom, Person } from "../call/room-state.ts";
import { texts } from "../call-texts-en.ts";
import { listBareKeys, openVoice, type VoiceSetup } from "../test-voice.tsx";
import type { VoiceTexts } from "../voice-context.tsx";
import { announce, CallNotices, findHeldBack } from "./notices.tsx";
import { createRoomCall, toInRoom, toPerson } from "./test-room-call.ts";

describe("notices", () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  function openNotices(state: InRoom, setup: VoiceSetup = {}) {
    const room = createRoomCall();
    const retry = jest.fn();
    const toNotices = (now: InRoom) => <CallNotices call={room.call} state={now} retry={retry} />;
    const page = openVoice(toNotices(state), setup);
    return { ...page, ...room, retry, become: (next: InRoom) => page.redraw(toNotices(next)) };
  }

  const readTexts = () =>
    [...document.querySelectorAll(".voice-banner > p")].map(({ textContent }) => textContent);
  /** The region that announces it to a screen reader, and when. */
  const getRegion = (text: string | RegExp) => screen.getByText(text).closest("[role]")?.getAttribute("role");

  test("where all is well there is nothing to say", () => {
    const { setMicrophone, publishLevels } = openNotices(toInRoom({ people: [toPerson("Ada")] }));
    setMicrophone({ isOpen: true });
    publishLevels({ own: 40 });
    expect(readTexts()).toEqual([]);
  });

  test("sound that the browser holds back is let out by a click, where there is somebody to hear", async () => {
    const { user, fake, publishLevels, become } = openNotices(toInRoom());
    fake.sound.isBlocked = true;
    publishLevels({});
    expect(readTexts()).toEqual([]);
    become(toInRoom({ people: [toPerson("Ada")] }));
    expect(getRegion("The browser holds the sound back.")).toBe("alert");
    await user.click(screen.getByRole("button", { name: "Click to hear" }));
    expect(fake.resume).toHaveBeenCalledTimes(1);
    fake.sound.isBlocked = false;
    publishLevels({});
    expect(readTexts()).toEqual([]);
  });

  test("a lost connection is shown quietly first, and where it lasts with a way to try at once", async () => {
    const { user, retry, become } = openNotices(toInRoom({ signalling: "reconnecting" }));
    const lost = "The connection to the server was lost. You still hear the others; it is coming back…";
    expect([readTexts(), getRegion(lost)]).toEqual([[lost], "status"]);
    become(toInRoom({ signalling: "stalled" }));
    const stalled =
      "The server can't be reached after several attempts. You still hear the others; it goes on trying.";
    expect([readTexts(), getRegion(stalled)]).toEqual([[stalled], "alert"]);
    await user.click(screen.getByRole("button", { name: "Retry" }));
    expect(retry).toHaveBeenCalledTimes(1);
    become(toInRoom());
    expect(readTexts()).toEqual([]);
  });

  test("who has no sound in their browser is shown why, and what works all the same", () => {
    openNotices(toInRoom({ soundFault: { kind: "no_webrtc" } }));
    expect(getRegion(/You can read and write all the same\.$/)).toBe("alert");
  });

  test.each([
    ["unsupported_version", "This page is older than the site. Reload it to be heard."],
    ["odd", "Voice chat error: odd"],
  ])("what the server complains of (%s) is shown", (complaint, text) => {
    openNotices(toInRoom({ complaint }));
    expect(getRegion(text)).toBe("alert");
  });

  describe("a microphone", () => {
    const SILENT = "Your microphone gives no signal. Is it switched off, or another one chosen?";

    test.each<[string, Partial<InRoom["me"]>, string[]]>([
      ["is open", {}, [SILENT]],
      ["is muted", { isMuted: true }, []],
      ["is not wanted", { isListening: true }, []],
    ])("that gives no signal is shown while it %s: %j", (_when, me, texts) => {
      const { setMicrophone } = openNotices(toInRoom({}, me));
      setMicrophone({ isOpen: true, isSilent: true });
      expect(readTexts()).toEqual(texts);
    });

    test.each([
      [true, "Your microphone was unplugged. Another one is used now."],
      [false, "Your microphone is gone, and no other one was found. Plug one in to be heard."],
    ])(
      "that was unplugged is shown at once, with what became of it: another one is there: %j",
      (isOpen, text) => {
        const { setMicrophone } = openNotices(toInRoom());
        setMicrophone({ wasLost: true, isOpen });
        expect(getRegion(text)).toBe("alert");
      },
    );

    test("that a moderator silences is shown at once", () => {
      openNotices(toInRoom({}, { isSilenced: true }));
      expect(getRegion("A moderator has muted you. Others don't hear you until it is lifted.")).toBe("alert");
    });
  });

  describe("who talks while muted", () => {
    const TALKING = "You are talking while muted.";
    function open(me: Partial<InRoom["me"]>) {
      const clock = { now: 10_000 };
      jest.spyOn(performance, "now").mockImplementation(() => clock.now);
      const page = openNotices(toInRoom({}, me));
      const measure = (now: number, isSpeaking: boolean) => {
        clock.now = now;
        page.fake.sound.isSpeaking = isSpeaking;
        page.publishLevels({});
        return readTexts();
      };
      return { ...page, measure };
    }

    test("is shown when it is more than a cough, and a little longer than it lasts", () => {
      const { measure, become } = open({ isMuted: true });
      expect([measure(10_000, true), measure(11_000, true)]).toEqual([[], []]);
      expect(measure(11_001, true)).toEqual([TALKING]);
      expect([measure(15_000, false), measure(15_001, false)]).toEqual([[TALKING], []]);
      expect([measure(16_000, true), measure(16_900, false), measure(17_100, true)]).toEqual([[], [], []]);
      expect(measure(18_101, true)).toEqual([TALKING]);
      become(toInRoom());
      expect(measure(18_102, true)).toEqual([]);
    });

    test.each([[{ isMuted: false }], [{ isMuted: true, isListening: true }]])(
      "is shown to no one who is %j",
      (me) => {
        const { measure } = open(me);
        measure(10_000, true);
        expect(measure(12_000, true)).toEqual([]);
      },
    );
  });

  test.each(["en", "tr"] as const)("every text is there in %s", (lang) => {
    const people = [toPerson("Ada")];
    const { fake, publishLevels, setMicrophone, become } = openNotices(
      toInRoom({ people }, { isSilenced: true }),
      { lang },
    );
    fake.sound.isBlocked = true;
    publishLevels({});
    setMicrophone({ isOpen: true, isSilent: true, wasLost: true });
    become(toInRoom({ people, signalling: "stalled" }, { isSilenced: true }));
    expect([readTexts().length, listBareKeys()]).toEqual([5, []]);
  });
});

describe("announce", () => {
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
      isHearingKnown: true,
      apart: [],
      complaint: undefined,
      ...more,
    };
  }

  const toAnnouncing = () => ({ t, mutes: new Map(), away: new Set<string>(), isPushToTalk: false });

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
  ])("announces %s", (_what, before, now, said) => {
    expect(announce(before, now, { ...toAnnouncing(), nowMs: 0 })).toEqual(said);
  });

  test("somebody who mutes and unmutes again and again is read out each ten seconds, with how they are then", () => {
    const announcing = toAnnouncing();
    const [on, off] = [toRoom([ADA]), toRoom([toPerson("Ada", { is_muted: true })])];
    const steps: [number, InRoom, InRoom][] = [
      [0, on, off],
      [1000, off, on],
      [2000, on, off],
      [3000, off, on],
      [10_000, on, on],
    ];
    const said = steps.map(([nowMs, before, now]) => announce(before, now, { ...announcing, nowMs }));
    expect(said).toEqual([["Ada is muted"], [], [], [], ["Ada is no longer muted"]]);
  });

  test("an unmute that is held back is announced when its time has come", () => {
    const announcing = toAnnouncing();
    const [on, off] = [toRoom([ADA]), toRoom([toPerson("Ada", { is_muted: true })])];
    announce(on, off, { ...announcing, nowMs: 0 });
    expect(findHeldBack(off, announcing, 1000)).toBeUndefined();
    announce(off, on, { ...announcing, nowMs: 1000 });
    expect(findHeldBack(on, announcing, 1000)).toBe(9000);
    expect(findHeldBack({ phase: "outside", fault: undefined }, announcing, 1000)).toBeUndefined();
  });

  test("a link that was lost and is made anew is said to be back, once", () => {
    const announcing = toAnnouncing();
    const rooms = (["connected", "lost", "connecting", "lost", "connecting", "connected"] as const).map(
      (link) => toRoom([toPerson("Ada", { link })]),
    );
    const said = rooms
      .slice(1)
      .flatMap((now, index) => announce(rooms[index] ?? now, now, { ...announcing, nowMs: 0 }));
    expect(said).toEqual(["The connection to Ada is lost", "The connection to Ada is back"]);
  });

  test("whoever can be reached after all is said to be back", () => {
    const announcing = toAnnouncing();
    const [gone, back] = [toRoom([toPerson("Ada", { link: "unreachable" })]), toRoom([ADA])];
    announce(toRoom([toPerson("Ada", { link: "connecting" })]), gone, { ...announcing, nowMs: 0 });
    expect(announce(gone, back, { ...announcing, nowMs: 0 })).toEqual(["The connection to Ada is back"]);
  });

  test("who holds a key to speak is not talked over", () => {
    const [closed, open] = [true, false].map((isMuted) => toRoom([], { me: { ...toRoom([]).me, isMuted } }));
    const listAnnouncements = (isPushToTalk: boolean) =>
      announce(closed as InRoom, open as InRoom, { ...toAnnouncing(), isPushToTalk, nowMs: 0 });
    expect([listAnnouncements(true), listAnnouncements(false)]).toEqual([[], ["You are no longer muted"]]);
  });
});
