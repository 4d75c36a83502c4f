import { expect, test } from "@jest/globals";
import { toFindingText } from "#server/health/finding.ts";
import type { DomainCheck, DomainFinding, DomainResolver } from "./lookup.ts";
import { createSendingDomainCheck, type SendingDomainDeps } from "./sending-domain.ts";

const HOUR_MS = 60 * 60 * 1000;
const KEY = "v=DKIM1; k=rsa; p=MIIBIjANBgkqhkiG9w0BAQ";

interface Zone {
  txt?: Record<string, string[]>;
  mx?: Record<string, string[]>;
  addresses?: Record<string, string[]>;
  names?: Record<string, string[]>;
}

const GOOD: Required<Zone> = {
  txt: {
    "example.org": ["google-site-verification=x", "v=spf1 include:mailgun.org ~all"],
    "mailgun.org": ["v=spf1 ip4:192.0.2.0/24 -all"],
    "s1._domainkey.example.org": [KEY],
    "_dmarc.example.org": ["v=DMARC1; p=quarantine; rua=mailto:dmarc@example.org"],
  },
  mx: { "example.org": ["mx.example.org"] },
  addresses: {},
  names: {},
};

const toFault = (code: string) => Object.assign(new Error(code), { code });

/** Answers from a zone as Node does: what isn't there is an error. Records in parts of 10 characters. */
function createResolver(zone: Zone) {
  const asked: string[] = [];
  const answer = <Value>(
    kind: keyof Zone,
    name: string,
    convert: (text: string) => Value,
  ): Promise<Value[]> => {
    asked.push(`${kind} ${name}`);
    const texts = zone[kind]?.[name];
    return texts ? Promise.resolve(texts.map(convert)) : Promise.reject(toFault("ENOTFOUND"));
  };
  const family = (name: string, isSix: boolean) =>
    answer("addresses", name, String).then((all) => all.filter((address) => address.includes(":") === isSix));
  const resolver: DomainResolver = {
    resolveTxt: (name) => answer("txt", name, (text) => text.match(/.{1,10}/g) ?? [""]),
    resolve4: (name) => family(name, false),
    resolve6: (name) => family(name, true),
    resolveMx: (name) =>
      answer("mx", name, (exchange) => ({ exchange, priority: zone.mx?.[name]?.indexOf(exchange) ?? 0 })),
    reverse: (address) => answer("names", address, String),
  };
  return { resolver, asked };
}

function createCheck(zone: Zone, deps: Partial<SendingDomainDeps> = {}) {
  const { resolver, asked } = createResolver(zone);
  const errors: unknown[] = [];
  const clock = { ms: 0 };
  const domain = createSendingDomainCheck({
    domain: "example.org",
    bounceDomain: "example.org",
    selector: "s1",
    smtp: { host: "smtp.mailgun.org", port: 465, isSecure: true },
    resolver,
    offersStartTls: () => Promise.reject(new Error("not to be asked")),
    now: () => new Date(clock.ms),
    onError: (error) => errors.push(error),
    ...deps,
  });
  const check = async () => (await domain.check()).findings;
  return { ...domain, check, asked, errors, clock };
}

async function find(check: DomainCheck, zone: Zone, deps?: Partial<SendingDomainDeps>) {
  const findings = await createCheck(zone, deps).check();
  const found = findings.filter((finding) => finding.check === check);
  expect(found.length).toBeLessThan(2);
  return found[0];
}

const withTxt = (txt: Record<string, string[]>): Zone => ({ ...GOOD, txt: { ...GOOD.txt, ...txt } });
const withSpf = (...records: string[]) => withTxt({ "example.org": records });

test("a domain with all records is good, and nothing is to be published", async () => {
  const { check, errors } = createCheck(GOOD);
  const findings = await check();
  expect(findings.map(({ check: name, state, reason }) => [name, state, reason])).toEqual([
    ["spf", "good", "spf_good"],
    ["dkim", "good", "dkim_good"],
    ["dmarc", "good", "dmarc_good"],
    ["mx", "good", "mx_good"],
    ["tls", "good", "tls_always"],
  ]);
  expect(findings.some(({ publish }) => publish)).toBe(false);
  expect(errors).toEqual([]);
});

test("an empty domain has warnings, with the records to paste", async () => {
  const findings = await createCheck({}).check();
  expect(findings.map(({ reason }) => reason)).toEqual([
    "spf_none",
    "dkim_none",
    "dmarc_none",
    "mx_none",
    "tls_always",
  ]);
  expect(findings.map(({ publish }) => publish).filter(Boolean)).toEqual([
    { name: "example.org", type: "TXT", value: "v=spf1 include:mailgun.org ~all" },
    { name: "_dmarc.example.org", type: "TXT", value: "v=DMARC1; p=none; rua=mailto:postmaster@example.org" },
  ]);
});

test.each([
  [{ host: "smtp.relay.example", port: 465, isSecure: true }, "v=spf1 mx a:smtp.relay.example ~all"],
  [{ host: "localhost", port: 25, isSecure: false }, "v=spf1 a mx ~all"],
  [
    { host: "email-smtp.eu-west-1.amazonaws.com", port: 465, isSecure: true },
    "v=spf1 include:amazonses.com ~all",
  ],
])("a first SPF record for mail through %j", async (smtp, value) => {
  expect((await find("spf", {}, { smtp }))?.publish?.value).toBe(value);
});

test("SPF is looked up at the return path's domain, DMARC and DKIM at the sender's", async () => {
  const { check, asked } = createCheck(GOOD, { bounceDomain: "bounces.example.org" });
  await check();
  expect(asked).toEqual(
    expect.arrayContaining([
      "txt bounces.example.org",
      "mx bounces.example.org",
      "txt s1._domainkey.example.org",
      "txt _dmarc.example.org",
    ]),
  );
  expect(asked).not.toContain("txt example.org");
});

test.each<[string, string[], string, string | undefined]>([
  [
    "of another relay",
    ["v=spf1 ip4:192.0.2.1 -all"],
    "spf_relay",
    "v=spf1 ip4:192.0.2.1 include:mailgun.org -all",
  ],
  [
    "that lets everybody send",
    ["v=spf1 include:mailgun.org +all"],
    "spf_open",
    "v=spf1 include:mailgun.org ~all",
  ],
  [
    "that lets everybody send, without a sign",
    ["v=spf1 include:mailgun.org all"],
    "spf_open",
    "v=spf1 include:mailgun.org ~all",
  ],
  ["without an end", ["v=spf1 include:mailgun.org"], "spf_open", "v=spf1 include:mailgun.org ~all"],
  [
    "beside another",
    ["v=spf1 a ~all", "v=spf1 a include:mailgun.org -all"],
    "spf_several",
    "v=spf1 a include:mailgun.org -all",
  ],
  [
    "that includes nothing",
    ["v=spf1 include:gone.example include:mailgun.org ~all"],
    "spf_broken",
    undefined,
  ],
  ["of another version", ["v=spf10 include:mailgun.org ~all"], "spf_none", "v=spf1 include:mailgun.org ~all"],
])("an SPF record %s is a warning", async (_, records, reason, value) => {
  const finding = await find("spf", withSpf(...records));
  expect(finding).toMatchObject({ state: "warning", reason });
  expect(finding?.publish?.value).toBe(value);
});

test.each([
  ["in capitals", { "example.org": ["V=SPF1 Include:MAILGUN.org -ALL"] }],
  [
    "by a redirect, which gives it its end",
    {
      "example.org": ["v=spf1 redirect=spf.example.org"],
      "spf.example.org": ["v=spf1 include:mailgun.org -all"],
    },
  ],
  [
    "by an include of an include",
    {
      "example.org": ["v=spf1 include:spf.example.org ~all"],
      "spf.example.org": ["v=spf1 include:mailgun.org ?all"],
    },
  ],
  [
    "with what depends on the mail",
    { "example.org": ["v=spf1 include:%{i}.spf.example include:mailgun.org ~all"] },
  ],
])("an SPF record %s is good", async (_, txt) => {
  expect(await find("spf", withTxt(txt))).toMatchObject({ state: "good", reason: "spf_good" });
});

test("ten look-ups are good, those of includes counted, eleven are too many", async () => {
  const ten =
    "v=spf1 a mx a:b.example a/24 mx:c.example ptr exists:d.example include:e.example include:mailgun.org ip4:1.2.3.4 ~all";
  const inner = { "e.example": ["v=spf1 a -all"] };
  expect(await find("spf", withTxt({ "example.org": [ten], ...inner }))).toMatchObject({
    state: "good",
    vars: { lookups: 10 },
  });
  const eleven = withTxt({ "example.org": [ten.replace(" a ", " a a:f.example ")], ...inner });
  expect(await find("spf", eleven)).toMatchObject({ state: "warning", reason: "spf_lookups" });
});

test("includes in a circle end", async () => {
  const { check, asked } = createCheck(withSpf("v=spf1 include:example.org include:example.org ~all"));
  expect((await check())[0]).toMatchObject({ reason: "spf_lookups" });
  expect(asked.filter((name) => name === "txt example.org")).toHaveLength(11);
});

test.each<[string, Partial<SendingDomainDeps>, string[] | undefined, DomainFinding["state"], string]>([
  ["without a selector", { selector: undefined }, undefined, "unknown", "dkim_selector"],
  ["without a version", {}, ["k=rsa; p=MIIB"], "good", "dkim_good"],
  ["that was withdrawn", {}, ["v=DKIM1; p="], "warning", "dkim_withdrawn"],
  ["that is something else", {}, ["hello"], "warning", "dkim_none"],
])("a DKIM key %s", async (_, deps, records, state, reason) => {
  const zone = records ? withTxt({ "s1._domainkey.example.org": records }) : GOOD;
  expect(await find("dkim", zone, deps)).toMatchObject({ state, reason });
});

test.each<[string, Record<string, string[]>, DomainFinding["state"], string, string | undefined]>([
  [
    "of the domain above",
    { "_dmarc.example.org": ["v=DMARC1;p=reject;rua=mailto:a@b.example"] },
    "good",
    "dmarc_good",
    undefined,
  ],
  [
    "without reports",
    { "_dmarc.mail.example.org": ["v=DMARC1; p=none;"] },
    "good",
    "dmarc_no_reports",
    "v=DMARC1; p=none; rua=mailto:postmaster@mail.example.org",
  ],
  [
    "without a policy",
    { "_dmarc.mail.example.org": ["v=DMARC1; rua=mailto:a@b.example"] },
    "warning",
    "dmarc_broken",
    "v=DMARC1; p=none; rua=mailto:postmaster@mail.example.org",
  ],
  [
    "beside another",
    { "_dmarc.mail.example.org": ["v=DMARC1; p=none", "v=DMARC1; p=reject"] },
    "warning",
    "dmarc_broken",
    "v=DMARC1; p=none; rua=mailto:postmaster@mail.example.org",
  ],
])("a DMARC record %s", async (_, txt, state, reason, value) => {
  const finding = await find("dmarc", { txt }, { domain: "mail.example.org" });
  expect(finding).toMatchObject({ state, reason });
  expect(finding?.publish?.value).toBe(value);
});

test("no DMARC record of a top-level domain is asked for", async () => {
  const { check, asked } = createCheck({}, { domain: "a.b.c.d.e.example.org" });
  await check();
  expect(asked.filter((name) => name.startsWith("txt _dmarc"))).toEqual([
    "txt _dmarc.a.b.c.d.e.example.org",
    "txt _dmarc.d.e.example.org",
    "txt _dmarc.e.example.org",
    "txt _dmarc.example.org",
  ]);
  const short = createCheck({});
  await short.check();
  expect(short.asked).not.toContain("txt _dmarc.org");
});

test.each<[string, Zone, DomainFinding["state"], string]>([
  ["by the domain's own address", { addresses: { "example.org": ["192.0.2.7"] } }, "good", "mx_address"],
  [
    "that the domain refuses",
    { mx: { "example.org": [""] }, addresses: { "example.org": ["192.0.2.7"] } },
    "warning",
    "mx_none",
  ],
])("returned mail %s", async (_, zone, state, reason) => {
  expect(await find("mx", zone)).toMatchObject({ state, reason });
});

const OWN = { smtp: { host: "mail.example.org", port: 465, isSecure: true } };

test("a server of one's own is what an MX record may name", async () => {
  expect((await find("mx", {}, OWN))?.publish).toEqual({
    name: "example.org",
    type: "MX",
    value: "10 mail.example.org.",
  });
});

const V4 = "192.0.2.7";
const V6 = "2001:db8::7";

test.each<[string, Zone, DomainFinding["state"], string]>([
  [
    "good where each address has a name that leads back",
    {
      addresses: { "mail.example.org": [V4, V6], "host7.hosting.example": [V6] },
      names: { [V4]: ["mail.example.org"], [V6]: ["host7.hosting.example"] },
    },
    "good",
    "ptr_good",
  ],
  [
    "a warning where one address has none",
    { addresses: { "mail.example.org": [V4, V6] }, names: { [V4]: ["mail.example.org"] } },
    "warning",
    "ptr_none",
  ],
  [
    "a warning where the name leads elsewhere",
    { addresses: { "mail.example.org": [V4], "x.example": ["192.0.2.8"] }, names: { [V4]: ["x.example"] } },
    "warning",
    "ptr_elsewhere",
  ],
  ["a warning where the host has no address", {}, "warning", "ptr_no_address"],
])("the reverse record of a server of one's own is %s", async (_, zone, state, reason) => {
  expect(await find("ptr", zone, OWN)).toMatchObject({ state, reason });
});

test("a relay's reverse record isn't ours to judge, and this machine's can't be seen", async () => {
  expect(await find("ptr", GOOD)).toBeUndefined();
  expect(await find("ptr", GOOD, { smtp: { host: "127.0.0.1", port: 25, isSecure: false } })).toMatchObject({
    state: "unknown",
    reason: "ptr_unseen",
  });
});

test.each([
  [true, "good", "tls_offered"],
  [false, "warning", "tls_none"],
] as const)("a server that offers STARTTLS: %s", async (isOffered, state, reason) => {
  const asked: unknown[] = [];
  const offersStartTls = async (...server: unknown[]) => {
    asked.push(server);
    return isOffered;
  };
  const smtp = { host: "smtp.mailgun.org", port: 587, isSecure: false };
  expect(await find("tls", GOOD, { smtp, offersStartTls })).toMatchObject({ state, reason });
  expect(asked).toEqual([["smtp.mailgun.org", 587]]);
});

test("what is handed over on this machine needs no encryption", async () => {
  expect(await find("tls", GOOD, { smtp: { host: "localhost", port: 25, isSecure: false } })).toMatchObject({
    state: "good",
    reason: "tls_local",
  });
});

test("a name server that fails, and one that never answers, leave a check unknown and the others as they are", async () => {
  const { resolver } = createResolver(GOOD);
  const { check, errors } = createCheck(GOOD, {
    smtp: { host: "smtp.mailgun.org", port: 587, isSecure: false },
    lookupTimeoutMs: 1,
    resolver: {
      ...resolver,
      resolveMx: () => Promise.reject(toFault("ESERVFAIL")),
      resolveTxt: (name) => (name === "mailgun.org" ? new Promise(() => {}) : resolver.resolveTxt(name)),
    },
  });
  expect((await check()).map(({ reason }) => reason)).toEqual([
    "spf_unknown",
    "dkim_good",
    "dmarc_good",
    "mx_unknown",
    "tls_unknown",
  ]);
  expect(errors).toHaveLength(3);
});

test("what is good is looked up again after six hours", async () => {
  const { check, asked, clock } = createCheck(GOOD);
  const first = await check();
  const count = asked.length;
  clock.ms = 6 * HOUR_MS - 1;
  expect(await check()).toBe(first);
  expect(asked).toHaveLength(count);
  clock.ms = 6 * HOUR_MS;
  await check();
  expect(asked).toHaveLength(2 * count);
});

test("that the selector isn't set makes no look-up more frequent", async () => {
  const { check, asked, clock } = createCheck(GOOD, { selector: undefined });
  await check();
  const count = asked.length;
  clock.ms = 6 * HOUR_MS - 1;
  await check();
  expect(asked).toHaveLength(count);
});

test("what is missing is looked up again after an hour", async () => {
  const { check, asked, clock } = createCheck({ ...GOOD, mx: {} });
  await check();
  const count = asked.length;
  clock.ms = HOUR_MS - 1;
  await check();
  expect(asked).toHaveLength(count);
  clock.ms = HOUR_MS;
  await check();
  expect(asked).toHaveLength(2 * count);
});

test("calls at one time share the look-ups", async () => {
  const { check, asked } = createCheck(GOOD);
  const [first, second] = await Promise.all([check(), check()]);
  expect(second).toBe(first);
  expect(asked.filter((name) => name === "txt example.org")).toHaveLength(1);
});

test("who only looks never waits, and finds what was looked up behind", async () => {
  const { peek, check, asked, clock } = createCheck(GOOD);
  expect(peek()).toEqual({ report: undefined, isChecking: true });
  const findings = await check();
  expect(peek()).toEqual({ report: { checkedAt: new Date(0), findings }, isChecking: false });
  const count = asked.length;
  clock.ms = 6 * HOUR_MS;
  // What is old is still shown while it is looked up again.
  expect(peek()).toEqual({ report: { checkedAt: new Date(0), findings }, isChecking: true });
  await check();
  expect(peek().report?.checkedAt).toEqual(new Date(6 * HOUR_MS));
  expect(asked).toHaveLength(2 * count);
});

test("it can be looked up again after a minute, not before", async () => {
  const { checkAgain, peek, check, asked, clock } = createCheck(GOOD);
  expect(checkAgain()).toBeUndefined();
  // The one that runs is everybody's.
  expect(checkAgain()).toBeUndefined();
  await check();
  const count = asked.length;
  clock.ms = 15_500;
  expect(checkAgain()).toBe(45);
  expect(peek().isChecking).toBe(false);
  clock.ms = 60_000;
  expect(checkAgain()).toBeUndefined();
  expect(peek().isChecking).toBe(true);
  await check();
  expect(asked.length).toBeGreaterThan(count);
});

test("each reason has a text in both languages, without a gap", async () => {
  const zones: [Zone, Partial<SendingDomainDeps>][] = [
    [GOOD, {}],
    [{}, OWN],
    [{}, { selector: undefined }],
    [withSpf("v=spf1 ~all"), {}],
  ];
  for (const [zone, deps] of zones)
    for (const { reason, vars = {} } of await createCheck(zone, deps).check())
      for (const lang of ["en", "tr"] as const) {
        const text = toFindingText({ reason, vars }, lang);
        expect(text).toMatch(/\.$/);
        for (const value of Object.values(vars)) expect(text).toContain(String(value));
      }
});
