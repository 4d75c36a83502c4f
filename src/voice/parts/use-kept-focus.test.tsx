import { expect, test } from "@jest/globals";
import { act, render, screen, waitFor } from "@testing-library/react";
import { useRef, useState } from "react";
import { setUpDrawnUser } from "#test/drawn-user.ts";
import { useKeptFocus } from "./use-kept-focus.ts";

function Page() {
  const ref = useRef<HTMLDivElement>(null);
  useKeptFocus(ref);
  const [isShown, setIsShown] = useState(true);
  const [isBusy, setIsBusy] = useState(false);
  return (
    <div ref={ref}>
      <h1>Room</h1>
      {isShown && (
        <button type="button" onClick={() => setIsShown(false)}>
          Dismiss
        </button>
      )}
      <section>
        <h2>People</h2>
        {isShown && (
          <button type="button" onClick={() => setIsShown(false)}>
            Retry
          </button>
        )}
        <button type="button" disabled={isBusy} onClick={() => setIsBusy(true)}>
          Join
        </button>
      </section>
      <button type="button" onFocus={() => undefined} onClick={() => setIsBusy(false)} tabIndex={-1}>
        Fail
      </button>
    </div>
  );
}

const open = () => {
  render(<Page />);
  return setUpDrawnUser();
};

test.each([
  ["Retry", "People"],
  ["Dismiss", "Room"],
])("the focus of %s, which vanishes, goes to the heading %s", async (name, heading) => {
  const user = open();
  screen.getByRole("button", { name }).focus();
  await user.keyboard("{Enter}");
  expect(screen.queryByRole("button", { name })).toBeNull();
  await waitFor(() => expect(document.activeElement?.textContent).toBe(heading));
});

test("a button that is disabled for a while has the focus again", async () => {
  const user = open();
  const join = screen.getByRole<HTMLButtonElement>("button", { name: "Join" });
  join.focus();
  await user.keyboard("{Enter}");
  expect(join.disabled).toBe(true);
  // Browsers take the focus from what is disabled.
  join.blur();
  await act(async () => screen.getByRole("button", { name: "Fail" }).click());
  await waitFor(() => expect(document.activeElement).toBe(join));
});

test("who has pressed on nothing since stays there", async () => {
  const user = open();
  screen.getByRole("button", { name: "Retry" }).focus();
  await user.click(screen.getByRole("heading", { name: "Room" }));
  expect(document.activeElement).toBe(document.body);
  await act(async () => screen.getByRole("button", { name: "Retry" }).click());
  await Promise.resolve();
  expect(document.activeElement).toBe(document.body);
});
