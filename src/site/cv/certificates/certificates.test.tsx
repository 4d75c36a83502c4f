import { describe, expect, jest, test } from "@jest/globals";
import { act, createEvent, fireEvent, screen, waitFor, within } from "@testing-library/react";
import type { Cv } from "#contract/site/cv.ts";
import { EMPTY_CV } from "#test/empty-cv.ts";
import { Section } from "../sections/certificate.tsx";
import { makeCertificates, show } from "../test-page.tsx";
import { readSwipe } from "./swipe.ts";

const SECTION: Cv["sections"][number] = {
  name: "certificate",
  heading: "Certificates",
  list: "certificates",
  person: null,
  fields: null,
  items: [],
};

describe("certificates", () => {
  const ALL = makeCertificates("png", "jpg", "svg");

  function open(entries?: string[], certificates: Cv["certificates"] = ALL) {
    const page = show(<Section section={SECTION} cv={{ ...EMPTY_CV, certificates }} />, entries);
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

    test.each(["ctrlKey", "metaKey", "shiftKey", "altKey"])(
      "leaves a click with %s to the browser",
      (key) => {
        const { getCard } = open();
        const click = createEvent.click(getCard(1), { [key]: true, cancelable: true });
        // jsdom would try to load the file.
        window.addEventListener("click", (event) => event.preventDefault(), { once: true });
        fireEvent(getCard(1), click);
        expect(getDialog()).toBeNull();
      },
    );

    test("opens its dialog once, also by two clicks before anything is drawn", () => {
      const { getCard, button, getAddress } = open();
      act(() => {
        getCard(2).click();
        getCard(2).click();
      });
      expect(getTitle()).toBe("Certificate 2");
      fireEvent.click(button("Close"));
      expect([getDialog(), getAddress()]).toEqual([null, "/cv"]);
      fireEvent.click(getCard(2));
      expect(getTitle()).toBe("Certificate 2");
    });

    test("that is clicked right after another one is the one that opens, and closes at once", () => {
      const { getCard, button, getAddress } = open();
      act(() => {
        getCard(1).click();
        getCard(3).click();
      });
      expect(getTitle()).toBe("Certificate 3");
      fireEvent.click(button("Close"));
      expect([getDialog(), getAddress()]).toEqual([null, "/cv"]);
    });

    test("that is clicked while the address opens another one leaves none open behind it", () => {
      const { getCard, button, getAddress } = open(["/cv#certificate-1"]);
      act(() => getCard(2).click());
      expect(getTitle()).toBe("Certificate 2");
      fireEvent.click(button("Close"));
      expect([getDialog(), getAddress()]).toEqual([null, "/cv"]);
    });

    test("keeps the second half of a double click from what it opened, and from what stands under the dialog", () => {
      const { getCard, button } = open();
      fireEvent.click(getCard(1), { detail: 1 });
      const next = button("Next certificate");
      fireEvent.click(next, { detail: 2 });
      expect(getTitle()).toBe("Certificate 1");
      fireEvent.click(next, { detail: 1 });
      fireEvent.click(next, { detail: 2 });
      expect(getTitle()).toBe("Certificate 3");
      fireEvent.click(button("Close"), { detail: 1 });
      fireEvent.click(getCard(2), { detail: 2 });
      expect(getDialog()).toBeNull();
      fireEvent.click(getCard(2), { detail: 1 });
      expect(getTitle()).toBe("Certificate 2");
    });
  });

  describe("a certificate without a file", () => {
    const [first, , third] = ALL;
    const linked = { ...first, id: 8, file: null, thumbnails: [], url: "https://example.com/a" };
    const bare = { ...first, id: 9, label: "Bare", file: null, thumbnails: [], url: null };
    const certificates = [first, linked, bare, third].flatMap((c) => c ?? []) as typeof ALL;

    test("is a card with a drawing, which leads to its page on the web or to itself", () => {
      const { getCard } = open(["/cv"], certificates);
      expect(getCard(8).getAttribute("href")).toBe("https://example.com/a");
      expect(getCard(9).getAttribute("href")).toBe("#certificate-9");
      for (const id of [8, 9]) expect(getCard(id).querySelector("svg")).not.toBeNull();
    });

    test("opens in the dialog, says that there is no file, and links to its page if it has one", () => {
      const { getCard, button } = open(["/cv"], certificates);
      fireEvent.click(getCard(1));
      fireEvent.click(button("Next certificate"));
      expect(screen.getByText("There is no file of this certificate here.")).toBeTruthy();
      expect(screen.getByRole("link", { name: /^Open its web page/ }).getAttribute("href")).toBe(
        "https://example.com/a",
      );
      fireEvent.click(button("Next certificate"));
      expect([getTitle(), within(screen.getByRole("dialog")).queryByRole("link")]).toEqual(["Bare", null]);
      fireEvent.click(button("Close"));
      expect(document.activeElement).toBe(getCard(9));
    });
  });

  test("a certificate with a file and a page on the web opens both", () => {
    const [first] = ALL;
    const certificates = [{ ...first, url: "https://example.com/a" }] as typeof ALL;
    open(["/cv#certificate-1"], certificates);
    const dialog = within(screen.getByRole("dialog"));
    const toAddress = (name: RegExp) => dialog.getByRole("link", { name }).getAttribute("href");
    expect(toAddress(/^Open in a new tab/)).toBe(first?.file);
    expect(toAddress(/^Open its web page/)).toBe("https://example.com/a");
  });

  describe("the link to a certificate", () => {
    const getField = () => screen.queryByRole<HTMLInputElement>("textbox");
    const getStatus = () => screen.getAllByRole("status").map(({ textContent }) => textContent);

    test("is copied, announced, and forgotten when another certificate is shown", async () => {
      const { user, button } = open(["/cv?from=mail#certificate-2"]);
      await user.click(button("Copy link"));
      expect(await navigator.clipboard.readText()).toBe("http://localhost/cv#certificate-2");
      expect(getStatus()).toContain("Link copied");
      await user.keyboard("{ArrowRight}");
      expect(getStatus()).not.toContain("Link copied");
      await user.click(button("Copy link"));
      expect(await navigator.clipboard.readText()).toBe("http://localhost/cv#certificate-3");
    });

    test("stands there, selected, where the browser doesn't copy; arrow keys move in it alone", async () => {
      const { user, button } = open(["/cv#certificate-2"]);
      jest.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new DOMException("", "NotAllowedError"));
      await user.click(button("Copy link"));
      const field = getField();
      expect(field?.value).toBe("http://localhost/cv#certificate-2");
      expect(document.activeElement).toBe(field);
      expect([field?.selectionStart, field?.selectionEnd]).toEqual([0, field?.value.length]);
      expect(screen.getByLabelText(/^The browser did not let the page copy/)).toBe(field);
      await user.keyboard("{ArrowRight}");
      expect(getTitle()).toBe("Certificate 2");
      fireEvent.click(button("Next certificate"));
      expect(getField()).toBeNull();
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

    test("counts a press that comes right after a drawing, before its effects", async () => {
      open(["/cv#certificate-1"], makeCertificates("png", "jpg", "svg", "png", "jpg", "svg", "png"));
      const heading = within(screen.getByRole("dialog")).getByRole("heading");
      const press = () =>
        void document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
      const presser = new MutationObserver(press);
      presser.observe(heading, { characterData: true, subtree: true, childList: true });
      // While `waitFor` waits, React does its work as in a browser; `act` would run the effects at once.
      setTimeout(press);
      await waitFor(() => expect(heading.textContent).toBe("Certificate 7"));
      presser.disconnect();
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

    test("closes by Escape, which the browser reports as cancel", () => {
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
});

describe("swipe", () => {
  const from = { clientX: 100, clientY: 100 };

  test.each([
    ["40 px to the left", -40, 0, null],
    ["41 px to the left", -41, 0, "next"],
    ["40 px to the right", 40, 0, null],
    ["41 px to the right", 41, 0, "previous"],
    ["a slanted way, more across than down", -80, 79, "next"],
    ["a slanted way, more down than across", -80, 81, null],
    ["exactly diagonal", 80, 80, null],
    ["straight down", 0, 300, null],
    ["a tap", 0, 0, null],
  ])("%s", (_way, across, down, direction) => {
    const to = { clientX: from.clientX + across, clientY: from.clientY + down };
    expect(readSwipe(from, to)).toBe(direction);
  });
});
