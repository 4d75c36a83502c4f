import { setTimeout as sleep } from "node:timers/promises";
import type { Locator, Page } from "playwright-core";
import { DIALOG, fillFields } from "./controls.ts";
import type { Fault } from "./faults.ts";
import { press, RHYTHMS } from "./press.ts";
import type { Act } from "./stage.ts";

const SUBMIT = "button[type=submit], .ant-btn-primary, .ant-btn-dangerous";
const CLOSER = "[aria-label=Close], .ant-drawer-close, .ant-modal-close";
/** How long a dialog may take to come or go on a slow machine; what hangs is a trap. */
const PATIENCE_MS = 60_000;
const LOOK_EVERY_MS = 50;

type Finding = Pick<Fault, "kind" | "text">;

const findDialogs = (page: Page): Locator => page.locator(DIALOG).filter({ visible: true });

/** What an open page was like before a press. A form over a list is a dialog too, over which others open. */
interface Before {
  url: string;
  dialogs: number;
}

/** Whether so many dialogs are open, now or soon. */
async function becomes(page: Page, isWanted: (dialogs: number) => boolean): Promise<boolean> {
  const end = Date.now() + PATIENCE_MS;
  while (!isWanted(await findDialogs(page).count())) {
    if (Date.now() > end) return false;
    await sleep(LOOK_EVERY_MS);
  }
  return true;
}

/** @yields what was sent twice. */
async function* pressInRhythm(
  { cdp, traffic }: Act,
  control: Locator,
  pauses: readonly number[],
): AsyncGenerator<Finding> {
  traffic.forget();
  await press(cdp, control, pauses);
  await traffic.settle();
  const doubled = traffic.findDoubled(pauses.length + 1);
  if (doubled) yield { kind: "doubled", text: doubled.slice(0, 200) };
}

/** Escape closes, and the address is what it was. */
async function* leaveDialog({ page, traffic }: Act, before: Before): AsyncGenerator<Finding> {
  await page.keyboard.press("Escape");
  if (!(await becomes(page, (dialogs) => dialogs <= before.dialogs))) {
    yield { kind: "trap", text: "Escape doesn't close what it opened" };
    return;
  }
  await traffic.settle();
  if (page.url() !== before.url) yield { kind: "trap", text: `after Escape the address is ${page.url()}` };
}

async function* opensAgain(act: Act, control: Locator, before: Before): AsyncGenerator<Finding, boolean> {
  yield* pressInRhythm(act, control, []);
  const isOpen = await becomes(act.page, (dialogs) => dialogs > before.dialogs);
  if (!isOpen) yield { kind: "trap", text: "opens nothing the second time" };
  return isOpen;
}

/** As often as its button is pressed, a dialog closes once. */
async function* closeDialog(
  act: Act,
  closer: Locator,
  pauses: readonly number[],
  before: Before,
): AsyncGenerator<Finding> {
  yield* pressInRhythm(act, closer, pauses);
  const url = act.page.url();
  if (url !== before.url) yield { kind: "trap", text: `after its button for closing the address is ${url}` };
  else if (!(await becomes(act.page, (dialogs) => dialogs <= before.dialogs)))
    yield { kind: "trap", text: "its button for closing doesn't close it" };
}

/** Fills what is asked and presses what saves. */
async function* tryDialog(act: Act, pauses: readonly number[]): AsyncGenerator<Finding> {
  const dialog = findDialogs(act.page).last();
  await fillFields(dialog);
  const submit = dialog.locator(SUBMIT).filter({ visible: true }).last();
  if ((await submit.count()) === 0 || !(await submit.isEnabled())) return;
  yield* pressInRhythm(act, submit, pauses);
}

async function* tryOpened(
  act: Act,
  control: Locator,
  pauses: readonly number[],
  before: Before,
): AsyncGenerator<Finding> {
  // Where the first press took the control away, the next one fell on what stood there then.
  const isStillThere = await control.isVisible();
  yield* leaveDialog(act, before);
  if (!isStillThere || !(yield* opensAgain(act, control, before))) return;
  const closer = findDialogs(act.page).last().locator(CLOSER).filter({ visible: true }).first();
  if ((await closer.count()) > 0) {
    yield* closeDialog(act, closer, pauses, before);
    if (act.page.url() !== before.url || !(yield* opensAgain(act, control, before))) return;
  }
  yield* tryDialog(act, pauses);
}

/** Nothing is open: then nothing may be opened by one click either, or the second click has closed it. */
async function* tryOnce(act: Act, control: Locator, before: Before): AsyncGenerator<Finding> {
  if (!(await control.isVisible()) || !(await control.isEnabled())) return;
  yield* pressInRhythm(act, control, []);
  if ((await findDialogs(act.page).count()) > before.dialogs)
    yield { kind: "trap", text: "what one click opens, this one leaves closed" };
}

/** Presses one control of an open page. @yields what is wrong. */
export async function* tryControl(act: Act, control: Locator, rhythm: string): AsyncGenerator<Finding> {
  const { page, traffic } = act;
  const pauses = RHYTHMS[rhythm] ?? [];
  const before = { url: page.url(), dialogs: await findDialogs(page).count() };
  yield* pressInRhythm(act, control, pauses);
  const hasWritten = traffic.hasWritten();
  const dialogs = await findDialogs(page).count();
  if (dialogs > before.dialogs) yield* tryOpened(act, control, pauses, before);
  else if (dialogs === before.dialogs && page.url() === before.url && !hasWritten)
    yield* tryOnce(act, control, before);
}
