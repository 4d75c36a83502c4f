import { expect, test } from "@jest/globals";
import { getAccountSession } from "./account-session.ts";
import { toSession } from "./test-screen.tsx";

test.each([
  [1, "user"],
  [10, "admin"],
])("the header of level %i is shown as soon as somebody is signed in on this page", (level, expected) => {
  getAccountSession().adopt(toSession(level));
  expect(document.documentElement.dataset.session).toBe(expected);
});
