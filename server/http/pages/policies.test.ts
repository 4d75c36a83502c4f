import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createTestApp, type TestApp } from "#test/app.ts";
import { toAdminCsp, toPublicCsp } from "./policies.ts";

describe("policies", () => {
  const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

  test("of inline scripts the template's own run, and no other", () => {
    const template = `<script>\n  a();\n</script><script type="module" src="/x.js"></script><script type="application/json">{}</script>`;
    const policy = toPublicCsp(template, []);
    expect(policy).toContain(`script-src 'self' ${hashOf("\n  a();\n")};`);
    expect(policy).not.toContain("unsafe");
  });

  test("of inline styles those apply that the page was given, and no other", () => {
    const policy = toPublicCsp("<style>p{}</style>", ["a{}", "b{}"]);
    expect(policy).toContain(`style-src 'self' ${hashOf("a{}")} ${hashOf("b{}")};`);
  });

  test("the template of the public pages has one inline script", () => {
    const policy = toPublicCsp(readFileSync("index.html", "utf8"), []);
    expect(policy.match(/'sha256-/g)).toHaveLength(1);
  });

  test("nothing comes from elsewhere", () => {
    expect(toPublicCsp("", [])).toMatch(/^default-src 'self'; script-src 'self'; style-src 'self'; /);
  });
});

describe("trusted types", () => {
  test("public pages take HTML through the one policy of the browser's code, the console does without", () => {
    const name = /createPolicy\("(\w+)"/.exec(readFileSync("src/ui/trusted-types.ts", "utf8"))?.[1];
    expect(toPublicCsp("", [])).toContain(`; require-trusted-types-for 'script'; trusted-types ${name};`);
    expect(toAdminCsp("n")).not.toContain("trusted-types");
  });
});

describe("permissions policy", () => {
  let site: TestApp;
  beforeAll(async () => {
    site = await createTestApp();
  });
  afterAll(() => site.close());

  const VOICE = [
    ...["autoplay", "camera", "clipboard-write", "microphone"],
    ...["publickey-credentials-get", "screen-wake-lock", "speaker-selection"],
  ];

  const ADMIN = ["clipboard-write", "publickey-credentials-get"];
  const ACCOUNT = ["clipboard-write", "publickey-credentials-create", "publickey-credentials-get"];

  /** What a document may use, and what it may not. */
  async function readPolicy(url: string, headers: Record<string, string> = {}) {
    const answer = await site.app.inject({ url, headers });
    const rules = String(answer.headers["permissions-policy"]).split(", ");
    const withValue = (value: string) =>
      rules.filter((rule) => rule.endsWith(`=${value}`)).map((rule) => rule.slice(0, -value.length - 1));
    return {
      status: answer.statusCode,
      answer,
      allowed: withValue("(self)"),
      denied: withValue("()"),
      rules,
    };
  }

  test.each<[string, number, string[]]>([
    ["/cv", 200, ["clipboard-write"]],
    ["/tr/dev", 200, ["clipboard-write"]],
    ["/en/login", 200, ACCOUNT],
    ["/profile", 200, ACCOUNT],
    ["/nowhere", 404, ["clipboard-write"]],
    ["/api/mail/unsubscribe/unknown/", 404, []],
    ["/rooms", 200, VOICE],
    ["/tr/rooms/abc", 200, VOICE],
    ["/en/room/abc", 200, VOICE],
    ["/admin", 200, ADMIN],
    ["/admin/models/5", 200, ADMIN],
    ["/api/docs/", 200, []],
  ])("%s (%i) may use %j and nothing else", async (url, status, expected) => {
    const page = await readPolicy(url);
    expect(page.status).toBe(status);
    expect(page.answer.headers["content-type"]).toMatch("text/html");
    expect(page.allowed).toEqual(expected);
    expect(page.denied.length).toBe(page.rules.length - expected.length);
    expect(page.denied).toEqual(expect.arrayContaining(["display-capture", "geolocation", "payment", "usb"]));
  });

  test("a page that is answered with 304 says it too", async () => {
    const { answer } = await readPolicy("/rooms");
    const again = await readPolicy("/rooms", { "if-none-match": String(answer.headers.etag) });
    expect(again.status).toBe(304);
    expect(again.allowed).toEqual(VOICE);
  });

  test("what is no document has none", async () => {
    const answer = await site.app.inject({ url: "/api/health/live" });
    expect(answer.headers).not.toHaveProperty("permissions-policy");
  });
});
