import { afterEach, describe, expect, test } from "@jest/globals";
import { toFindingText } from "#server/health/finding.ts";
import type { Finding } from "#server/health/service.ts";
import { createRelayProbe, openRelay, type RelayState, toRelayFinding } from "./open-relay.ts";
import { findFreePort, openTestTurn, SILENT, TURNSERVER } from "./test-turn.ts";

const PORTS = { port: 3478, minPort: 49152, maxPort: 49663 };
const SECRET = "0123456789abcdef0123456789abcdef";
const withCoturn = TURNSERVER ? describe : describe.skip;
const now = () => new Date();
const open: { close(): Promise<void> }[] = [];
const keep = <Thing extends { close(): Promise<void> }>(thing: Thing) => {
  open.push(thing);
  return thing;
};
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close();
});

const STATES: [RelayState, Finding["status"], RegExp][] = [
  [{ kind: "none" }, "warning", /strict routers/],
  [{ kind: "stun_only" }, "warning", /ICE_URLS/],
  [{ kind: "works", ports: undefined }, "healthy", /^$/],
  [{ kind: "works", ports: PORTS }, "healthy", /3478 \(UDP and TCP\).*49152 to 49663/],
  [
    { kind: "silent", address: "a:1 (UDP)", ports: undefined },
    "critical",
    /^a:1 \(UDP\) does not answer.*firewall/,
  ],
  [{ kind: "silent", address: "a:1 (UDP)", ports: PORTS }, "critical", /3478.*49152 to 49663.*firewall/],
  [{ kind: "refuses", address: "a:1", code: 401 }, "critical", /TURN_SECRET/],
  [{ kind: "refuses", address: "a:1", code: 508 }, "critical", /no free relay ports/],
  [{ kind: "refuses", address: "a:1", code: 400 }, "critical", /\(400\)/],
  [{ kind: "private", address: "a:1", relayed: "10.0.0.5" }, "critical", /10\.0\.0\.5.*TURN_EXTERNAL_IP/],
  [{ kind: "stopped", fault: "port 3478 is taken" }, "critical", /port 3478 is taken/],
];

test.each(STATES)("%j is %s", (state, status, text) => {
  const finding = toRelayFinding(state);
  expect(finding.status).toBe(status);
  expect(toFindingText(finding, "en")).toMatch(text);
  for (const lang of ["en", "tr"] as const)
    expect(toFindingText(finding, lang)).not.toMatch(/undefined|\{\{| {2}|\(\)/);
});

test("a server that nobody runs is silent, and asked once a minute", async () => {
  const port = await findFreePort();
  let clock = Date.now();
  const probe = createRelayProbe({
    urls: [`stun:127.0.0.1:${port}`],
    turnSecret: undefined,
    local: undefined,
    now: () => new Date(clock),
    log: SILENT,
  });
  expect(await probe()).toEqual({ kind: "silent", address: `127.0.0.1:${port} (UDP)`, ports: undefined });
  const [first, second] = [probe(), probe()];
  expect(first).toBe(second);
  clock += 60_000;
  expect(probe()).not.toBe(first);
});

test("without settings no relay is opened, and the health page says what works", async () => {
  const config = { dataDir: "/nowhere", iceUrls: [], turnSecret: undefined, localTurn: undefined };
  const relay = keep(await openRelay({ config, log: SILENT, now }));
  expect(relay.settings).toEqual({ urls: [], turnSecret: undefined });
  expect(await relay.check()).toEqual({ status: "warning", reason: "relay_none" });
});

withCoturn("coturn", () => {
  test("a relay gives and takes back, over UDP and TCP", async () => {
    const { turn } = keep(await openTestTurn());
    const probe = createRelayProbe({
      urls: turn.urls,
      turnSecret: turn.secret,
      local: undefined,
      now,
      log: SILENT,
    });
    expect(await probe()).toEqual({ kind: "works", ports: undefined });
  });

  test("another secret is reported", async () => {
    const { turn } = keep(await openTestTurn());
    const probe = createRelayProbe({
      urls: turn.urls,
      turnSecret: SECRET,
      local: undefined,
      now,
      log: SILENT,
    });
    expect(await probe()).toMatchObject({ kind: "refuses", code: 401 });
  });

  test("STUN alone is no relay", async () => {
    const { turn } = keep(await openTestTurn());
    const urls = turn.urls.slice(0, 1);
    const probe = createRelayProbe({ urls, turnSecret: undefined, local: undefined, now, log: SILENT });
    expect(await probe()).toEqual({ kind: "stun_only" });
  });

  test("the relay of TURN=local stands before the others, with their secret", async () => {
    const { dataDir, turn: other, close } = await openTestTurn({ secret: SECRET });
    const localTurn = {
      host: "localhost",
      port: await findFreePort(),
      minPort: 28_000,
      maxPort: 28_063,
      externalIp: undefined,
    };
    const config = { dataDir: `${dataDir}/second`, iceUrls: other.urls, turnSecret: SECRET, localTurn };
    const relay = await openRelay({ config, log: SILENT, now });
    expect(relay.settings).toEqual({
      urls: [
        `stun:127.0.0.1:${localTurn.port}`,
        `turn:127.0.0.1:${localTurn.port}?transport=udp`,
        `turn:127.0.0.1:${localTurn.port}?transport=tcp`,
        ...other.urls,
      ],
      turnSecret: SECRET,
    });
    expect(await relay.check()).toMatchObject({
      status: "healthy",
      reason: "relay_local",
      vars: { port: localTurn.port },
    });
    // Another process of the machine gives out the same relay, and starts none.
    const launched = { number: 2, count: 2, isJoining: true, secret: SECRET };
    const joined = await openRelay({ config: { ...config, launched }, log: SILENT, now });
    expect(joined.settings).toEqual(relay.settings);
    expect(await joined.check()).toMatchObject({ status: "healthy", reason: "relay_local" });
    await joined.close();
    await relay.close();
    expect(await relay.check()).toMatchObject({ status: "critical", reason: "relay_stopped" });
    const late = await openRelay({ config: { ...config, launched }, log: SILENT, now });
    expect(await late.check()).toMatchObject({ status: "critical", reason: "relay_silent_local" });
    await close();
  });
});
