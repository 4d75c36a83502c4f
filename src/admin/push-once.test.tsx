import { describe, expect, test } from "@jest/globals";
import { act, fireEvent, screen } from "@testing-library/react";
import { openList, WAIT } from "./views/list/test-list.ts";

/** What another person's slow machine does: the clicks come before the first one's screen is drawn. */
function clickTwice(element: HTMLElement): void {
  act(() => {
    element.click();
    element.click();
  });
}

const close = () => fireEvent.keyDown(screen.getByRole("dialog"), { key: "Escape", keyCode: 27 });

describe("two clicks before the first one's screen is drawn", () => {
  test("open one form, which closes at once", async () => {
    const { router, ready } = await openList();
    await ready();
    const add = await screen.findByRole("button", { name: "Create New" });
    fireEvent.click(add);
    await screen.findByRole("dialog", {}, WAIT);
    close();
    await ready();
    expect(router.state.location.pathname).toBe("/admin/models/7");

    clickTwice(add);
    await screen.findByRole("dialog", {}, WAIT);
    await act(async () => void close());
    expect(router.state.location.pathname).toBe("/admin/models/7");
  });

  test("follow a link once", async () => {
    const { router, ready } = await openList();
    const link = await ready();
    fireEvent.click(link);
    await screen.findByRole("dialog", {}, WAIT);
    close();

    clickTwice(await ready());
    await screen.findByRole("dialog", {}, WAIT);
    await act(async () => void close());
    expect(router.state.location.pathname).toBe("/admin/models/7");
  });

  test("close a form and go no further back", async () => {
    const { router, ready } = await openList();
    await act(() => router.navigate("/admin/models/7?page_size=50"));
    fireEvent.click(await ready());
    await screen.findByRole("dialog", {}, WAIT);
    const [x] = await screen.findAllByRole("button", { name: "Close" });
    if (x) clickTwice(x);
    await ready();
    expect(router.state.location).toMatchObject({ pathname: "/admin/models/7", search: "?page_size=50" });
  });
});
