import { expect, jest, test } from "@jest/globals";
import { runHydration } from "./hydration.ts";

/** A page whose one link needs the app, which comes when `finish` is called. */
function openPage() {
  document.body.innerHTML = '<a href="#file" data-replay=""><span>Certificate</span></a>';
  const link = document.querySelector("a");
  const inside = document.querySelector("span");
  if (!link || !inside) throw new Error("The page was not drawn.");
  const open = jest.fn((event: Event) => event.preventDefault());
  let finish = () => {};
  const hydrated = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const loadApp = jest.fn(() => hydrated);
  runHydration(loadApp);
  return {
    inside,
    loadApp,
    open,
    async hydrate() {
      link.addEventListener("click", open);
      finish();
      await hydrated;
      await Promise.resolve();
    },
  };
}

test("a click before hydration is kept from the browser, and made again once afterwards", async () => {
  const { inside, loadApp, open, hydrate } = openPage();
  const click = new MouseEvent("click", { bubbles: true, cancelable: true });
  inside.dispatchEvent(click);
  inside.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  expect(click.defaultPrevented).toBe(true);
  expect(loadApp).toHaveBeenCalledTimes(1);
  await hydrate();
  expect(open).toHaveBeenCalledTimes(1);
});

test("a click that asks for a new tab is the browser's", async () => {
  const { inside, open, hydrate } = openPage();
  const click = new MouseEvent("click", { bubbles: true, cancelable: true, ctrlKey: true });
  inside.dispatchEvent(click);
  expect(click.defaultPrevented).toBe(false);
  await hydrate();
  expect(open).not.toHaveBeenCalled();
});

test("clicks after hydration reach the page", async () => {
  const { inside, open, hydrate } = openPage();
  inside.dispatchEvent(new Event("pointerdown", { bubbles: true }));
  await hydrate();
  inside.click();
  expect(open).toHaveBeenCalledTimes(1);
});

test("the document says that the app is there once it runs, not before", async () => {
  delete document.documentElement.dataset.app;
  const { inside, hydrate } = openPage();
  inside.dispatchEvent(new Event("pointerdown", { bubbles: true }));
  expect(document.documentElement.dataset.app).toBeUndefined();
  await hydrate();
  expect(document.documentElement.dataset.app).toBe("ready");
});
