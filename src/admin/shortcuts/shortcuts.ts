import type { ParseKeys } from "i18next";
import { createSafeStorage } from "#providers/browser-storage.ts";
import { toKeyName } from "./keys.tsx";

/** Keys do something else there: they write, or choose. */
const TYPED_INTO = [
  "input:not([type=checkbox], [type=radio], [type=button], [type=submit], [type=reset], [type=file], [type=color], [type=image])",
  "textarea",
  "select",
  "[contenteditable]:not([contenteditable=false])",
  "[role=combobox]",
  "[role=listbox]",
  "[role=menu]",
  "[role=textbox]",
  ".ant-select-dropdown",
  ".ant-picker-dropdown",
  ".ant-dropdown",
  ".ant-popover",
].join();

/** Over these the keys of the screen below rest. */
const MODAL = ".ant-modal-wrap:not([style*='none']), dialog[open]";
const COVERING = `${MODAL}, .ant-drawer-open`;

/** Whether single keys belong to what has the focus. */
function isTyping({ target }: Pick<Event, "target">): boolean {
  return target instanceof Element && target.closest(TYPED_INTO) !== null;
}

/** Whether something lies over the screen, so that its single keys mean nothing. */
function isCovered(): boolean {
  return document.querySelector(COVERING) !== null;
}

/** Whether a question lies over a drawer, so that keys of the drawer mean nothing. */
export function isUnderModal(): boolean {
  return document.querySelector(MODAL) !== null;
}

/** Whether a dialog of the frame (palette, sheet of shortcuts) has the keys for itself. */
function isUnderDialog(): boolean {
  return document.querySelector("dialog[open]") !== null;
}

const ENABLED_KEY = "admin-shortcuts";
const OFF = "off";

const storage = createSafeStorage();
const enabledListeners = new Set<() => void>();

/**
 * Whether shortcuts of single keys work in this browser (WCAG 2.1.4: who speaks to the computer, or hits keys by accident,
 * must be able to turn them off). Those with Ctrl or ⌘ always do.
 */
export function isShortcutsEnabled(): boolean {
  return storage.getItem(ENABLED_KEY) !== OFF;
}

export function setShortcutsEnabled(isEnabled: boolean): void {
  if (isEnabled) storage.removeItem(ENABLED_KEY);
  else storage.setItem(ENABLED_KEY, OFF);
  for (const listener of enabledListeners) listener();
}

/** Calls `listener` after each change, of other tabs too. @returns how to stop. */
export function subscribeShortcutsEnabled(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => event.key === ENABLED_KEY && listener();
  enabledListeners.add(listener);
  window.addEventListener("storage", onStorage);
  return () => {
    enabledListeners.delete(listener);
    window.removeEventListener("storage", onStorage);
  };
}

/** What a key does, as the sheet of shortcuts lists it. */
export interface Shortcut {
  /**
   * One key as `event.key` names it (`/`, `j`, `?`; letters small), `Mod+` and a key (Ctrl, on a Mac ⌘), or two keys one after
   * the other (`g d`).
   */
  keys: string;
  labelKey: ParseKeys;
  run: (event: KeyboardEvent) => void;
  /** Good over a drawer too, and listed apart from those of the screen. */
  isEverywhere?: boolean;
}

/** Every shortcut that is registered at present; the newest of the same keys is the one that runs. */
export interface Shortcuts {
  register(shortcut: Shortcut): () => void;
  /** Those that would run now, oldest first, each once. */
  list(): readonly Shortcut[];
  subscribe(listener: () => void): () => void;
  /** @returns whether a shortcut ran, or began. */
  handle(event: KeyboardEvent): boolean;
}

/** A second key counts for so long after the first. */
const SEQUENCE_MS = 1_500;
/** Held down they go on through the rows; every other shortcut runs once a press. */
const REPEATABLE: ReadonlySet<string> = new Set(["j", "k"]);

const isWithMod = ({ keys }: Shortcut) => keys.startsWith("Mod+");

/** A key that writes a character of several presses belongs to the input method. */
const isComposing = ({ isComposing: is, keyCode }: KeyboardEvent) => is || keyCode === 229;

function isGoodNow(shortcut: Shortcut, isScreenCovered: boolean): boolean {
  const isEverywhere = shortcut.isEverywhere === true;
  if (isWithMod(shortcut)) return isEverywhere || !isUnderDialog();
  return isShortcutsEnabled() && (isEverywhere || !isScreenCovered);
}

export function createShortcuts(now: () => number = Date.now): Shortcuts {
  let shortcuts: readonly Shortcut[] = [];
  let begun: { key: string; atMs: number } | undefined;
  const listeners = new Set<() => void>();
  const change = (next: readonly Shortcut[]) => {
    shortcuts = next;
    for (const listener of listeners) listener();
  };

  const list = () => {
    const isScreenCovered = isCovered();
    // Of those that are good now: a list that is drawn anew beneath a drawer takes no key away from it.
    const good = shortcuts.filter((shortcut) => isGoodNow(shortcut, isScreenCovered));
    return [...new Map(good.map((shortcut) => [shortcut.keys, shortcut])).values()];
  };
  /** The first key of two, or a shortcut, among those that are good for this event. */
  const find = (event: KeyboardEvent, key: string): Shortcut | "begins" | undefined => {
    const isWriting = isTyping(event);
    const good = list().filter((shortcut) => isWithMod(shortcut) || !isWriting);
    const isSecond = begun !== undefined && now() - begun.atMs <= SEQUENCE_MS;
    const second = isSecond && good.find(({ keys }) => keys === `${begun?.key} ${key}`);
    if (second) return second;
    const isFirst = good.some(({ keys }) => keys.startsWith(`${key} `));
    return isFirst ? "begins" : good.find(({ keys }) => keys === key);
  };

  return {
    list,
    register(shortcut) {
      change([...shortcuts, shortcut]);
      return () => change(shortcuts.filter((other) => other !== shortcut));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    handle(event) {
      if (event.defaultPrevented || isComposing(event)) return false;
      const key = toKeyName(event);
      // A modifier alone leaves what has begun as it is.
      if (key === undefined) return false;
      const found = find(event, key);
      begun = found === "begins" ? { key, atMs: now() } : undefined;
      if (!found) return false;
      event.preventDefault();
      if (found !== "begins" && (!event.repeat || REPEATABLE.has(found.keys))) found.run(event);
      return true;
    },
  };
}
