import { expect, test } from "@jest/globals";
import { screen, within } from "@testing-library/react";
import type { SectionFields } from "#contract/site/cv.ts";
import { EMPTY_CV } from "#test/empty-cv.ts";
import { CvPage } from "./cv-page.tsx";
import { show } from "./test-page.tsx";

const FIELDS: SectionFields = {
  titles: ["title"],
  start: "held_on",
  end: "held_on",
  url: "url",
  line: ["place"],
  words: ["topics"],
  texts: ["text"],
  lists: ["points"],
  images: [],
  facts: [
    { name: "company", label: "Given for", is_file: false },
    { name: "speaker", label: "Speaker", is_file: false },
    { name: "slides", label: "Slides", is_file: true },
  ],
};

function draw(texts: Record<string, string | string[]>, fields: Partial<SectionFields> = {}) {
  const values = Object.entries(texts).map(([name, text]) => ({ name, texts: [text].flat() }));
  const section = {
    name: "talk",
    heading: "Talks",
    list: null,
    person: null,
    fields: { ...FIELDS, ...fields },
    items: [{ id: 1, values }],
  };
  show(<CvPage cv={{ ...EMPTY_CV, sections: [section] }} />);
  return within(screen.getByRole("region", { name: "Talks" }));
}

test("a section without a component of its own is a timeline of everything that its items say", () => {
  const section = draw({
    title: "Awake",
    held_on: "2023-05",
    url: "https://talks.test/1",
    place: "İzmir",
    topics: ["queues", "sleep"],
    text: "First.\n\nSecond.",
    points: ["One", "Two"],
    company: "Queue Company",
    speaker: "Dilara Söz",
    slides: "/files/a.pdf",
  });
  expect(section.getByRole("heading", { level: 3, name: "Awake" })).toBeTruthy();
  expect(section.getByRole("link", { name: "Awake" }).getAttribute("href")).toBe("https://talks.test/1");
  expect(section.getByText("May 2023").getAttribute("datetime")).toBe("2023-05");
  expect(section.getAllByRole("term").map((term) => term.textContent)).toEqual(["Given for:", "Speaker:"]);
  expect(section.getAllByRole("definition").map((said) => said.textContent)).toEqual([
    "Queue Company",
    "Dilara Söz",
  ]);
  expect(section.getByRole("link", { name: "Slides" }).getAttribute("href")).toBe("/files/a.pdf");
  for (const text of ["İzmir", "queues", "sleep", "First.", "Second.", "One", "Two"])
    expect(section.getByText(text)).toBeTruthy();
});

test("what an item doesn't say leaves nothing behind", () => {
  const section = draw({ title: "Awake" }, { start: null, end: null });
  expect(section.getByRole("listitem").innerHTML).toBe("<h3>Awake</h3>");
});

test("an address that is no web address is no link", () => {
  const section = draw({ title: "Awake", url: "javascript:alert(1)" });
  expect(section.queryByRole("link")).toBeNull();
});

test("the address leads from what the row is called by, where something else stands above it", () => {
  const section = draw(
    { role: "Mentor", title: "Code Kitchen", url: "https://kitchen.test" },
    { titles: ["role", "title"], line: ["title"] },
  );
  expect(section.getByRole("heading", { level: 3 }).textContent).toBe("Mentor");
  expect(section.getByRole("link").textContent).toBe("Code Kitchen");
});
