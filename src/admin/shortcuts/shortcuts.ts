import type { ParseKeys } from "i18next";
import { isCovered, isTyping, isUnderDialog } from "./is-held-back.ts";
import { toKeyName } from "./keys.tsx";
import { isShortcutsEnabled } from "./shortcuts-enabled.ts";

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
