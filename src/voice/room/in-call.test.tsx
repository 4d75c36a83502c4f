import { describe, expect, jest, test } from "@jest/globals";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { type ComponentProps, useState } from "react";
import { type VoicePreferences, voicePreferences } from "#contract/accounts/accounts.ts";
import type { RoomText } from "#contract/voice/room-channel.ts";
import type { VoiceRoom } from "#contract/voice/rooms.ts";
import { HttpError } from "#providers/http/http.ts";
import { PushError } from "#providers/socket/topic.ts";
import type { InRoom } from "../call/room-state.ts";
import type { Notice } from "../parts/status.tsx";
import { toRoom } from "../test-room.ts";
import { listBareKeys, openVoice, type VoiceSetup } from "../test-voice.tsx";
import { LeaveGuard } from "./call-extras.tsx";
import { InCall } from "./in-call.tsx";
import { type Measure, ModerationDialog } from "./people-dialogs.tsx";
import { createRoomCall, toInRoom, toPerson } from "./test-room-call.ts";
import { TextPanel } from "./text-panel.tsx";

/** The call with its questions, which the room's screen draws. */
function Screen(props: Omit<ComponentProps<typeof InCall>, "ask">) {
  const [measure, setMeasure] = useState<Measure>();
  const { room, call, notify } = props;
  return (
    <>
      <InCall {...props} ask={setMeasure} />
      {measure && (
        <ModerationDialog
          measure={measure}
          room={room}
          call={call}
          notify={notify}
          onClose={() => setMeasure(undefined)}
        />
      )}
    </>
  );
}

describe("in call", () => {
  interface Setup extends VoiceSetup {
    room?: Partial<VoiceRoom>;
    preferences?: Partial<VoicePreferences>;
  }

  function openCall(state: InRoom, { room = {}, preferences = {}, ...setup }: Setup = {}) {
    const made = createRoomCall(state);
    const notify = jest.fn<(notice: Notice) => void>();
    const setFault = jest.fn<(text: string) => void>();
    const draftOf = { current: "" };
    const changePreferences = jest.fn<(values: Partial<VoicePreferences>) => void>();
    const toScreen = (now: InRoom) => (
      <Screen
        call={made.call}
        state={now}
        room={toRoom(room)}
        preferences={voicePreferences.parse(preferences)}
        changePreferences={changePreferences}
        draftOf={draftOf}
        notify={notify}
        setFault={setFault}
      />
    );
    const page = openVoice(toScreen(state), setup);
    return {
      ...page,
      ...made,
      notify,
      setFault,
      changePreferences,
      become: (now: InRoom) => page.redraw(toScreen(now)),
    };
  }

  const getButton = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });
  const getMenu = (name: string) => {
    const menu = screen.getByLabelText(`More for ${name}`).closest("details");
    if (!menu) throw new Error(`${name} has no menu`);
    return within(menu);
  };
  /** Value of a line in one of the cards. */
  const readFact = (name: string) => {
    const term = screen.getAllByRole("term").find(({ textContent }) => textContent === name);
    return term?.nextElementSibling?.textContent;
  };

  describe("the bar", () => {
    test("mutes and opens the microphone, and leaves", async () => {
      const { user, fake, become } = openCall(toInRoom());
      await user.click(getButton("Mute"));
      become(toInRoom({}, { isMuted: true }));
      await user.click(getButton("Unmute"));
      expect(fake.setMuted.mock.calls).toEqual([[true], [false]]);
      await user.click(getButton("Leave Channel"));
      expect(fake.leave).toHaveBeenCalledTimes(1);
    });

    test("turns a microphone on for who listens, or says why that failed", async () => {
      const { user, fake, setFault } = openCall(toInRoom({}, { isListening: true }));
      await user.click(getButton("Unmute"));
      expect([fake.setListening.mock.calls, fake.setMuted.mock.calls]).toEqual([[[false]], [[false]]]);
      Object.assign(window, { isSecureContext: true });
      fake.setListening.mockRejectedValue(new Error("busy"));
      await user.click(getButton("Unmute"));
      expect(setFault.mock.calls).toEqual([["Audio initialization failed: busy"]]);
    });

    test("opens nothing while a moderator silences", () => {
      openCall(toInRoom({}, { isSilenced: true }));
      expect(getButton("Mute").disabled).toBe(true);
    });

    test("has push to talk by key and button, for as long as they are held", async () => {
      const { user, fake } = openCall(toInRoom({}, { isMuted: true }), {
        preferences: { push_to_talk: true },
      });
      // Strict mode lets go of it once.
      fake.setPushed.mockClear();
      await user.keyboard("[Space>]");
      expect(fake.setPushed.mock.calls).toEqual([[true]]);
      await user.keyboard("[/Space]");
      expect(fake.setPushed.mock.calls.at(-1)).toEqual([false]);
      await user.click(screen.getByRole("textbox"));
      fake.setPushed.mockClear();
      await user.keyboard("a b");
      expect(fake.setPushed.mock.calls.filter(([isPushed]) => isPushed)).toEqual([]);
      expect(screen.queryByRole("button", { name: "Unmute" })).toBeNull();
    });

    test("shows and hides the settings, which act at once", async () => {
      const { user, changePreferences } = openCall(toInRoom());
      await user.click(getButton("Settings"));
      await user.selectOptions(await screen.findByLabelText("Audio Quality"), "high");
      expect(changePreferences.mock.calls).toEqual([[{ quality: "high" }]]);
      const range = screen.getByLabelText<HTMLInputElement>(/^Microphone Sensitivity/);
      expect([range.min, range.max, range.value]).toEqual(["10", "50", "25"]);
      await user.click(getButton("Settings"));
      expect(screen.queryByLabelText("Audio Quality")).toBeNull();
    });
  });

  test("whom one has blocked is listed in the settings, in the room or not, and can be heard again", async () => {
    const blocks = [{ user_id: "7", display_name: "Cem" }];
    const { user, fake, calls } = openCall(toInRoom(), {
      answers: { "GET /voice/blocks/": () => ({ blocks }), "DELETE /voice/blocks/7": () => undefined },
    });
    await user.click(getButton("Settings"));
    await user.click(await screen.findByRole("button", { name: "Blocked people" }));
    await user.click(await screen.findByRole("button", { name: "Unblock Cem" }));
    expect(calls.at(-1)).toEqual({ route: "DELETE /voice/blocks/7", body: undefined });
    expect(fake.setBlocked.mock.calls).toEqual([["7", false]]);
    expect(screen.getByText("You have blocked nobody.")).toBeTruthy();
  });

  test("a camera that is unplugged ends its picture", async () => {
    const track = { stop: jest.fn(), onended: null as (() => void) | null };
    const stream = { getTracks: () => [track] };
    Object.defineProperty(navigator, "mediaDevices", {
      value: {
        getUserMedia: async () => stream,
        enumerateDevices: async () => [],
        addEventListener() {},
        removeEventListener() {},
      },
      configurable: true,
    });
    const { user } = openCall(toInRoom());
    await user.click(getButton("Start Video"));
    expect(getButton("Stop Video")).toBeTruthy();
    act(() => track.onended?.());
    expect([getButton("Start Video") !== null, document.querySelector("video")]).toEqual([true, null]);
    Reflect.deleteProperty(navigator, "mediaDevices");
  });

  describe("the cards", () => {
    test("say what goes out, and who hears it", () => {
      const hears = toPerson("Ada", { hears: ["1"] });
      const { setMicrophone, become } = openCall(
        toInRoom({ people: [hears, toPerson("Ben")] }, { isSpeaking: true }),
      );
      setMicrophone({ isOpen: true });
      expect([
        readFact("Microphone"),
        readFact("Speaking"),
        screen.queryByText("1 of 2 hear you") !== null,
      ]).toEqual(["Active", "Yes", true]);
      expect([screen.queryByText("Start 25%") !== null, screen.queryByText("Stop 15%") !== null]).toEqual([
        true,
        true,
      ]);
      become(toInRoom({}, { isMuted: true }));
      expect([readFact("Microphone"), readFact("Speaking")]).toEqual(["Muted", "No"]);
      become(toInRoom({}, { isListening: true }));
      expect([readFact("Microphone"), screen.queryByRole("meter")]).toEqual(["Off", null]);
    });

    test.each<[Partial<InRoom>, string, string, string]>([
      [{}, "Nobody else is here", "Active", "0"],
      [{ people: [toPerson("Ada", { is_speaking: true })] }, "Connected", "Active", "1"],
      [
        {
          people: [toPerson("Ada", { is_speaking: true, is_muted: true }), toPerson("Ben", { link: "lost" })],
        },
        "1 of 2 connected",
        "Active",
        "0",
      ],
      [{ signalling: "stalled" }, "Nobody else is here", "Reconnecting", "0"],
      // Two who are apart have no link, and miss none.
      [
        { people: [toPerson("Ada"), toPerson("Ben", { link: "none" })], apart: ["Ben"] },
        "Connected",
        "Active",
        "0",
      ],
    ])("say how the connections are: %#", (state, webrtc, signalling, streams) => {
      openCall(toInRoom(state));
      expect([readFact("WebRTC"), readFact("Signalling"), readFact("Streams")]).toEqual([
        webrtc,
        signalling,
        streams,
      ]);
    });

    test("say that a mixed room's sound is not protected from its server", () => {
      openCall(toInRoom({ people: [toPerson("Ada")] }), { room: { engine: "mix" } });
      expect(screen.getByText(/^Sound is mixed on this server, which could hear it/)).toBeTruthy();
      expect(readFact("Safety code")).toBeUndefined();
      const menu = getMenu("Ada");
      expect(["Block", "Mute for me", "Report"].map((name) => menu.queryByText(name) !== null)).toEqual([
        false,
        false,
        true,
      ]);
    });
  });

  describe("a person's menu", () => {
    const state = toInRoom({ people: [toPerson("Ada")] });
    const ACTIONS = ["Mute for all", "Remove from room", "Bar from room"];

    test.each([true, false])("has what moderators may do for them alone: %s", (canModerate) => {
      openCall({ ...state, canModerate });
      expect(ACTIONS.every((name) => (getMenu("Ada").queryByText(name) !== null) === canModerate)).toBe(true);
    });

    test("blocks after a question, once the server has it", async () => {
      const { user, fake, calls } = openCall(state, {
        answers: { "PUT /voice/blocks/Ada": () => undefined },
      });
      await user.click(getMenu("Ada").getByText("Block"));
      expect(calls).toEqual([]);
      await user.click(within(screen.getByRole("dialog", { name: "Block Ada?" })).getByText("Block"));
      expect([fake.setBlocked.mock.calls, screen.queryByRole("dialog")]).toEqual([[["Ada", true]], null]);
    });

    test("mutes for oneself at once, and sets the volume", async () => {
      const { user, fake } = openCall(state);
      await user.click(getMenu("Ada").getByText("Mute for me"));
      fireEvent.change(getMenu("Ada").getByLabelText("Volume"), { target: { value: "0.5" } });
      expect([fake.setMutedForMe.mock.calls, fake.setPersonVolume.mock.calls]).toEqual([
        [["Ada", true]],
        [["Ada", 0.5]],
      ]);
    });

    test.each([
      ["Remove from room", "DELETE /voice/rooms/tea/participants/Ada", undefined],
      ["Bar from room", "POST /voice/rooms/tea/bans/", { user_id: "Ada" }],
    ])("does %j after a question", async (name, route, body) => {
      const { user, calls } = openCall(
        { ...state, canModerate: true },
        { answers: { [route]: () => undefined } },
      );
      await user.click(getMenu("Ada").getByText(name));
      await user.click(within(screen.getByRole("dialog")).getByText(name));
      expect([calls, screen.queryByRole("dialog")]).toEqual([[{ route, body }], null]);
    });

    test("silences at once, and says why where the server won't", async () => {
      const route = "PUT /voice/rooms/tea/participants/Ada";
      const answers = { [route]: () => Promise.reject(new HttpError("Not yours", "x", 403)) };
      const { user, notify, listBodies } = openCall({ ...state, canModerate: true }, { answers });
      await user.click(getMenu("Ada").getByText("Mute for all"));
      expect(listBodies(route)).toEqual([{ is_muted: true }]);
      expect(notify.mock.calls).toEqual([[{ kind: "alert", text: "That did not work: Not yours" }]]);
    });

    test("reports with what happened; a refusal keeps what was typed", async () => {
      const route = "POST /voice/rooms/tea/reports/";
      const refusals = [new HttpError("Enough for today", "x", 429)];
      const answer = () => {
        const refusal = refusals.shift();
        if (refusal) throw refusal;
      };
      const { user, notify, listBodies } = openCall(state, { answers: { [route]: answer } });
      await user.click(getMenu("Ada").getByText("Report"));
      const reason = await screen.findByLabelText<HTMLTextAreaElement>("What happened?");
      expect(getButton("Send report").disabled).toBe(true);
      await user.type(reason, " Shouted ");
      await user.click(getButton("Send report"));
      expect([reason.value, notify.mock.calls]).toEqual([" Shouted ", []]);
      expect(screen.getByText("That did not work: Enough for today")).toBeTruthy();
      await user.click(getButton("Send report"));
      expect(listBodies(route)).toEqual(Array(2).fill({ user_id: "Ada", reason: "Shouted" }));
      expect(notify.mock.calls).toEqual([[{ kind: "status", text: "Your report was sent to the admins." }]]);
    });
  });

  test.each(["en", "tr"] as const)("every text is there in %s", async (lang) => {
    const people = [toPerson("Ada", { hears: ["1"] })];
    const { user, fake, become, setMicrophone } = openCall(toInRoom({ people, canModerate: true }), { lang });
    fake.hasRelay = true;
    setMicrophone({ isOpen: true });
    const settings = document.querySelector(".call-bar [aria-pressed]");
    if (settings) await user.click(settings);
    await waitFor(() => expect(document.querySelector(".settings-panel")).not.toBeNull());
    fake.isAddressHidden = true;
    become(toInRoom({ people, signalling: "stalled" }, { isMuted: true }));
    expect([screen.getAllByRole("combobox").length > 0, listBareKeys()]).toEqual([true, []]);
  });
});

describe("text panel", () => {
  const toLine = (id: string, text: string, user_id = "2"): RoomText => ({
    ...{ id, user_id, display_name: "Ada", text },
    sent_at: "2026-11-20T12:00:00Z",
  });

  function openPanel(texts: readonly RoomText[] = [], setup: VoiceSetup = {}) {
    const { call, fake } = createRoomCall();
    const report = jest.fn();
    const draftOf = { current: "" };
    const panel = <TextPanel call={call} state={toInRoom({ texts })} draftOf={draftOf} report={report} />;
    const page = openVoice(panel, setup);
    const input = screen.getByRole<HTMLInputElement>("textbox");
    const button = screen.getByRole<HTMLButtonElement>("button", { name: /^(Send|Gönder)$/ });
    return { ...page, report, input, button, sendText: fake.sendText };
  }

  describe("a line", () => {
    test("is shown with who wrote it, the own ones as such, in their order", () => {
      openPanel([toLine("a", "Hi"), toLine("b", "Hello", "1")]);
      const lines = [...screen.getByRole("log").querySelectorAll(".text-line")];
      expect(
        lines.map((line) => [line.querySelector("strong"), line.querySelector(".text-body")]),
      ).toMatchObject([
        [{ textContent: "Ada" }, { textContent: "Hi" }],
        [{ textContent: "You" }, { textContent: "Hello" }],
      ]);
      expect(screen.queryByText("Nobody has written yet.")).toBeNull();
    });

    test("of somebody else can be reported, with what it says; an own one can't", async () => {
      const { user, report } = openPanel([toLine("a", "Hi"), toLine("b", "Hello", "1")]);
      await user.click(screen.getByRole("button", { name: "Report this line: Ada" }));
      expect(report.mock.calls).toEqual([["2", "Ada", "Hi"]]);
      expect(screen.getAllByRole("button", { name: /Report/ })).toHaveLength(1);
    });

    test.each([
      ["see https://foyer.example/a?b=c#d.", ["https://foyer.example/a?b=c#d"]],
      [
        "(http://foyer.example/x), https://foyer.example!",
        ["http://foyer.example/x", "https://foyer.example"],
      ],
      ["javascript:alert(1) ftp://x.example foyer.example", []],
      ['https://x.example/"><b>bold</b>', ["https://x.example/"]],
    ])("%j has these links, and says what was typed", (text, links) => {
      openPanel([toLine("a", text)]);
      const body = document.querySelector(".text-body");
      const found = [...(body?.querySelectorAll("a") ?? [])];
      expect(found.map((link) => [link.getAttribute("href"), link.firstChild?.textContent])).toEqual(
        links.map((link) => [link, link]),
      );
      expect(found.every(({ target, rel }) => target === "_blank" && rel === "noreferrer")).toBe(true);
      expect(body?.textContent?.replaceAll(/ ↗ \(.*?\)/g, "")).toBe(text);
      expect(body?.querySelector("b")).toBeNull();
    });
  });

  describe("writing", () => {
    test("sends a line trimmed, and makes room for the next at once, which is not lost with its answer", async () => {
      const { user, input, button, sendText } = openPanel();
      const { promise, resolve } = Promise.withResolvers<undefined>();
      sendText.mockReturnValue(promise);
      expect([button.disabled, screen.queryByText("Nobody has written yet.") !== null]).toEqual([true, true]);
      await user.type(input, "  Hi {Enter}{Enter}");
      expect([sendText.mock.calls, input.value, button.disabled]).toEqual([[["Hi"]], "", true]);
      await user.type(input, "And{Enter}");
      expect(sendText).toHaveBeenCalledTimes(1);
      await act(async () => resolve(undefined));
      expect([input.value, button.disabled]).toEqual(["And", false]);
    });

    test("a line that is refused stands before what was begun meanwhile", async () => {
      const { user, input, sendText } = openPanel();
      const { promise, reject } = Promise.withResolvers<undefined>();
      sendText.mockReturnValue(promise);
      await user.type(input, "Hi{Enter}And");
      await act(async () => reject(new PushError("timeout")));
      expect([input.value, screen.getByRole("alert").textContent]).toEqual([
        "Hi And",
        "Not connected to signaling channel",
      ]);
    });

    test("what was not sent when the call ended is there in the next", async () => {
      const { call } = createRoomCall();
      const draftOf = { current: "" };
      const panel = <TextPanel call={call} state={toInRoom()} draftOf={draftOf} report={() => undefined} />;
      const { user, unmount } = openVoice(panel);
      await user.type(screen.getByRole("textbox"), "Half a li");
      unmount();
      openVoice(panel);
      expect(screen.getByRole<HTMLInputElement>("textbox").value).toBe("Half a li");
    });

    test("nothing but blanks sends nothing", async () => {
      const { user, input, sendText } = openPanel();
      await user.type(input, "   {Enter}");
      expect(sendText).not.toHaveBeenCalled();
    });

    test("holds back what is longer than 1,000 characters, and says so at the field", async () => {
      const { user, input, button, sendText } = openPanel();
      await user.click(input);
      await user.paste("x".repeat(1000));
      expect([button.disabled, input.getAttribute("aria-invalid")]).toEqual([false, null]);
      await user.type(input, "y{Enter}");
      expect([button.disabled, input.getAttribute("aria-invalid"), input.value.length]).toEqual([
        true,
        "true",
        1001,
      ]);
      const note = document.getElementById(input.getAttribute("aria-describedby") ?? "");
      expect([note?.textContent, sendText.mock.calls]).toEqual(["At most 1000 characters", []]);
      await user.type(input, "{Backspace}{Enter}");
      expect(sendText.mock.calls).toEqual([["x".repeat(1000)]]);
    });

    test.each([
      ["too_many_messages", "One line a second. Yours is still there."],
      ["not_connected", "Not connected to signaling channel"],
      ["timeout", "Not connected to signaling channel"],
      ["blocked_words", "The line was not sent: blocked_words"],
    ])("keeps a line that is refused (%s) where it was typed, and says why", async (reason, text) => {
      const { user, input, button, sendText } = openPanel();
      sendText.mockRejectedValueOnce(new PushError(reason));
      await user.type(input, "Hi{Enter}");
      expect([input.value, screen.getByRole("alert").textContent, button.disabled]).toEqual([
        "Hi",
        text,
        false,
      ]);
      await user.click(button);
      expect([input.value, screen.getByRole("alert").textContent]).toEqual(["", ""]);
    });
  });

  test.each(["en", "tr"] as const)("every text is there in %s", async (lang) => {
    const { user, input, sendText } = openPanel([toLine("a", "https://foyer.example")], { lang });
    sendText.mockRejectedValue(new Error("x"));
    await user.type(input, "Hi{Enter}");
    const fault = screen.getByRole("alert").textContent;
    await user.click(input);
    await user.paste("x".repeat(1000));
    expect([fault?.length, listBareKeys()]).toEqual([expect.any(Number), []]);
  });
});

describe("leave guard", () => {
  /** Once the browser has gone back, as far as it was asked to. */
  const goBack = () =>
    act(async () => {
      const gone = new Promise((resolve) => window.addEventListener("popstate", resolve, { once: true }));
      window.history.back();
      await gone;
    });

  const hasQuestion = () => screen.queryByRole("dialog", { name: "Leave the call?" }) !== null;

  test("Back asks, and whoever stays is asked the next time too", async () => {
    const onLeave = jest.fn();
    const { user } = openVoice(<LeaveGuard onLeave={onLeave} />);
    await goBack();
    expect([hasQuestion(), onLeave.mock.calls]).toEqual([true, []]);
    await user.click(screen.getByRole("button", { name: "Stay in the call" }));
    expect(hasQuestion()).toBe(false);
    await goBack();
    expect(hasQuestion()).toBe(true);
    await user.click(screen.getByRole("button", { name: "Leave" }));
    expect([hasQuestion(), onLeave.mock.calls.length]).toEqual([false, 1]);
  });

  test("who comes back into a call at once is not asked for the end of the one before", async () => {
    const gone = new Promise((resolve) => window.addEventListener("popstate", resolve, { once: true }));
    openVoice(<LeaveGuard onLeave={() => undefined} />).unmount();
    openVoice(<LeaveGuard onLeave={() => undefined} />);
    await act(async () => gone);
    expect(hasQuestion()).toBe(false);
    await goBack();
    expect(hasQuestion()).toBe(true);
  });
});
