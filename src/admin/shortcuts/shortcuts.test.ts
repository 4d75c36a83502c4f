import "#test/browser-globals.ts";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { toKeyCaps, toKeyName } from "./keys.tsx";
import { createShortcuts, setShortcutsEnabled } from "./shortcuts.ts";

let ran: string[];
let nowMs: number;
let shortcuts: ReturnType<typeof createShortcuts>;

function register(keys: string, isEverywhere = false): () => void {
  return shortcuts.register({ keys, isEverywhere, labelKey: "layout.brand", run: () => ran.push(keys) });
}

function press(
  init: KeyboardEventInit & { keyCode?: number },
  target: Element = document.body,
): KeyboardEvent {
  const event = new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init });
  target.addEventListener("keydown", (at) => shortcuts.handle(at as KeyboardEvent), { once: true });
  target.dispatchEvent(event);
  return event;
}

function put(html: string): Element {
  document.body.innerHTML = html;
  const target = document.body.querySelector("[data-target]") ?? document.body.firstElementChild;
  if (!target) throw new Error("nothing was put");
  return target;
}

beforeEach(() => {
  ran = [];
  nowMs = 0;
  shortcuts = createShortcuts(() => nowMs);
});
afterEach(() => {
  document.body.innerHTML = "";
  setShortcutsEnabled(true);
});

describe("names of keys", () => {
  const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  const altGr = {
    ...plain,
    ctrlKey: true,
    altKey: true,
    getModifierState: (name: string) => name === "AltGraph",
  };
  test.each([
    ["a letter", { ...plain, key: "j" }, "j"],
    ["a letter under CapsLock", { ...plain, key: "J" }, "j"],
    ["a letter with Shift", { ...plain, key: "J", shiftKey: true }, "Shift+j"],
    ["the Turkish /, which is Shift and 7", { ...plain, key: "/", shiftKey: true }, "/"],
    ["?, which needs Shift", { ...plain, key: "?", shiftKey: true }, "?"],
    ["a sign by AltGr, which Windows reports as Ctrl and Alt", { ...altGr, key: "/" }, "/"],
    ["a letter by AltGr", { ...altGr, key: "æ" }, undefined],
    ["Alt and a letter", { ...plain, key: "j", altKey: true }, undefined],
    ["Ctrl and a letter", { ...plain, key: "k", ctrlKey: true }, "Mod+k"],
    ["Ctrl and a letter under CapsLock", { ...plain, key: "K", ctrlKey: true }, "Mod+k"],
    ["the Windows key and a letter", { ...plain, key: "k", metaKey: true }, undefined],
    ["the Turkish İ", { ...plain, key: "İ" }, "i"],
    ["Enter", { ...plain, key: "Enter" }, undefined],
    ["a dead key", { ...plain, key: "Dead" }, undefined],
  ])("%s", (_what, event, name) => {
    expect(toKeyName(event, false)).toBe(name);
  });

  test("on a Mac ⌘ is Mod, and Ctrl is the system's", () => {
    expect(toKeyName({ ...plain, key: "k", metaKey: true }, true)).toBe("Mod+k");
    expect(toKeyName({ ...plain, key: "k", ctrlKey: true }, true)).toBeUndefined();
  });

  test("caps are those of the keyboard", () => {
    expect(toKeyCaps("Mod+k", false)).toEqual(["Ctrl", "K"]);
    expect(toKeyCaps("Mod+k", true)).toEqual(["⌘", "K"]);
    expect(toKeyCaps("g d", false)).toEqual(["G", "D"]);
    expect(toKeyCaps("+", false)).toEqual(["+"]);
  });
});

describe("when shortcuts run", () => {
  test("the newest of the same keys runs, and the one before it again when that has gone", () => {
    register("e");
    const gone = shortcuts.register({ keys: "e", labelKey: "layout.brand", run: () => ran.push("newer") });
    expect(press({ key: "e" }).defaultPrevented).toBe(true);
    gone();
    press({ key: "e" });
    expect(ran).toEqual(["newer", "e"]);
  });

  test.each([
    ["a text", "<input data-target>", false],
    ["a checkbox", '<input type="checkbox" data-target>', true],
    ["a radio button", '<input type="radio" data-target>', true],
    ["a text area", "<textarea data-target></textarea>", false],
    ["a choice", '<div role="combobox" data-target></div>', false],
    ["an item of a popup", '<div class="ant-select-dropdown"><div data-target></div></div>', false],
    ["a button", "<button data-target></button>", true],
    ["an editable part", "<div contenteditable><b data-target></b></div>", false],
  ])("a single key in %s", (_what, html, runs) => {
    register("x");
    press({ key: "x" }, put(html));
    expect(ran).toEqual(runs ? ["x"] : []);
  });

  test("with Ctrl they run while one types", () => {
    register("Mod+k");
    press({ key: "k", ctrlKey: true }, put("<input data-target>"));
    expect(ran).toEqual(["Mod+k"]);
  });

  test("under a dialog those of the screen rest, and those of everywhere don't", () => {
    register("j");
    register("?", true);
    put('<div class="ant-drawer ant-drawer-open"></div>');
    press({ key: "j" });
    press({ key: "?", shiftKey: true });
    expect(ran).toEqual(["?"]);
    expect(shortcuts.list().map(({ keys }) => keys)).toEqual(["?"]);
  });

  test("a key that an input method composes is none", () => {
    register("x");
    press({ key: "x", isComposing: true });
    press({ key: "x", keyCode: 229 });
    expect(ran).toEqual([]);
  });

  test("a key held down runs once, but goes on through the rows", () => {
    register("x");
    register("j");
    for (const repeat of [false, true, true]) {
      press({ key: "x", repeat });
      press({ key: "j", repeat });
    }
    expect(ran).toEqual(["x", "j", "j", "j"]);
  });

  test("two keys one after the other, in time", () => {
    register("g d");
    register("d");
    press({ key: "g" });
    press({ key: "d" });
    press({ key: "d" });
    press({ key: "g" });
    nowMs += 2_000;
    press({ key: "d" });
    expect(ran).toEqual(["g d", "d", "d"]);
  });

  test("turned off, single keys do nothing and are not listed; those with Ctrl stay", () => {
    register("j");
    register("g d");
    register("Mod+s");
    setShortcutsEnabled(false);
    for (const key of ["j", "g", "d"]) press({ key });
    press({ key: "s", ctrlKey: true });
    expect(ran).toEqual(["Mod+s"]);
    expect(shortcuts.list().map(({ keys }) => keys)).toEqual(["Mod+s"]);
    expect(localStorage.getItem("admin-shortcuts")).toBe("off");
  });

  test("what somebody else has handled is left alone", () => {
    register("j");
    document.body.addEventListener("keydown", (event) => event.preventDefault(), { once: true });
    press({ key: "j" });
    expect(ran).toEqual([]);
  });
});
