import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createTestApp, type TestApp } from "#test/app.ts";
import { checkSendingDomain, type SendingDomain } from "./checks.ts";

type Findings = NonNullable<ReturnType<SendingDomain["peek"]>["report"]>["findings"];

const GOOD: Findings[number] = { check: "mx", state: "good", found: "mx.example.org", reason: "mx_good" };
const UNKNOWN: Findings[number] = { check: "tls", state: "unknown", found: null, reason: "tls_unknown" };
const MISSING: Findings[number] = {
  check: "dmarc",
  state: "warning",
  found: null,
  reason: "dmarc_none",
  publish: { name: "_dmarc.example.org", type: "TXT", value: "v=DMARC1; p=none" },
};

let known: ReturnType<SendingDomain["peek"]> = { report: undefined, isChecking: true };
let waitS: number | undefined;
const domain: SendingDomain = { domain: "example.org", peek: () => known, checkAgain: () => waitS };
const setFindings = (...findings: Findings) => {
  known = { report: { checkedAt: new Date("2026-11-20T09:00:00Z"), findings }, isChecking: false };
};

let site: TestApp;
let plain: TestApp;
beforeAll(async () => {
  [site, plain] = await Promise.all([createTestApp({ sendingDomain: domain }), createTestApp()]);
});
afterAll(() => Promise.all([site.close(), plain.close()]));

async function call(on: TestApp, method: "GET" | "POST", level = 10, lang = "en") {
  const { authorization } = await on.signInAs(
    level,
    `${method}_${level}_${lang}_${crypto.randomUUID().slice(0, 8)}`,
  );
  const url = method === "GET" ? "/api/health/" : "/api/health/sending-domain/";
  const answer = await on.app.inject({ method, url, headers: { authorization, "accept-language": lang } });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

test("before anything is known the page is there, and the site is well", async () => {
  known = { report: undefined, isChecking: true };
  const { body } = await call(site, "GET");
  expect(body.overall_status).toBe("healthy");
  expect(body.services.sending_domain).toEqual({ status: "unknown", message: "It is being looked up." });
  expect(body.sending_domain).toEqual({
    domain: "example.org",
    checked_at: null,
    is_checking: true,
    findings: [],
  });
});

test("what is missing is a warning, with its record and the reader's words", async () => {
  setFindings(GOOD, MISSING);
  const { body } = await call(site, "GET", 10, "tr");
  expect(body.overall_status).toBe("warning");
  expect(body.services.sending_domain).toEqual({
    status: "warning",
    message: "İlgilenilmesi gerekenler: DMARC.",
  });
  expect(body.sending_domain).toMatchObject({ checked_at: "2026-11-20T09:00:00.000Z", is_checking: false });
  expect(body.sending_domain.findings).toEqual([
    {
      check: "mx",
      state: "good",
      message: expect.stringContaining("Geri dönen"),
      found: "mx.example.org",
      publish: null,
    },
    {
      check: "dmarc",
      state: "warning",
      message: expect.stringContaining("DMARC kaydı yok"),
      found: null,
      publish: MISSING.publish,
    },
  ]);
});

test.each<[string, Findings, string]>([
  ["all is good", [GOOD], "healthy"],
  ["one thing can't be asked", [GOOD, UNKNOWN], "healthy"],
  ["nothing can be asked", [UNKNOWN], "unknown"],
  ["one thing is missing", [GOOD, UNKNOWN, MISSING], "warning"],
])("where %s", (_, findings, status) => {
  setFindings(...findings);
  expect(checkSendingDomain(domain).status).toBe(status);
});

test("a look-up that fails makes no site unwell", async () => {
  setFindings(UNKNOWN);
  const { body } = await call(site, "GET");
  expect(body.services.sending_domain.status).toBe("unknown");
  expect(body.overall_status).toBe("healthy");
});

test("it is looked up again on request of staff, and not too often", async () => {
  setFindings(GOOD);
  waitS = undefined;
  expect((await call(site, "POST", 5)).status).toBe(403);
  expect(await call(site, "POST")).toMatchObject({ status: 200, body: { domain: "example.org" } });
  waitS = 42;
  const { status, headers, body } = await call(site, "POST");
  expect([status, headers["retry-after"], body.code]).toEqual([429, "42", "too_many_requests"]);
});

test("a site that sends no mail says nothing of it", async () => {
  const { body } = await call(plain, "GET");
  expect(body.sending_domain).toBeNull();
  expect(body.services).not.toHaveProperty("sending_domain");
  expect((await call(plain, "POST")).status).toBe(404);
});
