import { readFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import { COLOURS } from "./preview-style.ts";

test("previews have the light colours of the design tokens", async () => {
  const css = await readFile(new URL("../../../src/ui/tokens.css", import.meta.url), "utf8");
  const getLight = (token: string) => new RegExp(`--${token}: light-dark\\((#\\w{6}),`).exec(css)?.[1];
  expect(COLOURS).toEqual({
    paper: getLight("paper"),
    ink: getLight("ink"),
    inkQuiet: getLight("ink-quiet"),
    line: getLight("line"),
    accent: getLight("accent"),
  });
});
