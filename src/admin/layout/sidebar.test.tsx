import { afterEach, expect, test } from "@jest/globals";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { fillInBrowser, renderAdmin } from "../test-admin.tsx";

afterEach(cleanup);

/** The console in a narrow window, its sidebar open over the list of models. */
async function openNarrow() {
  fillInBrowser();
  const { matchMedia } = window;
  window.matchMedia = (query) =>
    query.includes("min-width") ? Object.assign(matchMedia(query), { matches: false }) : matchMedia(query);
  await renderAdmin({ address: "/admin/models?search=x", models: [], server: () => ({ status: 404 }) });
  const toggle = screen.getByRole("button", { expanded: false, name: /sidebar/i });
  await userEvent.click(toggle);
  return { toggle, overlay: () => screen.queryByRole("button", { name: /close.*sidebar/i }) };
}

test("choosing the screen that one is on closes it too", async () => {
  const { overlay } = await openNarrow();
  expect(overlay()).toBeTruthy();
  const sidebar = screen.getByRole("navigation", { name: "Sections" });
  await userEvent.click(within(sidebar).getByRole("link", { name: "Models" }));
  await waitFor(() => expect(overlay()).toBeNull());
});

test("it takes the focus, and Escape closes it and gives the focus back", async () => {
  const { overlay, toggle } = await openNarrow();
  expect(document.activeElement?.textContent).toBe("Dashboard");
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(overlay()).toBeNull());
  expect(document.activeElement).toBe(toggle);
});
