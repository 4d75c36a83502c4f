import { afterEach, describe, expect, test } from "@jest/globals";
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { DependentsAnswer } from "#contract/content/objects.ts";
import type { BatchAction } from "#resources/record-source.ts";
import { renderAdmin } from "../../test-admin.tsx";
import { EVERYTHING, NOTHING } from "../state/selection.ts";
import { buildModel } from "../test-model.ts";
import { toBatchTask } from "./use-record-actions.ts";

describe("record actions", () => {
  const ACTION: BatchAction = {
    key: "process",
    label: "Mark processed",
    icon: "check",
    failed: "Failed to process bounce(s)",
    path: "/api/mail/bounces/batch_process/",
    idsName: "bounce_ids",
    max: 500,
  };
  const choose = (count: number) =>
    ({ kind: "ids", ids: Array.from({ length: count }, (_, at) => at + 1) }) as const;

  test("chosen rows travel under the documented name, as many as are allowed", () => {
    expect(toBatchTask(ACTION, choose(2), [{ id: 1, repr: "ada@example.org" }])).toMatchObject({
      path: "/api/mail/bounces/batch_process/",
      body: { bounce_ids: [1, 2] },
      names: new Map([[1, "ada@example.org"]]),
    });
    expect(toBatchTask(ACTION, choose(500), [])).toMatchObject({ ids: { length: 500 } });
    expect(toBatchTask(ACTION, choose(501), [])).toBe("too many");
  });

  test("nothing, and a query, are no chosen rows", () => {
    expect(toBatchTask(ACTION, NOTHING, [])).toBeUndefined();
    expect(toBatchTask(ACTION, EVERYTHING, [])).toBeUndefined();
  });
});

describe("delete row", () => {
  const RECORD = { id: 4, repr: "Light", label: "Light" };
  const DELETE_LIGHT = /^(Delete Light|Sil: Light)$/;

  afterEach(cleanup);

  /** The list's question before a deletion, and which rows were deleted. */
  async function ask(answer: DependentsAnswer, lang: "en" | "tr" = "en") {
    const user = userEvent.setup();
    const deleted: string[] = [];
    await renderAdmin({
      address: "/admin/models/7",
      lang,
      models: [buildModel()],
      server({ method, url }) {
        if (method === "DELETE") deleted.push(url.pathname);
        if (url.pathname.endsWith("/4/dependents/")) return { body: answer };
        return {
          body: { objects: [RECORD], pagination: { page: 1, page_size: 20, total_count: 1, total_pages: 1 } },
        };
      },
    });
    await user.click(await screen.findByRole("button", { name: DELETE_LIGHT }));
    return { user, deleted, question: within(await screen.findByRole("dialog")) };
  }

  test("a deletion names the object and counts what goes along before anything is done", async () => {
    const { user, deleted, question } = await ask({
      is_deletable: true,
      dependents: [
        { content_type_id: 8, verbose_name: "Comments", count: 1234, effect: "delete" },
        { content_type_id: 7, field: "label", verbose_name: "Articles", count: 2, effect: "detach" },
        { content_type_id: 10, verbose_name: "Prizes", count: 0, effect: "delete" },
      ],
    });
    expect(await question.findByText("Comments: 1,234")).toBeTruthy();
    expect(question.getByText("Deleted along with it:")).toBeTruthy();
    const articles = question.getByRole("link", { name: "Articles: 2" });
    expect(articles.getAttribute("href")).toBe("/admin/models/7?filter=label%3Aexact%3A4");
    expect(question.queryByText(/Prizes/)).toBeNull();
    expect(question.getByText("Delete “Light”?")).toBeTruthy();
    expect(deleted).toEqual([]);
    await user.click(question.getByRole("button", { name: "Delete" }));
    await waitFor(() => expect(deleted).toEqual(["/api/admin/models/7/objects/4/"]));
  });

  test("beside the question one click closes it, and not the second one of a double click on what opened it", async () => {
    await ask({ is_deletable: true, dependents: [] });
    const beside = document.querySelector(".ant-modal-wrap");
    if (!beside) throw new Error("no mask");
    for (const detail of [2, 3]) fireEvent.click(beside, { detail });
    expect(screen.getByRole("dialog")).toBeTruthy();
    fireEvent.click(beside, { detail: 1 });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  test("a deletion that other objects stand against can't be confirmed, and says which", async () => {
    const dependents = [
      { content_type_id: 8, verbose_name: "Yorumlar", count: 3, effect: "refuse" },
    ] as const;
    const { question } = await ask({ is_deletable: false, dependents: [...dependents] }, "tr");
    expect(await question.findByText("Yorumlar: 3")).toBeTruthy();
    expect(question.getByText("Bunların hâlâ ona ihtiyacı var. Önce bunları kaldırın:")).toBeTruthy();
    expect(question.getByRole<HTMLButtonElement>("button", { name: "Sil" }).disabled).toBe(true);
  });

  test("a double click on Delete deletes once", async () => {
    const { user, deleted, question } = await ask({ is_deletable: true, dependents: [] });
    const button = question.getByRole<HTMLButtonElement>("button", { name: "Delete" });
    await waitFor(() => expect(button.disabled).toBe(false));
    act(() => {
      button.click();
      button.click();
    });
    await waitFor(() => expect(deleted).toHaveLength(1));
    await user.keyboard("{Escape}");
    expect(deleted).toHaveLength(1);
  });

  test("a deletion that is called off gives the focus back to the button that asked for it", async () => {
    const { user, deleted, question } = await ask({ is_deletable: true, dependents: [] });
    await user.click(question.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole("button", { name: DELETE_LIGHT }));
    expect(deleted).toEqual([]);
  });
});
