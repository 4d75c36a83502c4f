import type { ComponentType } from "react";
import type { Cv } from "#contract/site/cv.ts";

export interface SectionProps {
  section: Cv["sections"][number];
  cv: Cv;
}

export type SectionComponents = Readonly<Record<string, ComponentType<SectionProps>>>;

/** `./sections/cover-letter.tsx` → `cover-letter`. */
function toName(path: string): string {
  return path.replace(/^.*\/|\.tsx$/g, "");
}

const MODULES = import.meta.glob<ComponentType<SectionProps>>(
  ["./sections/*.tsx", "!./sections/*.test.tsx"],
  {
    eager: true,
    import: "Section",
  },
);

/** Components of sections that aren't drawn by their fields alone, by the section's name: each file of `sections/` is one. */
export const SECTION_COMPONENTS: SectionComponents = Object.fromEntries(
  Object.entries(MODULES).map(([path, component]) => [toName(path), component]),
);
