import { afterEach, expect, test } from "@jest/globals";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { renderAdmin } from "../test-admin.tsx";
import { buildModel } from "../views/test-model.ts";

afterEach(cleanup);
const model = (content_type_id: number, app_label: string, model_name: string, count = 0) =>
  buildModel({ content_type_id, app_label, model_name, count, verbose_name_plural: `${model_name}s` });
const MODELS = [
  model(1, "accounts", "user", 250),
  model(2, "accounts", "access_level", 5),
  model(3, "audit", "entry", 12),
  model(4, "mail", "message"),
  ...Array.from({ length: 9 }, (_, at) => model(10 + at, "cv", `thing${at}`)),
];

const open = (address: string, models = MODELS) =>
  renderAdmin({ address, models, server: () => ({ status: 404, body: { message: "Not here" } }) });
const cards = () => screen.getAllByRole("heading", { level: 2 }).map(({ textContent }) => textContent);

test("each card leads to its objects, those with screens of their own to these", async () => {
  await open("/admin/models");
  const user = await screen.findByRole("link", { name: "users" });
  expect(user.getAttribute("href")).toBe("/admin/users");
  const hrefOf = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
  expect(hrefOf("access_levels")).toBe("/admin/access-levels");
  expect(hrefOf("entrys")).toBe("/admin/actions");
  expect(hrefOf("messages")).toBe("/admin/models/4");
  for (const size of ["High", "Low", "Medium"]) expect(screen.getByText(size)).toBeTruthy();
});

test("the address of the mail dashboard shows the models of that app, and the way to all", async () => {
  const user = userEvent.setup();
  const { router } = await open("/admin/mail_service/");
  await screen.findByRole("link", { name: "messages" });
  expect(router.state.location.search).toBe("?app=mail");
  expect(cards()).toEqual(["messages"]);
  await user.click(screen.getByRole("button", { name: /Only mail/ }));
  await waitFor(() => expect(cards()).toHaveLength(MODELS.length));
});

test("many cards are searched by word, and few have no search", async () => {
  const user = userEvent.setup();
  const { router } = await open("/admin/models");
  await user.type(await screen.findByRole("searchbox", { name: "Search models" }), "THİNG3");
  await waitFor(() => expect(cards()).toEqual(["thing3s"]));
  await user.type(screen.getByRole("searchbox"), "x");
  expect(await screen.findByText("No model matches")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Show all models" }));
  await waitFor(() => expect(router.state.location.search).toBe(""));
  cleanup();
  await open("/admin/models", MODELS.slice(0, 3));
  await screen.findByRole("link", { name: "users" });
  expect(screen.queryByRole("searchbox")).toBeNull();
});
