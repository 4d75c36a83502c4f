import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { act, render, screen, waitFor } from "@testing-library/react";
import { useRef, useState } from "react";
import { privacySettings, voicePreferences } from "#contract/accounts/accounts.ts";
import type { VoiceRoom } from "#contract/voice/rooms.ts";
import { setUpDrawnUser } from "#test/drawn-user.ts";
import type { CallDeps } from "../call/call-deps.ts";
import type { CallFault, Ending, RoomState } from "../call/room-state.ts";
import { toRoom } from "../test-room.ts";
import { listBareKeys, openVoice, type VoiceSetup } from "../test-voice.tsx";
import { RoomScreen } from "./room-screen.tsx";
import { DeviceSelect } from "./sound-check.tsx";
import { createRoomCall, toInRoom, toPerson } from "./test-room-call.ts";
import { useKeptFocus } from "./use-room.ts";

describe("room screen", () => {
  const PREFERENCES = voicePreferences.parse({});

  /** The screen of a room over a call that the test moves. */
  function openRoom(room: VoiceRoom = toRoom(), state?: RoomState, setup: VoiceSetup = {}) {
    const made = createRoomCall(state);
    const createCall = jest.fn((_deps: CallDeps) => made.call);
    const page = openVoice(
      <RoomScreen
        room={room}
        maxSeats={12}
        preferences={PREFERENCES}
        blocked={["9"]}
        onRoom={() => undefined}
        onGone={() => undefined}
        createCall={createCall}
      />,
      { path: "/room/tea", ...setup },
    );
    return { ...page, ...made, createCall };
  }

  const getButton = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
  const hasButton = (name: string) => screen.queryByRole("button", { name }) !== null;
  /** What the card of the join says in its alert. */
  const readFault = () =>
    document.querySelector(".join-card :is(.banner-fault > p, .alert)")?.textContent ?? "";

  describe("before the call", () => {
    test("the room, who is in it, and the ways in are shown", () => {
      const { createCall } = openRoom(
        toRoom({ description: "With biscuits", participant_count: 2, is_public: true }),
      );
      expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Tea");
      for (const text of ["Room ID: r1", "Disconnected", "With biscuits", "2 of 10 seats taken"])
        expect(screen.getByText(text)).toBeTruthy();
      expect(screen.queryByText(/online/)).toBeNull();
      expect(screen.getByRole("link", { name: "Back to Rooms" }).getAttribute("href")).toBe("/rooms");
      expect(createCall.mock.calls[0]).toMatchObject([
        { roomId: "r1", userId: "1", displayName: "isil", blocked: ["9"], isPublicRoom: true },
      ]);
    });

    test("a room without a name has a title all the same, and an empty one says so", () => {
      openRoom(toRoom({ name: "" }));
      expect(screen.getByRole("heading", { level: 1, name: "Voice Chat" })).toBeTruthy();
      expect(screen.getByText("No one in channel")).toBeTruthy();
    });

    test.each([
      [{ show_profile: true, shown_name: "Sis" }, "Işıl Örnek"],
      [{ show_profile: false, shown_name: "Sis" }, "Sis"],
      [{ show_profile: false, shown_name: "" }, "#1"],
    ])("with %j one is told to be called %s", (settings, name) => {
      const privacy_settings = privacySettings.parse(settings);
      openRoom(toRoom(), undefined, {
        profile: { first_name: "Işıl", last_name: "Örnek", privacy_settings },
      });
      expect(screen.getByText(`Others see you as ${name}.`)).toBeTruthy();
      const link = screen.getByRole("link", { name: "Change name" });
      expect(link.getAttribute("href")).toBe("/profile?tab=settings");
    });

    test.each([
      ["Join Channel", false],
      ["Listen only", true],
    ])("%s joins, without a microphone: %j", async (name, isListening) => {
      const { user, fake } = openRoom();
      await user.click(getButton(name));
      expect(fake.join.mock.calls).toEqual([[{ isListening }]]);
    });

    test("while the browser asks for the microphone one can give up, or listen", async () => {
      const { user, fake, become } = openRoom();
      become({ phase: "joining", step: "microphone" });
      expect(getButton("Connecting...").disabled).toBe(true);
      expect(screen.getByText("The browser asks whether it may use your microphone…")).toBeTruthy();
      await user.click(getButton("Listen only"));
      expect([fake.leave.mock.calls.length, fake.join.mock.calls]).toEqual([1, [[{ isListening: true }]]]);
      become({ phase: "joining", step: "connection" });
      expect([getButton("Connecting...").disabled, hasButton("Listen only")]).toEqual([true, false]);
      await user.click(getButton("Cancel"));
      expect(fake.leave).toHaveBeenCalledTimes(2);
    });

    test("a closed room can't be joined, and says so", () => {
      openRoom(toRoom({ is_active: false }));
      expect(screen.getByRole("heading", { level: 2, name: "This room is closed" })).toBeTruthy();
      expect([hasButton("Join Channel"), hasButton("Listen only"), hasButton("Turn on microphone")]).toEqual([
        false,
        false,
        false,
      ]);
    });

    test.each<[CallFault, RegExp]>([
      [{ kind: "audio", reason: "busy" }, /^Audio initialization failed: busy$/],
      [{ kind: "no_microphone" }, /^Failed to initialize audio: no microphone/],
      [{ kind: "microphone_refused" }, /^Failed to initialize audio: the browser may not/],
      [{ kind: "insecure_page" }, /^Failed to initialize audio: .*https/],
      [{ kind: "no_webrtc" }, /^Failed to initialize connection: .*WebRTC/],
      [{ kind: "no_output" }, /^Voice chat not initialized/],
      [{ kind: "no_token" }, /^No access token available/],
      [{ kind: "join_timeout" }, /^Channel join timeout$/],
      [{ kind: "connection_timeout" }, /^Connection timeout$/],
      [{ kind: "room_not_found" }, /^Failed to join room: there is no such room/],
      [{ kind: "unauthorized" }, /^Failed to join room: you may not enter/],
      [{ kind: "full" }, /^Failed to join room: every seat is taken/],
      [{ kind: "banned" }, /^Failed to join room: a moderator has barred you/],
      [{ kind: "closed" }, /^Failed to join room: it is closed/],
      [{ kind: "engine" }, /^Failed to join room: the audio engine/],
      [{ kind: "failed" }, /^Failed to join room$/],
    ])("the fault %j is shown, and Join stays", (fault, text) => {
      const { become } = openRoom();
      become({ phase: "outside", fault });
      expect(readFault()).toMatch(text);
      expect(document.querySelector(".join-card .alert")?.closest("[role=alert]")).not.toBeNull();
      expect(getButton("Join Channel").disabled).toBe(false);
    });

    test("the microphone can be tried, and a refusal is shown beside it", async () => {
      const { user, fake, setMicrophone } = openRoom();
      Object.assign(window, { isSecureContext: true });
      fake.sound.openMicrophone.mockRejectedValueOnce(
        Object.assign(new Error("no"), { name: "NotAllowedError" }),
      );
      await user.click(getButton("Turn on microphone"));
      expect(screen.getByText(/the browser may not use the microphone/)).toBeTruthy();
      await user.click(getButton("Turn on microphone"));
      expect(screen.queryByText(/the browser may not use the microphone/)).toBeNull();
      setMicrophone({ isOpen: true });
      expect(screen.getByText("Say something: the bar moves.")).toBeTruthy();
      await user.click(getButton("Play a test sound"));
      expect(fake.sound.chime.mock.calls).toEqual([["test"]]);
    });
  });

  describe("behind the call", () => {
    test.each<[Ending, string, string | undefined]>([
      ["left", "", "Join Channel"],
      ["replaced", "The call goes on in another tab or on another device.", "Continue here"],
      ["removed", "A moderator has removed you from the room.", "Join Channel"],
      ["banned", "A moderator has barred you from this room.", undefined],
      ["room_closed", "The room was closed.", "Join Channel"],
    ])("that is over because of %s it says %j, and offers %s", (ending, text, button) => {
      const { become } = openRoom(toRoom(), toInRoom());
      become({ phase: "over", ending });
      expect(readFault()).toBe(text);
      expect(screen.queryByText("You have left the room.") !== null).toBe(ending === "left");
      const offered = ["Join Channel", "Continue here"].filter(hasButton);
      expect([offered, hasButton("Listen only")]).toEqual([button ? [button] : [], button !== undefined]);
      expect(document.activeElement?.id).toBe("room-title");
    });

    test("whoever leaves the screen leaves the call", () => {
      const { unmount, fake } = openRoom();
      // React's strict mode has closed one already.
      fake.close.mockClear();
      unmount();
      expect(fake.close).toHaveBeenCalledTimes(1);
    });
  });

  test("what was written into a report, and on the line, is there when the call ends under it", async () => {
    const people = [toPerson("Ada")];
    const { user, become, listBodies } = openRoom(toRoom(), toInRoom({ people }), {
      answers: { "POST /voice/rooms/tea/reports/": () => undefined },
    });
    await user.type(await screen.findByLabelText("Line to everybody"), "Half a li");
    await user.click(screen.getByLabelText("More for Ada"));
    await user.click(screen.getByText("Report"));
    await user.type(await screen.findByLabelText("What happened?"), "Shouted");
    become({ phase: "over", ending: "removed" });
    await user.click(getButton("Send report"));
    expect(listBodies("POST /voice/rooms/tea/reports/")).toEqual([{ user_id: "Ada", reason: "Shouted" }]);
    become(toInRoom({ people }));
    expect((await screen.findByLabelText<HTMLInputElement>("Line to everybody")).value).toBe("Half a li");
  });

  describe("the link of an invitation", () => {
    const setClipboard = (writeText: (text: string) => Promise<void>) =>
      Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
    const LINK = "http://localhost/rooms/r1";

    test.each(["Invite", "Share"])(
      "is copied by %s where the browser has no sheet for sharing",
      async (name) => {
        const { user } = openRoom();
        const writeText = jest.fn(async (_text: string) => undefined);
        setClipboard(writeText);
        await user.click(getButton(name));
        expect(writeText.mock.calls).toEqual([[LINK]]);
        expect(screen.getByText("The link was copied.")).toBeTruthy();
      },
    );

    test("stands in the page, until it is put away, where it can't be copied", async () => {
      const { user } = openRoom();
      setClipboard(() => Promise.reject(new Error("no")));
      await user.click(getButton("Invite"));
      const text = `The link could not be copied. It is: ${LINK}`;
      expect(screen.getByText(text)).toBeTruthy();
      await user.click(getButton("Dismiss"));
      expect(screen.queryByText(text)).toBeNull();
    });

    test("goes to the device's sheet where there is one, and whoever puts that away copies nothing", async () => {
      const { user } = openRoom();
      const writeText = jest.fn(async (_text: string) => undefined);
      setClipboard(writeText);
      const share = jest.fn((_data: ShareData) =>
        Promise.reject(Object.assign(new Error(), { name: "AbortError" })),
      );
      Object.defineProperty(navigator, "share", { value: share, configurable: true });
      await user.click(getButton("Share"));
      Reflect.deleteProperty(navigator, "share");
      expect([share.mock.calls[0]?.[0].url, writeText.mock.calls]).toEqual([LINK, []]);
    });
  });

  test("in the call the screen says so, with how many there are, under the name that the room has by now", async () => {
    const room = toRoom({ name: "Coffee" });
    openRoom(toRoom(), toInRoom({ room, people: [toPerson("Ada"), toPerson("Ben")] }));
    expect(await screen.findByRole("toolbar", { name: "Call controls" })).toBeTruthy();
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Coffee");
    expect([screen.queryByText("Disconnected"), screen.queryByText("3 online") !== null]).toEqual([
      null,
      true,
    ]);
    expect(hasButton("Join Channel")).toBe(false);
  });

  test.each(["en", "tr"] as const)("every text is there in %s", async (lang) => {
    const { become, fake } = openRoom(toRoom({ is_active: false }), undefined, { lang });
    fake.hasRelay = true;
    expect(listBareKeys()).toEqual([]);
    become({ phase: "over", ending: "left" });
    expect(listBareKeys()).toEqual([]);
    become(toInRoom({ people: [toPerson("Ada")] }));
    await waitFor(() => expect(document.querySelector("[role=toolbar]")).not.toBeNull());
    expect(listBareKeys()).toEqual([]);
  });
});

describe("device select", () => {
  afterEach(() => void Reflect.deleteProperty(navigator, "mediaDevices"));

  async function openSelect(choose: (id: string | undefined) => Promise<void>) {
    const devices = ["desk", "headset"].map((deviceId) => ({
      kind: "audioinput",
      deviceId,
      label: deviceId,
    }));
    Object.defineProperty(navigator, "mediaDevices", {
      value: {
        enumerateDevices: async () => devices,
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
      },
      configurable: true,
    });
    const toSelect = (used: string | undefined) => (
      <DeviceSelect kind="audioinput" label="Microphone" used={used} isAllowed choose={choose} />
    );
    const page = openVoice(toSelect("headset"));
    await screen.findByRole("option", { name: "headset" });
    const select = screen.getByRole<HTMLSelectElement>("combobox");
    return { ...page, select, use: (used: string | undefined) => page.redraw(toSelect(used)) };
  }

  test("what is in use is shown, also where it changed by itself, and can be chosen back", async () => {
    const choose = jest.fn(async (_id: string | undefined) => undefined);
    const { user, select, use } = await openSelect(choose);
    expect(select.value).toBe("headset");
    use(undefined);
    expect(select.value).toBe("");
    await user.selectOptions(select, "headset");
    expect(choose.mock.calls).toEqual([["headset"]]);
  });

  test("a choice is shown while it is on its way; where it can't be used, what is in use is, and why", async () => {
    const { promise, reject } = Promise.withResolvers<void>();
    const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
    const { user, select } = await openSelect(() => promise);
    await user.selectOptions(select, "desk");
    expect(select.value).toBe("desk");
    await act(async () => reject(new DOMException("busy", "NotReadableError")));
    expect([select.value, screen.getByRole("alert").id]).toEqual([
      "headset",
      select.getAttribute("aria-describedby"),
    ]);
    warn.mockRestore();
  });
});

function Page() {
  const ref = useRef<HTMLDivElement>(null);
  useKeptFocus(ref);
  const [isShown, setIsShown] = useState(true);
  const [isBusy, setIsBusy] = useState(false);
  return (
    <div ref={ref}>
      <h1>Room</h1>
      {isShown && (
        <button type="button" onClick={() => setIsShown(false)}>
          Dismiss
        </button>
      )}
      <section>
        <h2>People</h2>
        {isShown && (
          <button type="button" onClick={() => setIsShown(false)}>
            Retry
          </button>
        )}
        <button type="button" disabled={isBusy} onClick={() => setIsBusy(true)}>
          Join
        </button>
      </section>
      <button type="button" onFocus={() => undefined} onClick={() => setIsBusy(false)} tabIndex={-1}>
        Fail
      </button>
    </div>
  );
}

describe("use kept focus", () => {
  const open = () => {
    render(<Page />);
    return setUpDrawnUser();
  };

  test.each([
    ["Retry", "People"],
    ["Dismiss", "Room"],
  ])("the focus of %s, which vanishes, goes to the heading %s", async (name, heading) => {
    const user = open();
    screen.getByRole("button", { name }).focus();
    await user.keyboard("{Enter}");
    expect(screen.queryByRole("button", { name })).toBeNull();
    await waitFor(() => expect(document.activeElement?.textContent).toBe(heading));
  });

  test("a button that is disabled for a while has the focus again", async () => {
    const user = open();
    const join = screen.getByRole<HTMLButtonElement>("button", { name: "Join" });
    join.focus();
    await user.keyboard("{Enter}");
    expect(join.disabled).toBe(true);
    // Browsers take the focus from what is disabled.
    join.blur();
    await act(async () => screen.getByRole("button", { name: "Fail" }).click());
    await waitFor(() => expect(document.activeElement).toBe(join));
  });

  test("who has pressed on nothing since stays there", async () => {
    const user = open();
    screen.getByRole("button", { name: "Retry" }).focus();
    await user.click(screen.getByRole("heading", { name: "Room" }));
    expect(document.activeElement).toBe(document.body);
    await act(async () => screen.getByRole("button", { name: "Retry" }).click());
    await Promise.resolve();
    expect(document.activeElement).toBe(document.body);
  });
});
