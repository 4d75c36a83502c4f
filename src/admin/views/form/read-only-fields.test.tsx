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
  const model = buildModel({
    fields: ["name", "message"].map((name) => buildField({ name, read_only: true })),
  });
  render(
    <I18nextProvider i18n={createI18n("en")}>
      <ReadOnlyFields model={model} record={{ id: 1, repr: "Hi", name: "Ada", message }} />
    </I18nextProvider>,
  );
  const [name, shown] = screen.getAllByRole("definition");
  expect(shown?.textContent).toBe(message);
  expect([name, shown].map((element) => element?.parentElement?.dataset.long)).toEqual([undefined, "true"]);
});
