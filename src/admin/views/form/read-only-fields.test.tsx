import "#test/browser-globals.ts";
import { afterEach, expect, test } from "@jest/globals";
import { cleanup, render, screen } from "@testing-library/react";
import { I18nextProvider } from "react-i18next";
import { createI18n } from "#providers/i18n.ts";
import { buildField, buildModel } from "../test-model.ts";
import { ReadOnlyFields } from "./read-only-fields.tsx";

afterEach(cleanup);

test("a message that somebody sent is shown to its end, with its lines; a cell of a list would cut it", () => {
  const message = `Hello,\n\n${"I would like to talk. ".repeat(9)}\n\nBest wishes`;
  const about = { en: "Long. ".repeat(30), tr: "Uzun. ".repeat(30) };
  const model = buildModel({
    fields: [
      buildField({ name: "name", read_only: true }),
      buildField({ name: "message", read_only: true }),
      buildField({ name: "about", type: "LocalizedTextField", read_only: true }),
    ],
  });
  render(
    <I18nextProvider i18n={createI18n("en")}>
      <ReadOnlyFields model={model} record={{ id: 1, repr: "Hi", name: "Ada", message, about }} />
    </I18nextProvider>,
  );
  const [name, shown, localized] = screen.getAllByRole("definition");
  expect(shown?.textContent).toBe(message);
  const toLong = (element?: HTMLElement) => element?.parentElement?.dataset.long;
  expect([name, shown, localized].map(toLong)).toEqual([undefined, "true", "true"]);
});
