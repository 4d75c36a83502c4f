import { beforeEach, expect, test } from "@jest/globals";
import { createSafeStorage } from "#providers/browser-storage.ts";
import { runSession } from "./session.ts";

const root = document.documentElement;
beforeEach(() => {
  localStorage.clear();
  delete root.dataset.session;
  runSession(root, createSafeStorage(), async () => {});
});

test.each([
  ['{"user":{"access_level":1}}', "user"],
  ['{"user":{"access_level":10}}', "admin"],
  ["no JSON", undefined],
])("what another tab remembers, %s, shows the header of: %s", (state, expected) => {
  localStorage.setItem("refresh_token", "r");
  localStorage.setItem("auth_state", state);
  dispatchEvent(new Event("storage"));
  expect(root.dataset.session).toBe(expected);
});

test.each([
  [
    '{"user":{"access_level":1,"username":"lin","display_name":"Lin \\"Lo\\" Çelik"}}',
    '"Lin \\"Lo\\" Çelik"',
  ],
  ['{"user":{"access_level":1,"username":"lin","display_name":""}}', '"lin"'],
  ['{"user":{"access_level":1}}', ""],
  ["no JSON", ""],
])("of %s the name is known as %s", (state, expected) => {
  root.style.setProperty("--known-name", '"somebody before"');
  localStorage.setItem("refresh_token", "r");
  localStorage.setItem("auth_state", state);
  dispatchEvent(new Event("storage"));
  expect(root.style.getPropertyValue("--known-name")).toBe(expected);
});

test("what is remembered of a person without a refresh token shows nobody", () => {
  localStorage.setItem("auth_state", '{"user":{"access_level":10}}');
  root.dataset.session = "admin";
  dispatchEvent(new Event("storage"));
  expect(root.dataset.session).toBeUndefined();
});

test("a session that ended while this page lay in the history is not shown when Back brings it", () => {
  root.dataset.session = "user";
  dispatchEvent(new Event("pageshow"));
  expect(root.dataset.session).toBeUndefined();
});
