import { expect, jest, test } from "@jest/globals";
import { runTheme } from "../../../ui/loader/theme.ts";
import { createMemoryStorage } from "../test-profile.tsx";
import { readThemeChoice, saveThemeChoice, watchThemeChoice } from "./theme-choice.ts";

Object.assign(window, { matchMedia: () => Object.assign(new EventTarget(), { matches: true }) });

test("the page's loader shows each choice at once, and a dark system where none was made", () => {
  const storage = createMemoryStorage();
  const root = document.createElement("div");
  runTheme(root, storage);
  expect([readThemeChoice(storage), root.dataset.theme]).toEqual(["auto", "dark"]);
  for (const [choice, shown] of [
    ["light", "light"],
    ["dark", "dark"],
    ["auto", "dark"],
  ] as const) {
    saveThemeChoice(storage, choice);
    expect([readThemeChoice(storage), root.dataset.theme]).toEqual([choice, shown]);
  }
});

test("what the page's own button chooses is heard", () => {
  const storage = createMemoryStorage();
  runTheme(document.createElement("div"), storage);
  const button = document.createElement("button");
  button.dataset.themeToggle = "";
  document.body.append(button);
  const heard = jest.fn(() => readThemeChoice(storage));
  const stop = watchThemeChoice(heard);
  button.click();
  expect(heard).toHaveReturnedWith("light");
  stop();
  button.remove();
});

test("something else under the key is no choice", () => {
  const storage = createMemoryStorage();
  storage.setItem("theme-preference", "{");
  expect(readThemeChoice(storage)).toBe("auto");
});
