import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { type Ink, PALETTE } from "./palette.ts";

const TOKENS: Readonly<Record<Ink, string>> = {
  paper: "paper",
  raised: "paper-raised",
  sunken: "paper-sunken",
  ink: "ink",
  quiet: "ink-quiet",
  line: "line",
  accent: "accent",
  "on-accent": "on-accent",
};

test("mails have the colours of the site", () => {
  const css = readFileSync(join(process.cwd(), "src/ui/tokens.css"), "utf8");
  const read = (token: string) =>
    new RegExp(`--${token}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css)?.slice(1);
  for (const [ink, token] of Object.entries(TOKENS))
    expect([ink, PALETTE[ink as Ink]]).toEqual([ink, read(token)]);
});
