import { readdirSync } from "node:fs";
import type { SectionComponents } from "./section-components.ts";

export type { SectionProps } from "./section-components.ts";

const FOLDER = `${process.cwd()}/src/site/cv/sections`;

async function loadAll(): Promise<SectionComponents> {
  const found: Record<string, SectionComponents[string]> = {};
  for (const name of readdirSync(FOLDER).filter((name) => !name.endsWith(".test.tsx"))) {
    const { Section } = await import(`./sections/${name}`);
    found[name.replace(".tsx", "")] = Section;
  }
  return found;
}

/** What Vite's glob finds, for Jest, which has none: jest.config.mjs puts this file in its place. */
export const SECTION_COMPONENTS = await loadAll();
