import { afterEach, describe, expect, test } from "@jest/globals";
import { cleanup, render, screen, within } from "@testing-library/react";
import { I18nextProvider } from "react-i18next";
import { createI18n } from "#providers/i18n.ts";
import { buildField } from "../test-model.ts";
import { ChangesTable } from "./changes-table.tsx";
import { diffWords } from "./word-diff.ts";

const FIELDS = [
  buildField({ name: "title", verbose_name: "Title", type: "LocalizedCharField" }),
  buildField({ name: "body", verbose_name: "Body", type: "TextField" }),
  buildField({ name: "is_hidden", verbose_name: "Hidden", type: "BooleanField" }),
];

function draw(changes: Parameters<typeof ChangesTable>[0]["changes"], lang: "en" | "tr" = "en") {
  render(
    <I18nextProvider i18n={createI18n(lang)}>
      <ChangesTable changes={changes} fields={FIELDS} />
    </I18nextProvider>,
  );
  return (name: string) => within(screen.getByRole("rowheader", { name }).closest("tr") as HTMLElement);
}

afterEach(cleanup);

describe("a table of changes", () => {
  test("shows the languages that changed, values as lists show them, in the order of the model", () => {
    const row = draw({
      is_hidden: { before: false, after: true },
      title: { before: { en: "Light", tr: "Işık" }, after: { en: "Light", tr: "Parlak" } },
    });
    expect(screen.getAllByRole("rowheader").map((header) => header.textContent)).toEqual([
      "TitleTurkish",
      "Hidden",
    ]);
    expect(row("Title Turkish").getByText("Işık")).toBeTruthy();
    expect(row("Title Turkish").getByText("Parlak")).toBeTruthy();
    expect(
      row("Hidden")
        .getAllByRole("cell")
        .map((cell) => cell.textContent),
    ).toEqual(["No", "Yes"]);
  });

  test("marks the words that changed in long texts, for eyes and ears", () => {
    const before = "The quick brown fox jumps over the lazy dog at noon";
    draw({ body: { before, after: before.replace("lazy", "sleeping") } });
    expect(screen.getByText("lazy", { exact: false, selector: "del" }).textContent).toBe("Removed: lazy");
    expect(screen.getByText("sleeping", { exact: false, selector: "ins" }).textContent).toBe(
      "Added: sleeping",
    );
  });

  test("says in Turkish what a new row was given, and that a secret is none of it", () => {
    draw({ body: { after: "kısa" }, pin: { after: "•••" } }, "tr");
    expect(screen.getAllByRole("columnheader").map((header) => header.textContent)).toEqual([
      "Alan",
      "Sonra",
    ]);
    expect(screen.getByText("Gizli: sırlar burada tutulmaz")).toBeTruthy();
    expect(screen.queryByText("•••")).toBeNull();
  });

  test("without changes says so", () => {
    draw({});
    expect(screen.queryByRole("table")).toBeNull();
    expect(screen.getByText("No fields changed that you may see.")).toBeTruthy();
  });
});

describe("a diff by words", () => {
  test.each([
    ["a b c", "a x c"],
    ["", "new text"],
    ["old text", ""],
    ["İğne, iplik.", "İğne ve iplik!"],
    ["same", "same"],
  ])("%j → %j puts both texts together again", (before, after) => {
    const parts = diffWords(before, after);
    const put = (kind: string) =>
      parts
        .filter((part) => part.kind === "same" || part.kind === kind)
        .map(({ text }) => text)
        .join("");
    expect([put("removed"), put("added")]).toEqual([before, after]);
  });

  test("of long texts gives up before it compares their words: not even the spaces are found the same", () => {
    const words = (letter: string) => Array.from({ length: 5000 }, (_, at) => `${letter}${at}`).join(" ");
    expect(diffWords(words("a"), words("b")).length).toBe(2);
  });

  test("of long texts with much that changed still finds the lines that are the same", () => {
    const words = (letter: string) => Array.from({ length: 1000 }, (_, at) => `${letter}${at}`).join(" ");
    const [before, after] = [`Intro\n${words("a")}\nEnd`, `Intro\n${words("b")}\nEnd`];
    expect(diffWords(before, after)).toEqual([
      { kind: "same", text: "Intro\n" },
      { kind: "removed", text: `${words("a")}\n` },
      { kind: "added", text: `${words("b")}\n` },
      { kind: "same", text: "End" },
    ]);
  });

  test("of a long text finds few changes wherever they are", () => {
    const words = Array.from({ length: 5000 }, (_, at) => `w${at}`);
    const edited = words.map((word, at) => (at === 10 || at === 4900 ? "new" : word));
    const changed = diffWords(words.join(" "), edited.join(" ")).filter(({ kind }) => kind !== "same");
    expect(changed.map(({ text }) => text)).toEqual(["w10", "new", "w4900", "new"]);
  });
});
