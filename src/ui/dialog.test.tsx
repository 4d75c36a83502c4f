import "#test/browser-globals.ts";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { closeByPressBeside, Dialog, Modal } from "./dialog.tsx";

let wasInPage: boolean[];

beforeEach(() => {
  wasInPage = [];
  // jsdom has dialogs that don't open.
  HTMLDialogElement.prototype.showModal = function show() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
    wasInPage.push(this.isConnected);
  };
});
afterEach(cleanup);

test("closes before it leaves the page, so that the browser can give the focus back", () => {
  const { rerender } = render(<Dialog title="Leave?">Text</Dialog>);
  expect(screen.getByRole<HTMLDialogElement>("dialog", { name: "Leave?" }).open).toBe(true);
  rerender(<p>Gone</p>);
  expect(wasInPage).toEqual([true]);
});

test("stays open by Escape until who draws it takes it away, and what lies below receives no Escape", () => {
  const received: string[] = [];
  const note = ({ key }: KeyboardEvent) => received.push(key);
  let asked = 0;
  document.addEventListener("keydown", note);
  render(
    <Dialog title="Leave?" onCancel={() => asked++}>
      Text
    </Dialog>,
  );
  const dialog = screen.getByRole("dialog");
  for (const key of ["Escape", "a"]) fireEvent.keyDown(dialog, { key });
  expect(fireEvent(dialog, new Event("cancel", { cancelable: true }))).toBe(false);
  document.removeEventListener("keydown", note);
  expect([received, asked]).toEqual([["a"], 1]);
});

test("what is closed by the browser alone is taken away, or opens again where it must stay", () => {
  let asked = 0;
  const { rerender } = render(
    <Dialog title="Leave?" onCancel={() => asked++}>
      Text
    </Dialog>,
  );
  const dialog = screen.getByRole<HTMLDialogElement>("dialog");
  // Of a close before it was opened again, as in React's development mode.
  fireEvent(dialog, new Event("close"));
  expect(asked).toBe(0);
  dialog.open = false;
  fireEvent(dialog, new Event("close"));
  expect([asked, dialog.open]).toEqual([1, false]);
  rerender(<Dialog title="Leave?">Text</Dialog>);
  fireEvent(dialog, new Event("close"));
  expect([asked, dialog.open]).toEqual([1, true]);
});

test("a press beside it closes it and leaves the focus, one inside does neither", () => {
  let asked = 0;
  const close = () => asked++;
  render(
    <Modal aria-labelledby="title" onCancel={close} {...closeByPressBeside(close)}>
      <h2 id="title">Keys</h2>
    </Modal>,
  );
  expect(fireEvent.mouseDown(screen.getByRole("heading"))).toBe(true);
  expect(asked).toBe(0);
  expect(fireEvent.mouseDown(screen.getByRole("dialog"), { detail: 1 })).toBe(false);
  expect(asked).toBe(1);
});
