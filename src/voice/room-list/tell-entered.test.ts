import { afterEach, expect, jest, test } from "@jest/globals";
import { toAuthState } from "#providers/auth-state.ts";
import { createText } from "#providers/text.ts";
import { toAccountUser } from "#test/account-user.ts";
import type { TextKey } from "../../ui/public-text.ts";
import { texts } from "../call-texts-en.ts";
import { tellEntered } from "../parts/notify-entered.ts";
import type { VoiceTexts } from "../voice-text.tsx";

const t = createText<TextKey<VoiceTexts>>("en", texts);
const ENTERED = { name: "Ada", room: "Tea" };

function toSession(room_entered: "off" | "browser" | "mail") {
  const user = toAccountUser({}, {});
  const { profile } = user;
  const notification_preferences = { ...profile.notification_preferences, room_entered };
  const auth = toAuthState({ ...user, profile: { ...profile, notification_preferences } }, null, 0);
  return { getAuthState: () => auth, subscribe: () => () => undefined };
}

/** The system's notices, as a browser lets pages make them. */
function allowNotices(make: (text: string) => void) {
  class Notices {
    static permission = "granted";
    constructor(text: string) {
      make(text);
    }
  }
  Object.assign(window, { Notification: Notices });
}

const hidePage = (state: "hidden" | "visible") =>
  Object.defineProperty(document, "visibilityState", { value: state, configurable: true });

afterEach(() => {
  Reflect.deleteProperty(window, "Notification");
  hidePage("visible");
});

test.each(["off", "mail"] as const)("who chose %s is told nothing here", (choice) => {
  expect(tellEntered(ENTERED, toSession(choice), t)).toBeUndefined();
});

test("the system says it where nobody looks at the page", () => {
  const notices: string[] = [];
  allowNotices((text) => notices.push(text));
  const text = tellEntered(ENTERED, toSession("browser"), t);
  expect([text?.includes("Ada"), notices]).toEqual([true, []]);
  hidePage("hidden");
  tellEntered(ENTERED, toSession("browser"), t);
  expect(notices).toEqual([text]);
});

test("a phone's browser, which lets pages make no notices, keeps nobody from reading it", () => {
  const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
  allowNotices(() => {
    throw new TypeError("Illegal constructor");
  });
  hidePage("hidden");
  expect(tellEntered(ENTERED, toSession("browser"), t)).toContain("Ada");
  expect(warn).toHaveBeenCalledTimes(1);
  warn.mockRestore();
});
