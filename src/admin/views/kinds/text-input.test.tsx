import { afterEach, expect, test } from "@jest/globals";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { TextInput } from "./text-input.tsx";
import { PendingTextContext } from "./typed-form.tsx";

afterEach(cleanup);

/** An input whose owner spells points as commas, and draws that only when `draw` is called. */
function renderSlowOwner() {
  const reports: string[] = [];
  const owner = () => (
    <PendingTextContext value={{ hold: () => {}, release: () => {} }}>
      <TextInput
        value={(reports.at(-1) ?? "").replaceAll(".", ",")}
        onChange={(text) => reports.push(text)}
      />
    </PendingTextContext>
  );
  const { rerender } = render(owner());
  const input = screen.getByRole<HTMLInputElement>("textbox");
  return {
    input,
    reports,
    type: (text: string) => fireEvent.change(input, { target: { value: text } }),
    report: () => fireEvent.blur(input),
    draw: () => rerender(owner()),
  };
}

test("another spelling of what was typed is shown", () => {
  const { input, type, report, draw } = renderSlowOwner();
  type("9.");
  report();
  draw();
  expect(input.value).toBe("9,");
});

test("the caret stays in the middle of a number whose separator is spelt anew", () => {
  const { input, type, report, draw } = renderSlowOwner();
  input.focus();
  type("1.234");
  input.setSelectionRange(2, 2);
  report();
  draw();
  expect([input.value, input.selectionStart, input.selectionEnd]).toEqual(["1,234", 2, 2]);
});

test("a key that comes between a report and its drawing is not lost", () => {
  const { input, reports, type, report, draw } = renderSlowOwner();
  type("9.");
  report();
  type("9.7");
  draw();
  expect(input.value).toBe("9.7");
  report();
  draw();
  expect([input.value, reports]).toEqual(["9,7", ["9.", "9.7"]]);
});
