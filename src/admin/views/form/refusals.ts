import { createContext } from "react";
import type { InputErrors, InputPath } from "../kinds/field-errors.ts";
import { isSameInput } from "./same-input.ts";

/**
 * What the server said of values that it refused. Inputs are checked again when they are left, and rules of the browser know
 * nothing of the server's: the message stands for as long as the input holds the refused value.
 */
export interface Refusals {
  note: (refused: readonly InputErrors[], read: (path: InputPath) => unknown) => void;
  /** What the server says of this value; undefined where it has not refused it. */
  find: (path: InputPath, value: unknown) => string | undefined;
  /** Before a save: the same value may be sent again, as what stood against it can be gone. */
  clear: () => void;
}

export function createRefusals(): Refusals {
  const refused = new Map<string, { value: unknown; message: string }>();
  const toKey = (path: InputPath) => path.join(".");
  return {
    note(entries, read) {
      for (const { name, errors } of entries)
        refused.set(toKey(name), { value: read(name), message: errors.join(" ") });
    },
    find(path, value) {
      const entry = refused.get(toKey(path));
      return entry && isSameInput(entry.value, value) ? entry.message : undefined;
    },
    clear: () => refused.clear(),
  };
}

/** Of the form around an input; a form without one forgets what the server said when the input is left. */
export const RefusalsContext = createContext<Refusals | null>(null);
