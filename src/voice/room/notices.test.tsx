import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { screen } from "@testing-library/react";
import type { InRoom } from "../call/room-state.ts";
import { listBareKeys, openVoice, type VoiceSetup } from "../test-voice.tsx";
import { CallNotices } from "./notices.tsx";
import { createRoomCall, toInRoom, toPerson } from "./test-room-call.ts";

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
/** The region that tells a screen reader of it, and when. */
const getRegion = (text: string | RegExp) => screen.getByText(text).closest("[role]")?.getAttribute("role");

test("where all is well there is nothing to say", () => {
  const { setMicrophone, tellLevels } = openNotices(toInRoom({ people: [toPerson("Ada")] }));
  setMicrophone({ isOpen: true });
  tellLevels({ own: 40 });
  expect(readTexts()).toEqual([]);
});

test("sound that the browser holds back is let out by a click, where there is somebody to hear", async () => {
  const { user, fake, tellLevels, become } = openNotices(toInRoom());
  fake.sound.isBlocked = true;
  tellLevels({});
  expect(readTexts()).toEqual([]);
  become(toInRoom({ people: [toPerson("Ada")] }));
  expect(getRegion("The browser holds the sound back.")).toBe("alert");
  await user.click(screen.getByRole("button", { name: "Click to hear" }));
  expect(fake.resume).toHaveBeenCalledTimes(1);
  fake.sound.isBlocked = false;
  tellLevels({});
  expect(readTexts()).toEqual([]);
});

test("a lost connection is told quietly first, and where it lasts with a way to try at once", async () => {
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

test("who has no sound in their browser is told why, and what works all the same", () => {
  openNotices(toInRoom({ soundFault: { kind: "no_webrtc" } }));
  expect(getRegion(/You can read and write all the same\.$/)).toBe("alert");
});

test.each([
  ["unsupported_version", "This page is older than the site. Reload it to be heard."],
  ["odd", "Voice chat error: odd"],
])("what the server complains of (%s) is told", (complaint, text) => {
  openNotices(toInRoom({ complaint }));
  expect(getRegion(text)).toBe("alert");
});

describe("a microphone", () => {
  const SILENT = "Your microphone gives no signal. Is it switched off, or another one chosen?";

  test.each<[string, Partial<InRoom["me"]>, string[]]>([
    ["is open", {}, [SILENT]],
    ["is muted", { isMuted: true }, []],
    ["is not wanted", { isListening: true }, []],
  ])("that gives no signal is told while it %s: %j", (_when, me, texts) => {
    const { setMicrophone } = openNotices(toInRoom({}, me));
    setMicrophone({ isOpen: true, isSilent: true });
    expect(readTexts()).toEqual(texts);
  });

  test.each([
    [true, "Your microphone was unplugged. Another one is used now."],
    [false, "Your microphone is gone, and no other one was found. Plug one in to be heard."],
  ])(
    "that was unplugged is told at once, with what became of it: another one is there: %j",
    (isOpen, text) => {
      const { setMicrophone } = openNotices(toInRoom());
      setMicrophone({ wasLost: true, isOpen });
      expect(getRegion(text)).toBe("alert");
    },
  );

  test("that a moderator silences is told at once", () => {
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
      page.tellLevels({});
      return readTexts();
    };
    return { ...page, measure };
  }

  test("is told when it is more than a cough, and a little longer than it lasts", () => {
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
    "is told no one who is %j",
    (me) => {
      const { measure } = open(me);
      measure(10_000, true);
      expect(measure(12_000, true)).toEqual([]);
    },
  );
});

test.each(["en", "tr"] as const)("every text is there in %s", (lang) => {
  const people = [toPerson("Ada")];
  const { fake, tellLevels, setMicrophone, become } = openNotices(
    toInRoom({ people }, { isSilenced: true }),
    { lang },
  );
  fake.sound.isBlocked = true;
  tellLevels({});
  setMicrophone({ isOpen: true, isSilent: true, wasLost: true });
  become(toInRoom({ people, signalling: "stalled" }, { isSilenced: true }));
  expect([readTexts().length, listBareKeys()]).toEqual([5, []]);
});
