import type { Range } from "./match.ts";

/** Order of the groups in the list. */
export const GROUPS = ["recent", "screens", "models", "actions", "records"] as const;
export type Group = (typeof GROUPS)[number];

/** Something that the palette leads to or does. */
export interface PaletteItem {
  /** The same whenever the same thing is offered. */
  id: string;
  group: Group;
  label: string;
  /** What kind of thing it is, where the label alone doesn't say it. */
  hint?: string;
  /** Other words that it is looked for by, such as its name in the other language. */
  keywords?: readonly string[];
  icon: string;
  /** Keys that do the same without the palette. */
  keys?: string;
  target: { to: string } | { run: () => void };
  /** Too many of its kind to be shown before something is typed. */
  isOnlySearched?: boolean;
}

export interface ShownItem extends PaletteItem {
  ranges: readonly Range[];
}
