import { beforeAll, expect, jest, test } from "@jest/globals";
import { fireEvent, render, screen } from "@testing-library/react";
import { setUpDrawnUser } from "#test/drawn-user.ts";
import { Menu, MenuItem } from "./menu.tsx";

beforeAll(() => {
  // jsdom scrolls nothing.
  Element.prototype.scrollIntoView = () => undefined;
});

function openMenu(run = () => undefined) {
  render(
    <Menu label="More">
      <label htmlFor="volume">Volume</label>
      <input id="volume" type="range" />
      <MenuItem onChoose={run}>Report</MenuItem>
    </Menu>,
  );
  return { user: setUpDrawnUser(), menu: screen.getByRole<HTMLDetailsElement>("group") };
}

test("a press beside a control, or on a button that takes no focus, leaves the menu open", async () => {
  const { user, menu } = openMenu();
  await user.click(screen.getByLabelText("More"));
  await user.click(screen.getByText("Volume"));
  expect(menu.open).toBe(true);
  // As in browsers whose buttons take no focus by a press: it goes to what is around them.
  screen.getByRole("slider").focus();
  fireEvent.blur(screen.getByRole("slider"), { relatedTarget: menu.querySelector(".menu-items") });
  expect(menu.open).toBe(true);
  await user.click(document.body);
  expect(menu.open).toBe(false);
});

test("an item closes the menu, gives its button the focus and runs", async () => {
  const run = jest.fn(() => undefined);
  const { user, menu } = openMenu(run);
  await user.click(screen.getByLabelText("More"));
  await user.click(screen.getByText("Report"));
  expect([menu.open, document.activeElement, run.mock.calls.length]).toEqual([
    false,
    screen.getByLabelText("More"),
    1,
  ]);
});

test.each([
  [-38, "46px"],
  [120, ""],
])("a menu that would begin at %i px is moved by %j", async (left, moved) => {
  const { user, menu } = openMenu();
  const items = menu.querySelector<HTMLElement>(".menu-items");
  if (!items) throw new Error("there are no items");
  items.getBoundingClientRect = () => new DOMRect(left, 0, 200, 100);
  await user.click(screen.getByLabelText("More"));
  fireEvent(menu, new Event("toggle"));
  expect(items.style.translate).toBe(moved);
});
