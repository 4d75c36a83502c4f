import { describe, expect, test } from "@jest/globals";
import { createSigningKeys } from "./sns.ts";
import { createTestCertificate } from "./test-certificate.ts";
import { CERTIFICATE_ADDRESS, createCertificateHost, getOwnCertificate, NOW } from "./test-sns.ts";

const addressOf = (number: number) =>
  CERTIFICATE_ADDRESS.replace(/[0-9a-f]{32}/, String(number).padStart(32, "0"));

/** Keys over a host whose answer can be changed, and a clock that can be moved. */
function createKeys(
  answer: (address: string) => Response | Promise<Response> = () => new Response(getOwnCertificate().pem),
) {
  const site = { answer, now: NOW.getTime() };
  const { fetch, requests } = createCertificateHost((address) => site.answer(address));
  const keys = createSigningKeys(fetch, () => new Date(site.now));
  return { site, requests, get: (address = CERTIFICATE_ADDRESS, ip = "192.0.2.1") => keys.get(address, ip) };
}

const REFUSED = { name: "ReportRefusedError", status: 403 };
const UNAVAILABLE = { name: "AppError", code: "unavailable" };

test("the request follows no redirect and gives up in time", async () => {
  const { get, requests } = createKeys();
  await get();
  expect(requests).toMatchObject([{ address: CERTIFICATE_ADDRESS, options: { redirect: "error" } }]);
  expect(requests[0]?.options?.signal).toBeInstanceOf(AbortSignal);
});

describe("what is no certificate of SNS is refused:", () => {
  const { privateKey } = getOwnCertificate();
  test.each([
    ["another name", createTestCertificate({ dnsName: "sns.amazonaws.com.evil.example" }).pem],
    ["a name above", createTestCertificate({ dnsName: "*.amazonaws.com" }).pem],
    ["the name in the subject alone", createTestCertificate({ dnsName: undefined }).pem],
    ["it is over", createTestCertificate({ from: "2025-01-01", until: "2026-11-20" }).pem],
    ["it hasn't begun", createTestCertificate({ from: "2026-11-21" }).pem],
    ["its key is no RSA key", createTestCertificate({ type: "ec" }).pem],
    ["a key without a certificate", String(privateKey.export({ type: "pkcs8", format: "pem" }))],
    ["an error page", "<html>"],
    ["nothing", ""],
  ])("%s", async (_what, body) => {
    await expect(createKeys(() => new Response(body)).get()).rejects.toMatchObject(REFUSED);
  });

  test.each([201, 302, 403, 404])("an answer with status %d", async (status) => {
    const { get } = createKeys(() => new Response(getOwnCertificate().pem, { status }));
    await expect(get()).rejects.toMatchObject(REFUSED);
  });

  test("an answer without an end, which is not read on", async () => {
    let isCancelled = false;
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(4096)),
      cancel: () => {
        isCancelled = true;
      },
    });
    await expect(createKeys(() => new Response(endless)).get()).rejects.toMatchObject(REFUSED);
    expect(isCancelled).toBe(true);
  });
});

test.each([429, 500, 503])("an answer with status %d is no reason to give the report up", async (status) => {
  await expect(createKeys(() => new Response("", { status })).get()).rejects.toMatchObject(UNAVAILABLE);
});

test("a host that can't be reached is asked again ten seconds later", async () => {
  const { site, get, requests } = createKeys(() => Promise.reject(new TypeError("fetch failed")));
  await expect(get()).rejects.toMatchObject(UNAVAILABLE);
  site.answer = () => new Response(getOwnCertificate().pem);
  site.now += 9_999;
  await expect(get()).rejects.toMatchObject(UNAVAILABLE);
  expect(requests).toHaveLength(1);
  site.now += 1;
  expect((await get()).asymmetricKeyType).toBe("rsa");
});

test("a connection that breaks within the certificate is no reason to give the report up", async () => {
  const broken = () => new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) });
  await expect(createKeys(() => new Response(broken())).get()).rejects.toMatchObject(UNAVAILABLE);
});

test("a refusal is known for a minute", async () => {
  const { site, get, requests } = createKeys(() => new Response("", { status: 404 }));
  await expect(get()).rejects.toMatchObject(REFUSED);
  site.now += 59_999;
  await expect(get()).rejects.toMatchObject(REFUSED);
  expect(requests).toHaveLength(1);
  site.now += 1;
  await expect(get()).rejects.toMatchObject(REFUSED);
  expect(requests).toHaveLength(2);
});

test("those who need one certificate at once share one request, also when it fails", async () => {
  const { get, requests } = createKeys(() => new Response("", { status: 404 }));
  const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => get()));
  expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
  expect(requests).toHaveLength(1);
});

test("a key is known for a day, and not beyond its certificate's end", async () => {
  const { site, get, requests } = createKeys();
  const dayMs = 24 * 60 * 60 * 1000;
  await get();
  site.now += dayMs - 1;
  await get();
  expect(requests).toHaveLength(1);
  site.now += 1;
  await get();
  expect(requests).toHaveLength(2);

  site.now = Date.parse("2026-12-31T23:00:00Z");
  await get();
  site.now = Date.parse("2027-01-01T00:00:00Z");
  await expect(get()).rejects.toMatchObject(REFUSED);
  expect(requests).toHaveLength(4);
});

test("eight keys are known; made-up addresses push none of them out", async () => {
  const { site, get, requests } = createKeys();
  for (let number = 1; number <= 8; number += 1) await get(addressOf(number));
  site.answer = () => new Response("", { status: 404 });
  for (let number = 100; number < 300; number += 1) {
    site.now += 12_000;
    await expect(get(addressOf(number))).rejects.toMatchObject(REFUSED);
  }
  const before = requests.length;
  for (let number = 1; number <= 8; number += 1) await get(addressOf(number));
  expect(requests).toHaveLength(before);
});

describe("names that nobody has proven cost few requests:", () => {
  const SENDERS = ["192.0.2.1", "192.0.2.2", "192.0.2.3", "2001:db8::1", "2001:db8:0:1::1", "198.51.100.1"];

  /** A host that has one certificate alone, and a hundred made-up names asked of it by each sender. */
  function flood(senders: readonly string[]) {
    const host = createKeys((address) =>
      address === CERTIFICATE_ADDRESS
        ? new Response(getOwnCertificate().pem)
        : new Response("", { status: 404 }),
    );
    const forge = () =>
      Promise.allSettled(
        senders.flatMap((ip, sender) =>
          Array.from({ length: 100 }, (_, index) => host.get(addressOf(1 + sender * 100 + index), ip)),
        ),
      );
    return { ...host, forge };
  }

  test("five a minute by one sender, and then it is asked to come again", async () => {
    const { forge, requests } = flood(["192.0.2.1"]);
    const outcomes = await forge();
    expect(requests).toHaveLength(5);
    const last = outcomes.at(-1);
    expect(last?.status === "rejected" && last.reason).toMatchObject({ ...UNAVAILABLE, retryAfterS: 60 });
  });

  test("an IPv6 household is one sender", async () => {
    const { forge, requests } = flood(["2001:db8::1", "2001:db8::2:1"]);
    await forge();
    expect(requests).toHaveLength(5);
  });

  test("twenty a minute by all senders together", async () => {
    const { forge, requests, site } = flood(SENDERS);
    await forge();
    expect(requests).toHaveLength(20);
    site.now += 60_000;
    await forge();
    expect(requests).toHaveLength(40);
  });

  test("another sender's real certificate is got while one sender makes names up", async () => {
    const { forge, get } = flood(["192.0.2.1"]);
    await forge();
    await expect(get(CERTIFICATE_ADDRESS, "192.0.2.1")).rejects.toMatchObject(UNAVAILABLE);
    await expect(get(CERTIFICATE_ADDRESS, "192.0.2.9")).resolves.toBeDefined();
    await expect(get(CERTIFICATE_ADDRESS, "192.0.2.1")).resolves.toBeDefined();
  });

  test("what was proven once is never counted, not even when it has to be got anew", async () => {
    const { forge, get, site } = flood(SENDERS);
    await get(CERTIFICATE_ADDRESS, "192.0.2.1");
    site.now += 24 * 60 * 60 * 1000;
    await forge();
    await expect(get(CERTIFICATE_ADDRESS, "192.0.2.1")).resolves.toBeDefined();
  });

  test("a real certificate takes nobody's place", async () => {
    const host = createKeys();
    for (let number = 1; number <= 100; number++) await host.get(addressOf(number));
    expect(host.requests).toHaveLength(100);
  });
});
