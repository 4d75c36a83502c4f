import "#test/browser-globals.ts";
import { afterEach, expect, test } from "@jest/globals";
import { cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { I18nextProvider } from "react-i18next";
import { createI18n } from "#providers/i18n.ts";
import { toSelectionExport } from "../views/list/list-export.ts";
import { ExportOptions } from "./export-options.tsx";
import { type ExportChoice, toQueryExport } from "./use-export.ts";

afterEach(cleanup);

let choice: ExportChoice;
function Options() {
  const [state, setState] = useState<ExportChoice>({ format: "csv", columns: [], keepsFormulas: false });
  choice = state;
  return <ExportOptions choice={state} onChange={setState} shownColumns={["label"]} />;
}

function open(lang: "en" | "tr") {
  render(
    <I18nextProvider i18n={createI18n(lang)}>
      <Options />
    </I18nextProvider>,
  );
}

const readUse = () =>
  new URL(toQueryExport("models/7/objects", {}, choice).path, "http://x").searchParams.get("use");

test.each([
  ["en", "Programs", "Spreadsheets"],
  ["tr", "Programlar", "Hesap tabloları"],
] as const)(
  "a csv is made for programs unless spreadsheets are chosen: %s",
  async (lang, programs, sheets) => {
    const user = userEvent.setup();
    open(lang);
    expect(screen.getByRole<HTMLInputElement>("radio", { name: programs }).checked).toBe(true);
    expect(readUse()).toBeNull();
    await user.click(screen.getByRole("radio", { name: sheets }));
    expect(readUse()).toBe("spreadsheets");
  },
);

test("chosen rows are exported for spreadsheets too", () => {
  const sheet = { format: "csv", columns: [], keepsFormulas: false, isForSpreadsheets: true } as const;
  const selection = { kind: "ids", ids: [1] } as const;
  expect(toSelectionExport("models/7/objects", {}, selection, sheet).body).toMatchObject({
    format: "csv",
    use: "spreadsheets",
    object_ids: [1],
  });
});

test("other formats have no such choice, and lose it", async () => {
  const user = userEvent.setup();
  open("en");
  await user.click(screen.getByRole("radio", { name: "Spreadsheets" }));
  await user.click(screen.getByRole("combobox", { name: "Format" }));
  await user.click(await screen.findByTitle("JSON"));
  expect(screen.queryByRole("radio", { name: "Spreadsheets" })).toBeNull();
  expect(choice).toMatchObject({ format: "json", isForSpreadsheets: false });
});
