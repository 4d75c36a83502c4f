import { afterEach, expect, test } from "@jest/globals";
import { cleanup, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { type FakeServer, renderAdmin } from "../test-admin.tsx";

const FILE = "20261120T220305Z-10.eml";
const ENTRY = {
  file: FILE,
  date: "2026-11-20T22:03:05.000Z",
  to: "isil@foyer.example",
  subject: "123456 is your code",
};
const MAIL = {
  ...ENTRY,
  from: "Foyer <foyer@localhost>",
  headers: [{ name: "Auto-Submitted", value: "auto-generated" }],
  text: "The plain words",
  html: "<html><head><title>x</title></head><body><script>top.x = 1</script></body></html>",
};

const serve =
  (mails: object[]): FakeServer =>
  ({ url }) =>
    url.pathname.endsWith(".eml/") ? { body: MAIL } : { body: { mails } };

afterEach(cleanup);

test("a mail is opened from the list, shown without scripts, and as text and headers", async () => {
  const user = userEvent.setup();
  const { router } = await renderAdmin({ address: "/admin/mailbox", models: [], server: serve([ENTRY]) });
  await user.click(await screen.findByRole("link", { name: ENTRY.subject }));
  expect(router.state.location.pathname).toBe(`/admin/mailbox/${FILE}`);
  const dialog = await screen.findByRole("dialog");
  const frame = await within(dialog).findByTitle(`Mail: ${ENTRY.subject}`);
  expect(frame.getAttribute("sandbox")).toBe("allow-popups allow-popups-to-escape-sandbox");
  expect(frame.getAttribute("srcdoc")).toContain('<base target="_blank">');
  await user.click(within(dialog).getByRole("tab", { name: "Text" }));
  expect(await within(dialog).findByText("The plain words")).toBeTruthy();
  await user.click(within(dialog).getByRole("tab", { name: "Headers" }));
  expect(await within(dialog).findByText("Auto-Submitted: auto-generated")).toBeTruthy();
  await user.click(within(dialog).getByRole("button", { name: "Close" }));
  expect(router.state.location.pathname).toBe("/admin/mailbox");
});

test("the address of a mail opens it at once, and closing leads to the list", async () => {
  const user = userEvent.setup();
  const { router } = await renderAdmin({
    address: `/admin/mailbox/${FILE}`,
    models: [],
    server: serve([ENTRY]),
  });
  const dialog = await screen.findByRole("dialog");
  expect(await within(dialog).findByText("Foyer <foyer@localhost>")).toBeTruthy();
  await user.click(within(dialog).getByRole("button", { name: "Close" }));
  expect(router.state.location.pathname).toBe("/admin/mailbox");
});

test("an empty mailbox says how a mail gets there; asking again shows a new one", async () => {
  const user = userEvent.setup();
  const mails: object[] = [];
  await renderAdmin({ address: "/admin/mailbox", models: [], server: serve(mails) });
  expect(await screen.findByText("No mails yet")).toBeTruthy();
  mails.push(ENTRY);
  await user.click(screen.getByRole("button", { name: "Refresh" }));
  expect(await screen.findByRole("link", { name: ENTRY.subject })).toBeTruthy();
});

test("a refusal is shown in the server's words, and can be tried again", async () => {
  const user = userEvent.setup();
  let isOpen = false;
  await renderAdmin({
    address: "/admin/mailbox",
    models: [],
    server: (call) => (isOpen ? serve([ENTRY])(call) : { status: 403, body: { message: "Not for you" } }),
  });
  expect(await screen.findByText("Not for you")).toBeTruthy();
  isOpen = true;
  await user.click(screen.getByRole("button", { name: "Retry" }));
  expect(await screen.findByRole("link", { name: ENTRY.subject })).toBeTruthy();
});

test("an answer that is none is an error and no empty list", async () => {
  await renderAdmin({ address: "/admin/mailbox", models: [], server: () => ({ body: { letters: [] } }) });
  expect(await screen.findByText("Failed to load the mailbox")).toBeTruthy();
});
