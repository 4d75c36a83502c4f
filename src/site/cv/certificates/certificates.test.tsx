import { describe, expect, test } from "@jest/globals";
import { act, createEvent, fireEvent, screen, within } from "@testing-library/react";
import { makeCertificates, show } from "../test-page.tsx";
import { Certificates } from "./certificates.tsx";

const ALL = makeCertificates("png", "jpg", "svg");

function open(entries?: string[], certificates: Parameters<typeof Certificates>[0]["certificates"] = ALL) {
  const page = show(<Certificates certificates={certificates} />, entries);
  const getCard = (id: number) => {
    const card = document.getElementById(`certificate-${id}`);
    if (!card) throw new Error(`no card ${id}`);
    return card;
  };
  return { ...page, getCard, button: (name: string) => screen.getByRole("button", { name }) };
}

const getDialog = () => screen.queryByRole("dialog");
const getTitle = () => within(screen.getByRole("dialog")).getByRole("heading").textContent;
const isDisabled = (button: HTMLElement) => button.getAttribute("aria-disabled") === "true";

describe("a card", () => {
  test.each<[string, (card: HTMLElement) => void]>([
    ["a click", (card) => void fireEvent.click(card)],
    ["a click made by a script", (card) => act(() => card.click())],
    ["Space", (card) => void fireEvent.keyDown(card, { key: " " })],
  ])("opens by %s, and the link isn't followed", (_how, press) => {
    const { getCard, getAddress } = open();
    press(getCard(2));
    expect(getTitle()).toBe("Certificate 2");
    expect(within(screen.getByRole("dialog")).getByText(/Academy/).textContent).toBe("Academy · Nov 2024");
    expect(getAddress()).toBe("/cv#certificate-2");
  });

  test("opens by Enter as links do", async () => {
    const { user, getCard } = open();
    getCard(3).focus();
    await user.keyboard("{Enter}");
    expect(getTitle()).toBe("Certificate 3");
  });

  test.each(["ctrlKey", "metaKey", "shiftKey", "altKey"])("leaves a click with %s to the browser", (key) => {
    const { getCard } = open();
    const click = createEvent.click(getCard(1), { [key]: true, cancelable: true });
    // jsdom would try to load the file.
    window.addEventListener("click", (event) => event.preventDefault(), { once: true });
    fireEvent(getCard(1), click);
    expect(getDialog()).toBeNull();
  });

  test("without a file is a plain link or text, and never in the dialog", () => {
    const [first, , third] = ALL;
    const linked = { ...first, id: 8, file: null, thumbnails: [], url: "https://example.com/a" };
    const bare = { ...first, id: 9, file: null, thumbnails: [], url: null };
    const { getCard, button } = open(
      ["/cv#certificate-8"],
      [first, linked, bare, third].flatMap((c) => c ?? []) as typeof ALL,
    );
    expect(getDialog()).toBeNull();
    expect(getCard(8).getAttribute("href")).toBe("https://example.com/a");
    expect(getCard(9).tagName).toBe("DIV");
    fireEvent.click(getCard(1));
    fireEvent.click(button("Next certificate"));
    expect(getTitle()).toBe("Certificate 3");
  });
});

describe("the dialog", () => {
  test("moves by its arrows, which end at the ends", () => {
    const { getCard, button, getAddress } = open();
    fireEvent.click(getCard(1));
    const [previous, next] = [button("Previous certificate"), button("Next certificate")];
    expect([isDisabled(previous), isDisabled(next)]).toEqual([true, false]);
    fireEvent.click(next);
    expect([isDisabled(previous), isDisabled(next)]).toEqual([false, false]);
    fireEvent.click(next);
    fireEvent.click(next);
    expect([getTitle(), isDisabled(next)]).toEqual(["Certificate 3", true]);
    fireEvent.click(previous);
    expect([getTitle(), getAddress()]).toEqual(["Certificate 2", "/cv#certificate-2"]);
    expect(screen.getByText("2 of 3")).toBeTruthy();
  });

  test("moves by the arrow keys, wherever the focus is, and not with a modifier", () => {
    open(["/cv#certificate-2"]);
    fireEvent.keyDown(document.body, { key: "ArrowLeft" });
    fireEvent.keyDown(document.body, { key: "ArrowLeft" });
    expect(getTitle()).toBe("Certificate 1");
    fireEvent.keyDown(document.body, { key: "ArrowRight", altKey: true });
    expect(getTitle()).toBe("Certificate 1");
    fireEvent.keyDown(document.body, { key: "ArrowRight" });
    expect(getTitle()).toBe("Certificate 2");
  });

  test("counts every press of a key, also those that come before the last one is drawn", () => {
    open(["/cv#certificate-1"]);
    act(() => {
      for (let press = 0; press < 2; press += 1)
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    });
    expect(getTitle()).toBe("Certificate 3");
  });

  function swipe(...[from, to]: [number, number][]) {
    const stage = screen.getByRole("img", { name: /^Certificate:/ });
    const toTouch = ([clientX, clientY] = [0, 0]) => ({ clientX, clientY });
    fireEvent.touchStart(stage, { touches: [toTouch(from)] });
    fireEvent.touchEnd(stage, { touches: [], changedTouches: [toTouch(to)] });
  }

  test("moves by a finger's swipe of more than 40 px", () => {
    open(["/cv#certificate-2"]);
    swipe([200, 100], [160, 100]);
    expect(getTitle()).toBe("Certificate 2");
    swipe([200, 100], [159, 100]);
    expect(getTitle()).toBe("Certificate 3");
    swipe([100, 100], [141, 100]);
    expect(getTitle()).toBe("Certificate 2");
  });

  test("is not moved by two fingers that enlarge the page", () => {
    open(["/cv#certificate-2"]);
    const stage = screen.getByRole("img", { name: /^Certificate:/ });
    fireEvent.touchStart(stage, { touches: [{ clientX: 200, clientY: 100 }] });
    fireEvent.touchStart(stage, {
      touches: [
        { clientX: 200, clientY: 100 },
        { clientX: 100, clientY: 100 },
      ],
    });
    fireEvent.touchEnd(stage, { touches: [], changedTouches: [{ clientX: 20, clientY: 100 }] });
    expect(getTitle()).toBe("Certificate 2");
  });

  test("closes by its button and gives the focus to the card that was shown last", () => {
    const { getCard, button, getAddress } = open();
    fireEvent.click(getCard(1));
    fireEvent.click(button("Next certificate"));
    fireEvent.click(button("Close"));
    expect(getDialog()).toBeNull();
    expect(document.activeElement).toBe(getCard(2));
    expect(getAddress()).toBe("/cv");
  });

  test("closes by a click beside it, not by one inside nor one that began inside", () => {
    open(["/cv#certificate-1"]);
    const dialog = screen.getByRole("dialog");
    const heading = within(dialog).getByRole("heading");
    fireEvent.click(heading);
    fireEvent.pointerDown(heading);
    fireEvent.click(dialog);
    expect(getDialog()).not.toBeNull();
    fireEvent.pointerDown(dialog);
    fireEvent.click(dialog);
    expect(getDialog()).toBeNull();
  });

  test("closes by Escape, which the browser tells as cancel", () => {
    const { getAddress } = open(["/cv?a=1#certificate-1"]);
    fireEvent(screen.getByRole("dialog"), new Event("cancel", { cancelable: true }));
    expect(getDialog()).toBeNull();
    expect(getAddress()).toBe("/cv?a=1");
  });

  test("opened by its address closes without leaving the page", () => {
    const { button, getAddress } = open(["/contact", "/cv#certificate-3"]);
    fireEvent.click(button("Close"));
    expect(getAddress()).toBe("/cv");
  });

  test("isn't opened by an address of a certificate that isn't there", () => {
    open(["/cv#certificate-99"]);
    expect(getDialog()).toBeNull();
  });
});
