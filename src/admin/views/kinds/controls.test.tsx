import { afterEach, describe, expect, test } from "@jest/globals";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { FieldInfo } from "#contract/content/models.ts";
import { toShades } from "#contract/site/accent.ts";
import { renderAdmin } from "../../test-admin.tsx";
import { buildField, buildModel } from "../test-model.ts";
import { findJsonFault } from "./controls/json.tsx";
import { findDecimalFault, kinds } from "./controls/number.tsx";

describe("controls", () => {
  const CHOICES = [
    { value: "red", label: "Red" },
    { value: "green", label: "Green" },
    { value: "blue", label: "Blue" },
  ];
  const PAGINATION = { page: 1, page_size: 20, total_count: 2, total_pages: 1 };
  const ROWS = [
    { id: 3, repr: "Third" },
    { id: 5, repr: "Fifth" },
  ];

  /** A form over one field beside the title, and the bodies that it sends. */
  async function openForm(field: Partial<FieldInfo>, value: unknown, lang: "en" | "tr" = "en") {
    const bodies: unknown[] = [];
    const record = { id: 4, repr: "Four", label: "Four", it: value };
    const fields = [
      buildField({ verbose_name: "Label" }),
      buildField({ name: "it", verbose_name: "It", ...field }),
    ];
    await renderAdmin({
      address: "/admin/models/7/objects/4",
      lang,
      models: [buildModel({ fields }), buildModel({ content_type_id: 9, model_name: "other", fields })],
      server({ method, url, body }) {
        if (method === "PATCH") {
          bodies.push(body);
          return { body: record };
        }
        if (/\/objects\/\d+\/$/.test(url.pathname)) return { body: record };
        return { body: { objects: ROWS, pagination: PAGINATION } };
      },
    });
    await screen.findByRole("textbox", { name: "Label" });
    const save = () => screen.findByRole("button", { name: lang === "en" ? "Save" : "Kaydet" });
    return { bodies, user: userEvent.setup(), save };
  }

  afterEach(cleanup);

  describe("a decimal", () => {
    test("a filter has each key at once: Enter may follow it", () => {
      const { Filter } = kinds.decimal ?? {};
      if (!Filter) throw new Error("a decimal has no filter");
      const given: unknown[] = [];
      const field = buildField({ name: "price", control: "decimal" });
      render(
        <Filter
          id="price"
          field={field}
          isSeveral={false}
          value="1"
          onChange={(value) => given.push(value)}
        />,
      );
      fireEvent.change(screen.getByRole("textbox"), { target: { value: "12.5" } });
      expect(given).toEqual(["12.5"]);
    });

    test.each([
      ["12.5", undefined],
      ["-0012.50", undefined],
      ["12,5", "format"],
      ["1.2.3", "format"],
      ["1e5", "format"],
      ["12345678901.00", "digits"],
      ["1.005", "digits"],
      ["1.500", undefined],
    ])("%s of twelve digits with two after the point: %s", (text, fault) => {
      expect(findDecimalFault(text, { total: 12, scale: 2 })).toBe(fault);
    });

    test("shows the sign of the language, takes both, and travels with a point", async () => {
      const digits = { total: 12, scale: 2 };
      const { bodies, user, save } = await openForm(
        { control: "decimal", type: "DecimalField", digits },
        "1234.50",
        "tr",
      );
      const input = screen.getByRole<HTMLInputElement>("textbox", { name: "It" });
      expect(input.value).toBe("1234,50");
      await user.clear(input);
      await user.type(input, "9.75");
      await user.tab();
      expect(input.value).toBe("9,75");
      await user.click(await save());
      await screen.findByText("Kaydedildi", { selector: ".form-status *, .form-status" });
      expect(bodies).toEqual([{ it: "9.75" }]);
    });

    test("of too many digits is shown as such before it is sent", async () => {
      const digits = { total: 5, scale: 2 };
      const { bodies, user, save } = await openForm(
        { control: "decimal", type: "DecimalField", digits },
        "1.00",
      );
      await user.type(screen.getByRole("textbox", { name: "It" }), "5");
      await user.click(await save());
      expect(await screen.findByText(/at most 3; after it: at most 2/)).toBeTruthy();
      expect(bodies).toEqual([]);
    });
  });

  describe("a choice", () => {
    test("that is none any more stays what it is until another one is chosen", async () => {
      const { bodies, user, save } = await openForm({ control: "choice", choices: CHOICES }, "violet");
      const item = screen.getByRole("combobox", { name: "It" }).closest<HTMLElement>(".ant-form-item");
      expect(within(item as HTMLElement).getByTitle("violet")).toBeTruthy();
      await user.click(screen.getByRole("combobox", { name: "It" }));
      await user.click(await screen.findByTitle("Green"));
      await user.click(await save());
      await screen.findByText("Saved", { selector: ".form-status *, .form-status" });
      expect(bodies).toEqual([{ it: "green" }]);
    });

    test("of several travels in the order of the choices", async () => {
      const { bodies, user, save } = await openForm({ control: "choices", choices: CHOICES }, ["blue"]);
      await user.click(screen.getByRole("combobox", { name: "It" }));
      await user.click(await screen.findByTitle("Red"));
      await user.click(await save());
      await screen.findByText("Saved", { selector: ".form-status *, .form-status" });
      expect(bodies).toEqual([{ it: ["red", "blue"] }]);
    });
  });

  test("a whole number that is none stays to be mended, and travels as a number", async () => {
    const { bodies, user, save } = await openForm({ control: "number", type: "IntegerField" }, 12);
    const input = screen.getByRole<HTMLInputElement>("textbox", { name: "It" });
    await user.clear(input);
    await user.type(input, "1.7");
    await user.click(await save());
    expect(await screen.findByText(/^Write a whole number/)).toBeTruthy();
    expect([input.value, bodies]).toEqual(["1.7", []]);
    await user.clear(input);
    await user.type(input, "-17");
    await user.click(await save());
    await screen.findByText("Saved", { selector: ".form-status *, .form-status" });
    expect(bodies).toEqual([{ it: -17 }]);
  });

  test("a colour is text beside the browser's chooser, both labelled", async () => {
    const { user } = await openForm({ control: "colour" }, "#1a5276");
    const text = screen.getByRole<HTMLInputElement>("textbox", { name: "It" });
    const chooser = screen.getByLabelText<HTMLInputElement>("Choose a colour: It");
    expect([text.value, chooser.value]).toEqual(["#1a5276", "#1a5276"]);
    await user.clear(text);
    await user.type(text, "#FF0080");
    await user.tab();
    expect([text.value, chooser.value]).toEqual(["#ff0080", "#ff0080"]);
  });

  test("an accent says which shade each theme shows, before it is saved", async () => {
    const { user } = await openForm({ control: "accent" }, "#0b4a63");
    const read = () =>
      within(screen.getByRole("list", { name: "Shades that pages show" }))
        .getAllByRole("listitem")
        .map(({ textContent }) => textContent);
    expect(read()).toEqual(["Light theme: #0b4a63The product’s own", "Dark theme: #93cfe8The product’s own"]);
    const text = screen.getByRole("textbox", { name: "It" });
    await user.clear(text);
    await user.type(text, "#FFD400");
    await user.tab();
    const { light, dark } = toShades("#ffd400");
    expect(read()).toEqual([
      `Light theme: ${light.accent}Darker, to be readable`,
      `Dark theme: ${dark.accent}As chosen`,
    ]);
    await user.type(text, "0");
    await user.tab();
    expect(screen.queryByRole("list", { name: "Shades that pages show" })).toBeNull();
  });

  test.each([
    { control: "choice", type: "ChoiceField", choices: CHOICES },
    { control: "choices", type: "MultipleChoiceField", choices: CHOICES },
    { control: "relation", type: "ForeignKey", related_model: 9 },
    { control: "relations", type: "ManyToManyField", related_model: 9 },
  ] as const)(
    "a $control that is required says so at its combobox, and at nothing that has no role",
    async (field) => {
      await openForm(
        { ...field, choices: [...("choices" in field ? field.choices : [])], required: true },
        null,
      );
      const input = screen.getByRole("combobox", { name: "It" });
      const item = input.closest<HTMLElement>(".ant-form-item");
      expect([...(item?.querySelectorAll("[aria-required]") ?? [])]).toEqual([input]);
    },
  );

  test("the names that a text can hold are there for whoever opens them", async () => {
    const placeholders = [
      { value: "{mail_log}", label: "which mail went where" },
      { value: "{code_lifetime}", label: "a code by mail" },
    ];
    const { user } = await openForm(
      { control: "localized-markdown", type: "LocalizedField", placeholders },
      { en: "Text", tr: "" },
    );
    const summary = screen.getByText("Show the 2 names");
    const details = summary.closest("details");
    expect(details?.open).toBe(false);
    await user.click(summary);
    expect(details?.open).toBe(true);
    expect(screen.getByText("{code_lifetime}").closest("div")?.textContent).toBe(
      "{code_lifetime}a code by mail",
    );
  });

  test("related rows are sent as ids in their order, whichever was chosen first", async () => {
    const { bodies, user, save } = await openForm(
      { control: "relations", type: "ManyToManyField", related_model: 9 },
      [{ id: 5, repr: "Fifth" }],
    );
    await user.click(screen.getByRole("combobox", { name: "It" }));
    await user.click(await screen.findByTitle("Third"));
    await user.click(await save());
    await screen.findByText("Saved", { selector: ".form-status *, .form-status" });
    expect(bodies).toEqual([{ it: [3, 5] }]);
  });

  test.each([
    ["en", /a to z, digits, hyphens/, "Only small letters", "Not A Slug"],
    ["tr", /a–z, rakamlar/, "Yalnızca a–z", "ışık"],
  ] as const)("a slug says in %s how it is written", async (lang, hint, fault, wrong) => {
    const { user, save } = await openForm({ control: "slug" }, "a-slug", lang);
    expect(screen.getByText(hint)).toBeTruthy();
    const input = screen.getByRole("textbox", { name: "It" });
    await user.clear(input);
    await user.type(input, wrong);
    await user.click(await save());
    expect(await screen.findByText((text) => text.startsWith(fault))).toBeTruthy();
  });
});

describe("json fault", () => {
  test.each([
    ["", undefined],
    ['{"a": [1, 2]}', undefined],
    ['{"a": 1', "end"],
    ["[1, 2", "end"],
    ['{\n  "a": 1,\n  b: 2\n}', { line: 3, column: 3, near: "b: 2" }],
    ["{'a': 1}", { line: 1, column: 2, near: "'a': 1}" }],
  ] as const)("%j: %j", (text, fault) => {
    expect(findJsonFault(text)).toEqual(fault);
  });
});
