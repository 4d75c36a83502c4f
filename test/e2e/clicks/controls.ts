import type { Locator, Page } from "playwright-core";

/** Of many controls that look the same, such as those of a list's rows, so many are tried. */
const ALIKE_MAX = 1;

export const DIALOG = "dialog[open], [role=dialog], [role=alertdialog]";
const CONTROLS = "button, summary, [role=button], [role=menuitem], a[href^='#'], a[role=button]";

/** A control of a screen: its place among all, a name for people, and what it has in common with those that do the same. */
export interface Control {
  index: number;
  name: string;
  kind: string;
  /** Of the screen itself or of what it has opened, and not of the frame around all screens. */
  isInMain: boolean;
}

/** Controls that can be clicked on an open screen, one of each kind. */
export async function listControls(scope: Page | Locator): Promise<Control[]> {
  const all = await scope.locator(CONTROLS).evaluateAll((elements, dialogs) => {
    const dialog = [...document.querySelectorAll(dialogs)].findLast((one) => one.checkVisibility());
    return elements.map((element, index) => ({
      index,
      name: (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 60),
      look: `${element.tagName} ${element.className}`,
      isInMain: element.closest(`main, ${dialogs}`) !== null,
      isInItem: element.closest("main li, [role=dialog] li") !== null,
      isInRow: element.closest("[role=row], tr, [data-row-key], .record-card") !== null,
      isUsable:
        element.checkVisibility({ visibilityProperty: true }) &&
        !element.matches(":disabled, [aria-disabled=true]") &&
        element.getBoundingClientRect().width > 0 &&
        // What lies under a dialog can't be pressed.
        (!dialog || dialog.contains(element)),
    }));
  }, DIALOG);
  const counts = new Map<string, number>();
  return all.flatMap(({ index, name, look, isInMain, isInItem, isInRow, isUsable }) => {
    // Buttons that differ in their words alone differ in what they do; those of rows begin with the same one.
    // Those of an item of a list end alike too: "Move Ada up", "Move Ada down".
    const words = name.split(" ");
    const shared = isInRow ? words[0] : `${words[0]} … ${words.at(-1)}`;
    const kind = `${look} ${isInRow || isInItem ? shared : name}`;
    const count = counts.get(kind) ?? 0;
    if (!isUsable || count >= ALIKE_MAX) return [];
    counts.set(kind, count + 1);
    return [{ index, name, kind, isInMain }];
  });
}

export const toLocator = (scope: Page | Locator, { index }: Control): Locator =>
  scope.locator(CONTROLS).nth(index);

const WORDS: Readonly<Record<string, string>> = {
  email: "visitor@example.org",
  password: "Correct-Horse-2",
  url: "https://example.org",
  number: "3",
  tel: "123",
};

const FIELDS = "input:not([type=hidden]):not([type=file]), textarea";
/** A field may go when another one is filled. */
const FIELD_LIMIT_MS = 2_000;

/** Types something fitting into every empty field that is shown, and ticks what has to be ticked. */
export async function fillFields(scope: Page | Locator): Promise<void> {
  const fields = await scope.locator(FIELDS).evaluateAll((elements) =>
    elements.map((element) => {
      const { type, value, required } = element as HTMLInputElement;
      const isFree =
        element.checkVisibility({ visibilityProperty: true }) && !element.matches(":disabled, :read-only");
      return {
        type,
        required,
        isEmpty: isFree && value === "" && element.getAttribute("role") !== "combobox",
      };
    }),
  );
  for (const [index, { type, required, isEmpty }] of fields.entries()) {
    const field = scope.locator(FIELDS).nth(index);
    const options = { timeout: FIELD_LIMIT_MS };
    if (type === "checkbox" && required) await field.check(options).catch(ignoreGone);
    else if (isEmpty && !["checkbox", "radio", "range", "color"].includes(type))
      await field.fill(WORDS[type] ?? "Ada Lovelace wrote this", options).catch(ignoreGone);
  }
}

function ignoreGone(error: Error): void {
  if (error.name !== "TimeoutError") throw error;
}
