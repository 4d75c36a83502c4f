import type { TFunction } from "i18next";
import type { Screen } from "../layout/use-screens.ts";
import { findGoToKeys } from "../shortcuts/go-to-keys.ts";
import type { PaletteItem } from "./palette-item.ts";

/** The sidebar's screens. `tOther` says their names in the other language, by which they are found too. */
export function toScreenItems(screens: readonly Screen[], t: TFunction, tOther: TFunction): PaletteItem[] {
  return screens.map(({ name, to, labelKey, icon }) => {
    const keys = findGoToKeys(name);
    return {
      id: `screen:${name}`,
      group: "screens",
      label: t(labelKey),
      keywords: [tOther(labelKey)],
      icon,
      ...(keys && { keys }),
      target: { to },
    };
  });
}
