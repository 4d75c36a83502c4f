import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { type Toast, ToastRegion } from "./toast.tsx";

const onClose = jest.fn();
beforeEach(() => {
  jest.useFakeTimers();
  onClose.mockReset();
});
afterEach(() => {
  jest.useRealTimers();
});

const ERROR: Toast = { kind: "error", text: "Failed" };
const region = (toast: Toast | null) => <ToastRegion toast={toast} closeLabel="Close" onClose={onClose} />;
const pass = (ms: number) => act(() => jest.advanceTimersByTime(ms));

test("both live regions stand before there is anything to say", () => {
  render(region(null));
  expect(screen.getByRole("status").textContent).toBe("");
  expect(screen.getByRole("alert").textContent).toBe("");
});

test.each([
  ["success", "status"],
  ["error", "alert"],
] as const)("a toast of %s is announced as %s", (kind, role) => {
  render(region({ kind, text: "Told" }));
  expect(screen.getByRole(role).textContent).toContain("Told");
});

test("it closes after five seconds", () => {
  render(region(ERROR));
  pass(4999);
  expect(onClose).not.toHaveBeenCalled();
  pass(1);
  expect(onClose).toHaveBeenCalledTimes(1);
});

test.each([
  ["anywhere on it", () => screen.getByText("Failed")],
  ["on its button", () => screen.getByRole("button", { name: "Close" })],
])("it closes on a click %s", (_where, find) => {
  render(region(ERROR));
  fireEvent.click(find());
  expect(onClose).toHaveBeenCalledTimes(1);
});

describe("it stays", () => {
  test("while the pointer is over it, and five seconds after", () => {
    render(region(ERROR));
    pass(4000);
    fireEvent.mouseEnter(screen.getByText("Failed"));
    pass(60_000);
    expect(onClose).not.toHaveBeenCalled();
    fireEvent.mouseLeave(screen.getByText("Failed"));
    pass(4999);
    expect(onClose).not.toHaveBeenCalled();
    pass(1);
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  test("while it has the focus, also when the pointer leaves", () => {
    render(region(ERROR));
    act(() => screen.getByRole("button").focus());
    fireEvent.mouseEnter(screen.getByText("Failed"));
    fireEvent.mouseLeave(screen.getByText("Failed"));
    pass(60_000);
    expect(onClose).not.toHaveBeenCalled();
    act(() => screen.getByRole("button").blur());
    pass(5000);
    expect(onClose).toHaveBeenCalledTimes(1);
  });
});

test("closed by keyboard, it gives the focus back to where it came from", () => {
  render(
    <>
      <input aria-label="Name" />
      {region(ERROR)}
    </>,
  );
  const field = screen.getByLabelText("Name");
  field.focus();
  act(() => screen.getByRole("button").focus());
  fireEvent.click(screen.getByRole("button"));
  expect(document.activeElement).toBe(field);
});

test("the next toast has its own five seconds", () => {
  const { rerender } = render(region(ERROR));
  pass(4000);
  rerender(region({ kind: "success", text: "Done" }));
  pass(4000);
  expect(onClose).not.toHaveBeenCalled();
  pass(1000);
  expect(onClose).toHaveBeenCalledTimes(1);
});
