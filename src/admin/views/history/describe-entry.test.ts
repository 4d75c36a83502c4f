/** @jest-environment node */

import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@jest/globals";
import { createI18n } from "#providers/i18n.ts";
import { describeDetail } from "./describe-entry.ts";

// What no test of behaviour can show: that none of these subjects writes a detail into the log that the console has no words for.

const SERVER = path.resolve(import.meta.dirname, "../../../../server");
/** Subjects in whose files a `detail` is the log's alone; voice rooms have others too. */
const SUBJECTS = ["accounts", "content", "cv", "files", "mail", "sample"];
/** Names of columns, which the triage writes as they are. */
const COLUMNS = ["note", "owner_id", "note,owner_id"];

/** Details that the server's files name, each where it is made. */
function listDetails(): string[] {
  const files = SUBJECTS.flatMap((subject) =>
    readdirSync(path.join(SERVER, subject), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !/\.test\.ts$|(^|\/)(test-|fixture)/.test(name))
      .map((name) => path.join(subject, name)),
  );
  const places = files.flatMap((name) => [
    ...readFileSync(path.join(SERVER, name), "utf8").matchAll(
      /\bdetail: ([^,;{}]*)|toSystemAuthor\(([^)]*)/g,
    ),
  ]);
  const names = places.flatMap(([place]) => [...place.matchAll(/"([a-z_]+)"/g)].map(([, name = ""]) => name));
  return [...new Set([...names, ...COLUMNS])].sort();
}

test.each(listDetails())("what the log calls %s is a sentence in both languages", (detail) => {
  const say = (lang: "en" | "tr") =>
    describeDetail({ action_type: "UPDATE", detail, change_message: "" }, createI18n(lang).t);
  // A missing text would be its own key.
  expect([say("en"), say("tr")]).toEqual([expect.stringMatching(/ /), expect.stringMatching(/ /)]);
});

test("the server's files are looked through", () => {
  expect(listDetails()).toEqual(
    expect.arrayContaining(["bounce", "change_password", "complaint", "lift", "process", "release", "undo"]),
  );
});
