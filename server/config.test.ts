import { expect, test } from "@jest/globals";
import { ConfigError, parseConfig } from "./config.ts";

const SECRET = "0123456789abcdef0123456789abcdef";

test("an empty environment gives the documented defaults", () => {
  expect(parseConfig({}, "/srv/foyer")).toMatchObject({
    port: 3000,
    host: "127.0.0.1",
    dataDir: "/srv/foyer/data",
    logLevel: "info",
    trustProxy: false,
    publicUrl: undefined,
    databaseUrl: undefined,
  });
});

test("an empty value counts as unset", () => {
  expect(parseConfig({ PORT: "", DATABASE_URL: "", PUBLIC_URL: "" })).toMatchObject({
    port: 3000,
    databaseUrl: undefined,
  });
});

test.each([
  ["PORT", "http"],
  ["PORT", "70000"],
  ["PUBLIC_URL", "example.org"],
  ["PUBLIC_URL", "https://example.org/site"],
  ["PUBLIC_URL", "https://example.org/?a=1"],
  ["DATABASE_URL", "mysql://localhost/x"],
  ["KEYS_SECRET", "thirty-one-characters-are-few.."],
  ["KEYS_SECRET", "thirty-two-characters and a blank"],
  ["LOG_LEVEL", "loud"],
  ["TRUST_PROXY", "yes please"],
  ["TRUST_PROXY", "10.0.0.0/99"],
  ["TRUST_PROXY", "300.1.1.1"],
  ["TRUST_PROXY", "127.0.0.1, 10.0.0.0/x"],
  ["TRUST_PROXY", ","],
  ["TRUST_PROXY", "-1"],
  ["HSTS", "31536000"],
  ["HSTS", "max-age=1; max-age=2"],
  ["HSTS", "max-age=1; includeSubDomains; includeSubDomains"],
  ["HSTS", "max-age=1; something"],
  ["SESSION_DAYS", "0"],
  ["SESSION_DAYS", "401"],
  ["CONSOLE_IDLE_HOURS", "0.5"],
  ["SECOND_FACTOR_LEVEL", "1"],
  ["SECOND_FACTOR_LEVEL", "1000"],
  ["SECOND_FACTOR_LEVEL", "never"],
  ["OWNER_EMAIL", "nobody"],
  ["SMTP_URL", "mail.example.org"],
  ["SMTP_URL", "http://mail.example.org"],
  ["SMTP_URL", "smtp://"],
  ["SMTP_URL", "smtp://me:pass#word@mail.example.org"],
  ["SMTP_URL", "smtp://mail.example.org/#rest"],
  ["MAIL_FROM", "nobody"],
  ["MAIL_FROM", "ada@example..org"],
  ["MAIL_FROM", "ada@example.org."],
  ["MAIL_FROM", "ada@-example.org"],
  ["MAIL_FROM", "Ada <nobody>"],
  ["MAIL_FROM", "Ada\r\nBcc: eve@example.org <ada@example.org>"],
  ["MAIL_FROM", "ada@example.org, eve@example.org"],
  ["MAIL_BOUNCES", "Ada <ada@example.org>"],
  ["MAIL_RETURN_PATH", "plain"],
  ["MAIL_BOUNCES", `${"a".repeat(38)}@example.org`],
  ["MAIL_DKIM_SELECTOR", "s1._domainkey.example.org."],
  ["MAIL_DKIM_SELECTOR", "two words"],
  ["ICE_URLS", "https://example.org"],
  ["ICE_URLS", "stun:"],
  ["ICE_URLS", "stun:example.org:99999"],
  ["ICE_URLS", "stun:example.org?transport=tcp"],
  ["ICE_URLS", "turns:example.org?transport=udp"],
  ["ICE_URLS", "turn:me@example.org"],
  ["TURN_SECRET", "short"],
  ["TURN_SECRET", "two words that are long enough"],
  ["TURN", "remote"],
  ["TURN_HOST", "https://example.org"],
  ["TURN_HOST", "example.org:3478"],
  ["TURN_HOST", "999.1.1.1"],
  ["TURN_PORT", "0"],
  ["TURN_PORT", "49200"],
  ["TURN_MAX_PORT", "49153"],
  ["TURN_EXTERNAL_IP", "example.org"],
  ["TURN_EXTERNAL_IP", "203.0.113.7/"],
  ["JANUS_URL", "http://127.0.0.1:8088/janus"],
  ["JANUS_SECRET", "short"],
  ["SES_TOPICS", "arn:aws:sqs:eu-central-1:123456789012:mail"],
  ["SES_CONFIGURATION_SET", "two words"],
  ["POSTMARK_WEBHOOK", "foyer:short"],
  ["MAILGUN_SIGNING_KEY", "short"],
  ["MAIL_WEBHOOK_SECRETS", `${SECRET},short`],
  ["MAIL_LISTEN", "mail.example.org:25"],
  ["MAIL_LISTEN", "127.0.0.1"],
  ["MAIL_FEEDBACK", "not an address"],
  ["DRAIN_SECONDS", "16"],
  ["DRAIN_SECONDS", "half"],
  ["METRICS_TOKEN", "short"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "grpc://collector:4317"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "api-key"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "api-key=100%"],
  ["OTEL_EXPORTER_OTLP_HEADERS", "api key=1"],
])("a wrong %s (%s) is refused by name", (name, value) => {
  expect(() => parseConfig({ [name]: value })).toThrow(ConfigError);
  expect(() => parseConfig({ [name]: value })).toThrow(`\n  ${name}`);
});

test("the password in a wrong DATABASE_URL is not repeated", () => {
  expect(() => parseConfig({ DATABASE_URL: "mysql://me:hunter2@localhost/x" })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining("hunter2") }),
  );
});

test("the password in a wrong SMTP_URL is not repeated", () => {
  expect(() => parseConfig({ SMTP_URL: "smpt://me:hunter2@localhost" })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining("hunter2") }),
  );
});

test("a wrong SMTP_URL is reported once, and how a password with other signs is written", () => {
  const others = { MAIL_FROM: "ada@example.org", PUBLIC_URL: "https://example.org" };
  expect(() => parseConfig({ SMTP_URL: "mail.example.org:587", ...others })).toThrow(
    /^[^\n]*\n {2}SMTP_URL: .*%23.*$/,
  );
});

test.each(["smtp://me:pa%23ss@host:587", "smtps://host?tls.rejectUnauthorized=false", "smtp://[::1]:2525"])(
  "%s names a mail server",
  (SMTP_URL) => {
    const others = { MAIL_FROM: "ada@mail.example.org", PUBLIC_URL: "https://example.org" };
    expect(parseConfig({ SMTP_URL, ...others }).smtpUrl).toBe(SMTP_URL);
  },
);

test("a mail server needs to know who mails come from", () => {
  const PUBLIC_URL = "https://example.org";
  expect(() => parseConfig({ SMTP_URL: "smtp://me:hunter2@localhost", PUBLIC_URL })).toThrow(
    /MAIL_FROM.*is needed/,
  );
  expect(
    parseConfig({ SMTP_URL: "smtps://localhost", MAIL_FROM: "ada@example.org", PUBLIC_URL }),
  ).toMatchObject({
    smtpUrl: "smtps://localhost",
    mailFrom: { name: "", address: "ada@example.org" },
    mailBounces: "ada@example.org",
  });
});

test("mails that are sent need an address for their links, mails that are files don't", () => {
  const MAIL_FROM = "ada@example.org";
  expect(() => parseConfig({ SMTP_URL: "smtps://localhost", MAIL_FROM })).toThrow(/PUBLIC_URL.*is needed/);
  expect(parseConfig({ MAIL_FROM }).publicUrl).toBeUndefined();
});

test.each([
  ["Ada's site <ada@example.org>", "Ada's site"],
  ['"Lovelace, Ada" <ada@example.org>', "Lovelace, Ada"],
  ["<ada@example.org>", ""],
])("MAIL_FROM may carry a name: %s", (text, name) => {
  expect(parseConfig({ MAIL_FROM: text }).mailFrom).toEqual({ name, address: "ada@example.org" });
});

test("a long MAIL_FROM needs another address for bounces, whose tokens have to fit", () => {
  const MAIL_FROM = `${"a".repeat(38)}@example.org`;
  expect(() => parseConfig({ MAIL_FROM })).toThrow("MAIL_BOUNCES");
  expect(parseConfig({ MAIL_FROM, MAIL_BOUNCES: "b@example.org" }).mailBounces).toBe("b@example.org");
});

test("a long MAIL_FROM will do where no token has to fit", () => {
  const MAIL_FROM = `${"a".repeat(38)}@example.org`;
  expect(parseConfig({ MAIL_FROM, MAIL_RETURN_PATH: "sender" }).mailReturnPath).toBe("sender");
  expect(parseConfig({}).mailReturnPath).toBe("verp");
});

test("without settings mails have a sender that is good for files alone", () => {
  expect(parseConfig({})).toMatchObject({
    smtpUrl: undefined,
    mailFrom: { name: "Foyer", address: "foyer@localhost" },
    mailBounces: "foyer@localhost",
  });
});

test("all wrong values are named at once", () => {
  expect(() => parseConfig({ PORT: "x", LOG_LEVEL: "y" })).toThrow(/PORT[\s\S]*LOG_LEVEL/);
});

test("each address that browsers would refuse is named", () => {
  const ICE_URLS = "stun:a.example.org, turn:b c, udp:d";
  expect(() => parseConfig({ ICE_URLS, TURN_SECRET: SECRET })).toThrow(/"turn:b c" must[\s\S]*"udp:d" must/);
});

test("a relay needs its secret, which no message repeats", () => {
  const ICE_URLS = "stun:example.org,turn:example.org:3478?transport=udp";
  expect(() => parseConfig({ ICE_URLS })).toThrow(/TURN_SECRET: is needed/);
  expect(parseConfig({ ICE_URLS, TURN_SECRET: SECRET })).toMatchObject({
    iceUrls: ["stun:example.org", "turn:example.org:3478?transport=udp"],
    turnSecret: SECRET,
    localTurn: undefined,
  });
  expect(parseConfig({ ICE_URLS: "stun:example.org" }).turnSecret).toBeUndefined();
  for (const name of ["TURN_SECRET", "JANUS_SECRET", "MAILGUN_SIGNING_KEY", "MAIL_WEBHOOK_SECRETS"]) {
    expect(() => parseConfig({ [name]: "hunter 2" })).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("hunter") }),
    );
  }
});

test.each([
  [{}, "127.0.0.1"],
  [{ PUBLIC_URL: "https://example.org" }, "example.org"],
  [{ PUBLIC_URL: "http://[::1]:3000" }, "::1"],
  [{ PUBLIC_URL: "https://example.org", TURN_HOST: "turn.example.org" }, "turn.example.org"],
])("a relay of Foyer's own with %j is reached at %s", (environment, host) => {
  expect(parseConfig({ TURN: "local", ...environment }).localTurn).toEqual({
    host,
    port: 3478,
    minPort: 49152,
    maxPort: 49663,
    externalIp: undefined,
  });
});

test("Janus is reached at JANUS_URL; its secret alone is of no use", () => {
  const given = { JANUS_URL: "ws://127.0.0.1:8188", JANUS_SECRET: SECRET };
  expect(parseConfig(given)).toMatchObject({ janusUrl: given.JANUS_URL, janusSecret: SECRET });
  expect(() => parseConfig({ JANUS_SECRET: SECRET })).toThrow(/JANUS_URL.*: is needed/);
});

test.each(["https://ranges.test/", "http://127.0.0.1:8080/", "http://[::1]/", "http://localhost:1/"])(
  "stolen passwords are looked up where nobody listens on the way: %s",
  (BREACHED_PASSWORDS_URL) => {
    expect(parseConfig({ BREACHED_PASSWORDS_URL }).breachedPasswordsUrl).toBe(BREACHED_PASSWORDS_URL);
  },
);

test.each(["http://ranges.test/", "http://10.0.0.1/", "http://localhost.test/"])("and not at %s", (url) => {
  expect(() => parseConfig({ BREACHED_PASSWORDS_URL: url })).toThrow(/BREACHED_PASSWORDS_URL.*https/);
});

test.each(["nonsense", "https:/", "ftp://ranges.test/", "http://"])(
  "%s is no address to look them up",
  (url) => {
    expect(() => parseConfig({ BREACHED_PASSWORDS_URL: url })).toThrow(
      /BREACHED_PASSWORDS_URL.*must be an address/,
    );
  },
);

test("TRUST_PROXY=1 trusts the nearest hop only", () => {
  const { trustProxy } = parseConfig({ TRUST_PROXY: "1" });
  if (typeof trustProxy !== "function") throw new Error("not a function of hops");
  expect([trustProxy("10.0.0.1", 0), trustProxy("10.0.0.1", 1)]).toEqual([true, false]);
});

test.each([
  ["127.0.0.1, 10.0.0.0/8", "127.0.0.1,10.0.0.0/8"],
  ["loopback,fd00::/8,10.0.0.0/255.0.0.0", "loopback,fd00::/8,10.0.0.0/255.0.0.0"],
])("TRUST_PROXY may be addresses, networks and their names: %s", (TRUST_PROXY, trustProxy) => {
  expect(parseConfig({ TRUST_PROXY }).trustProxy).toBe(trustProxy);
});

test("of several addresses the wrong one is named", () => {
  expect(() => parseConfig({ TRUST_PROXY: "127.0.0.1, 10.0.0.0/99" })).toThrow('"10.0.0.0/99" is wrong');
});

const YEAR_S = 31_536_000;
test.each([
  [{}, false],
  [{ PUBLIC_URL: "http://site.test" }, false],
  [{ PUBLIC_URL: "https://site.test" }, { maxAge: YEAR_S, includeSubDomains: false, preload: false }],
  [{ PUBLIC_URL: "https://site.test", HSTS: "off" }, false],
  [
    { PUBLIC_URL: "https://site.test", HSTS: "max-age=0" },
    { maxAge: 0, includeSubDomains: false, preload: false },
  ],
  [
    { PUBLIC_URL: "https://site.test", HSTS: "max-age=31536000;includesubdomains; preload" },
    { maxAge: YEAR_S, includeSubDomains: true, preload: true },
  ],
])("with %j browsers are told to keep to HTTPS: %j", (environment, hsts) => {
  expect(parseConfig(environment).hsts).toEqual(hsts);
});

test("HSTS needs HTTPS, and preload what the lists of browsers ask for", () => {
  expect(() => parseConfig({ HSTS: "max-age=60" })).toThrow(/HSTS.*PUBLIC_URL/);
  const PUBLIC_URL = "https://site.test";
  for (const HSTS of ["max-age=31536000; preload", "max-age=60; includeSubDomains; preload"])
    expect(() => parseConfig({ HSTS, PUBLIC_URL })).toThrow(/HSTS.*preload only with/);
});

test("each way in for reports of mails is off until its setting switches it on", () => {
  expect(parseConfig({}).mailReports).toMatchObject({ sesTopics: [], webhookSecrets: [], listen: undefined });
  const given = {
    SES_TOPICS: "arn:aws:sns:eu-central-1:123456789012:mail, arn:aws-cn:sns:cn-north-1:123456789012:mail",
    POSTMARK_WEBHOOK: "foyer:0123456789abcdef:x",
    MAIL_WEBHOOK_SECRETS: `${SECRET},${SECRET}2`,
    MAIL_LISTEN: "[::1]:2525",
    MAIL_MAILDIR: "mail/returned",
  };
  expect(parseConfig(given, "/srv/foyer").mailReports).toMatchObject({
    sesTopics: [given.SES_TOPICS.split(", ")[0], given.SES_TOPICS.split(", ")[1]],
    postmark: { user: "foyer", password: "0123456789abcdef:x" },
    webhookSecrets: [SECRET, `${SECRET}2`],
    listen: { host: "::1", port: 2525 },
    maildir: "/srv/foyer/mail/returned",
  });
});

test("another place for backups is read from its address; what is wrong is named without its secrets", () => {
  const read = (environment: NodeJS.ProcessEnv) => parseConfig(environment, "/srv").dailyBackup.remote;
  expect(read({})).toBeUndefined();
  expect(read({ BACKUP_TO: "s3://K:a%2Fb%2B@s3.eu-central-1.amazonaws.com/bucket/my/foyer/" })).toEqual({
    kind: "s3",
    title: "s3://s3.eu-central-1.amazonaws.com/bucket/my/foyer",
    endpoint: "https://s3.eu-central-1.amazonaws.com/bucket",
    region: "eu-central-1",
    accessKeyId: "K",
    secretAccessKey: "a/b+",
    prefix: "my/foyer/",
  });
  const BACKUP_TO_HOST_KEY = `SHA256:${"a".repeat(43)}`;
  const sftp = { BACKUP_TO: "sftp://ada@host:2222/~/foyer", BACKUP_TO_KEY_FILE: "key", BACKUP_TO_HOST_KEY };
  expect(read(sftp)).toEqual({
    kind: "sftp",
    title: "sftp://ada@host:2222/~/foyer",
    host: "host",
    port: 2222,
    user: "ada",
    password: undefined,
    keyFile: "/srv/key",
    hostKeys: [BACKUP_TO_HOST_KEY],
    folder: "foyer",
  });
  const wrong = [
    [{ BACKUP_TO: "ftp://ada:hidden@host/x" }, "must be sftp://"],
    [{ S3_URL: "https://K:hidden@host/bucket" }, "must be s3://"],
    [{ S3_URL: "sftp://ada:hidden@host/folder" }, "must be s3://"],
    [{ S3_URL: "s3://K@host/bucket" }, "both parts of the key"],
    [{ S3_URL: "s3://K:hidden@host/" }, "must name a bucket"],
    [{ S3_REDIRECT: "true" }, "belongs to S3_URL"],
    [{ S3_URL: "s3://K:hidden@host/bucket", S3_REDIRECT: "perhaps" }, "must be true or false"],
    [{ BACKUP_TO: "s3://K:hidden/x@host/bucket" }, "must be sftp://"],
    [{ BACKUP_TO: "s3://K:hidden@host/" }, "must name a bucket"],
    [{ BACKUP_TO: "s3://K:hidden@host/b?regoin=x" }, "no other options"],
    [{ BACKUP_TO: "sftp://host/x" }, "must name who logs in"],
    [{ BACKUP_TO: "sftp://ada@host/x" }, "BACKUP_TO_KEY_FILE"],
    [{ BACKUP_TO: "s3://K:hidden@host/b", BACKUP_TO_HOST_KEY }, "belongs to a BACKUP_TO"],
    [{ ...sftp, BACKUP_TO_HOST_KEY: "aa:bb" }, "must be a fingerprint"],
    [{ ...sftp, BACKUP_RECIPIENT: "hidden" }, "must be a recipient of age"],
    [{ BACKUP_RECIPIENT: `age1${"q".repeat(58)}` }, "belongs to a BACKUP_TO"],
  ] as const;
  for (const [environment, fault] of wrong) {
    expect(() => read(environment)).toThrow(fault);
    expect(() => read(environment)).not.toThrow("hidden");
  }
});

test("headers of the collector are read as OpenTelemetry writes them", () => {
  const read = (text: string) =>
    parseConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: "https://c.example:4318", OTEL_EXPORTER_OTLP_HEADERS: text })
      .otlp;
  expect(read("api-key=a%20b%2Cc, x-team = 7")).toEqual({
    endpoint: "https://c.example:4318",
    headers: { "api-key": "a b,c", "x-team": "7" },
  });
  expect(read("")?.headers).toEqual({});
  expect(parseConfig({}).otlp).toBeUndefined();
});
