import { describe, expect, jest, test } from "@jest/globals";
import { act, screen } from "@testing-library/react";
import type { RoomText } from "#contract/voice-channel.ts";
import { PushError } from "#providers/socket-topic.ts";
import { listBareKeys, openVoice, type VoiceSetup } from "../test-voice.tsx";
import { createRoomCall, toInRoom } from "./test-room-call.ts";
import { TextPanel } from "./text-panel.tsx";

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
    ["(http://foyer.example/x), https://foyer.example!", ["http://foyer.example/x", "https://foyer.example"]],
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
