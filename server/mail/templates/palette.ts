/** Light and dark of src/ui/tokens.css as literals: mail clients know no custom properties. palette.test.ts compares them. */
export const PALETTE = {
  paper: ["#fbfbf9", "#15181b"],
  raised: ["#ffffff", "#1c2024"],
  sunken: ["#f1f2ef", "#0f1215"],
  ink: ["#191c1f", "#eceeec"],
  quiet: ["#494f55", "#b6bdc2"],
  line: ["#dcdfdb", "#343a40"],
  accent: ["#0b4a63", "#93cfe8"],
  "on-accent": ["#ffffff", "#0d2129"],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

export type Ink = keyof typeof PALETTE;
