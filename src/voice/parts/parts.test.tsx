import { afterEach, beforeAll, describe, expect, jest, test } from "@jest/globals";
import { fireEvent, render, screen } from "@testing-library/react";
import { toAuthState } from "#providers/http/auth-state.ts";
import { createText } from "#providers/text.ts";
import { toAccountUser } from "#test/account-user.ts";
import { setUpDrawnUser } from "#test/drawn-user.ts";
import type { TextKey } from "../../ui/public-text.ts";
import { texts } from "../call-texts-en.ts";
import { useVoiceServices, VoiceServicesContext, type VoiceTexts } from "../voice-context.tsx";
import { Menu, MenuItem } from "./menu.tsx";
import { notifyEntered } from "./notify-entered.ts";

function Name() {
  return <p>{useVoiceServices().session.getAuthState()?.user.username}</p>;
}

describe("parts", () => {
  test("a part of the voice screens gets the services of those who drew it", () => {
    const services = { session: { getAuthState: () => ({ user: { username: "ada" } }) }, http: {} } as never; // only what is read here
    render(
      <VoiceServicesContext value={services}>
        <Name />
      </VoiceServicesContext>,
    );
    expect(screen.getByText("ada")).toBeTruthy();
  });

  test("outside of the voice screens there are none, and that is said", () => {
    const complain = jest.spyOn(console, "error").mockImplementation(() => {});
    expect(() => render(<Name />)).toThrow("outside of VoiceServicesContext");
    complain.mockRestore();
  });
});

describe("menu", () => {
  beforeAll(() => {
    // jsdom scrolls nothing.
    Element.prototype.scrollIntoView = () => undefined;
  });

  function openMenu(run = () => undefined) {
    render(
      <Menu label="More">
        <label htmlFor="volume">Volume</label>
        <input id="volume" type="range" />
        <MenuItem onChoose={run}>Report</MenuItem>
      </Menu>,
    );
    return { user: setUpDrawnUser(), menu: screen.getByRole<HTMLDetailsElement>("group") };
  }

  test("a press beside a control, or on a button that takes no focus, leaves the menu open", async () => {
    const { user, menu } = openMenu();
    await user.click(screen.getByLabelText("More"));
    await user.click(screen.getByText("Volume"));
    expect(menu.open).toBe(true);
    // As in browsers whose buttons take no focus by a press: it goes to what is around them.
    screen.getByRole("slider").focus();
    fireEvent.blur(screen.getByRole("slider"), { relatedTarget: menu.querySelector(".menu-items") });
    expect(menu.open).toBe(true);
    await user.click(document.body);
    expect(menu.open).toBe(false);
  });

  test("an item closes the menu, gives its button the focus and runs", async () => {
    const run = jest.fn(() => undefined);
    const { user, menu } = openMenu(run);
    await user.click(screen.getByLabelText("More"));
    await user.click(screen.getByText("Report"));
    expect([menu.open, document.activeElement, run.mock.calls.length]).toEqual([
      false,
      screen.getByLabelText("More"),
      1,
    ]);
  });

  test.each([
    [-38, "46px"],
    [120, ""],
  ])("a menu that would begin at %i px is moved by %j", async (left, moved) => {
    const { user, menu } = openMenu();
    const items = menu.querySelector<HTMLElement>(".menu-items");
    if (!items) throw new Error("there are no items");
    items.getBoundingClientRect = () => new DOMRect(left, 0, 200, 100);
    await user.click(screen.getByLabelText("More"));
    fireEvent(menu, new Event("toggle"));
    expect(items.style.translate).toBe(moved);
  });
});

describe("notify entered", () => {
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

  test.each(["off", "mail"] as const)("who chose %s is notified of nothing here", (choice) => {
    expect(notifyEntered(ENTERED, toSession(choice), t)).toBeUndefined();
  });

  test("the system says it where nobody looks at the page", () => {
    const notices: string[] = [];
    allowNotices((text) => notices.push(text));
    const text = notifyEntered(ENTERED, toSession("browser"), t);
    expect([text?.includes("Ada"), notices]).toEqual([true, []]);
    hidePage("hidden");
    notifyEntered(ENTERED, toSession("browser"), t);
    expect(notices).toEqual([text]);
  });

  test("a phone's browser, which lets pages make no notices, keeps nobody from reading it", () => {
    const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
    allowNotices(() => {
      throw new TypeError("Illegal constructor");
    });
    hidePage("hidden");
    expect(notifyEntered(ENTERED, toSession("browser"), t)).toContain("Ada");
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });
});
