import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { toPublicCsp } from "./policies.ts";

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

test("of inline scripts the template's own run, and no other", () => {
  const template = `<script>\n  a();\n</script><script type="module" src="/x.js"></script><script type="application/json">{}</script>`;
  const policy = toPublicCsp(template);
  expect(policy).toContain(`script-src 'self' ${hashOf("\n  a();\n")};`);
  expect(policy).not.toContain("unsafe");
});

test("the template of the public pages has one inline script", () => {
  const policy = toPublicCsp(readFileSync("index.html", "utf8"));
  expect(policy.match(/'sha256-/g)).toHaveLength(1);
});

test("nothing comes from elsewhere", () => {
  expect(toPublicCsp("")).toMatch(/^default-src 'self'; script-src 'self'; /);
});
