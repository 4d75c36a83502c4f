import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Locator } from "playwright-core";

/** Milliseconds between the clicks of a hand that is impatient, shaky or used to double clicks. */
export const RHYTHMS: Readonly<Record<string, readonly number[]>> = {
  double: [0],
  triple: [0, 0],
  "60 ms": [60],
  "100 ms": [100],
  "160 ms": [160],
};

/** A page that a click has left never says that it took the next one. */
const TAKEN_LIMIT_MS = 10_000;

/**
 * Clicks at the middle of a control, again after each pause, whatever stands there by then. Nothing is waited for between the
 * clicks: as from a real mouse, they queue while the page is busy.
 */
export async function press(cdp: CDPSession, control: Locator, pauses: readonly number[]): Promise<void> {
  await control.scrollIntoViewIfNeeded();
  const box = await control.boundingBox();
  if (!box) throw new Error("a control without a place on the page");
  const place = { x: box.x + box.width / 2, y: box.y + box.height / 2, button: "left" as const };
  const sent = [cdp.send("Input.dispatchMouseEvent", { ...place, type: "mouseMoved", button: "none" })];
  for (const [index, pause] of [0, ...pauses].entries()) {
    if (pause > 0) await sleep(pause);
    const click = { ...place, clickCount: index + 1 };
    sent.push(
      cdp.send("Input.dispatchMouseEvent", { ...click, type: "mousePressed" }),
      cdp.send("Input.dispatchMouseEvent", { ...click, type: "mouseReleased" }),
    );
  }
  await Promise.race([Promise.all(sent), sleep(TAKEN_LIMIT_MS, undefined, { ref: false })]);
}
