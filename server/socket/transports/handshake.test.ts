import { describe, expect, test } from "@jest/globals";
import type { TrustProxy } from "../../base/proxies.ts";
import { createHandshakeLimit, createReadAddress, parseOffer } from "./handshake.ts";

const OFFERS = [
  { name: "no header at all", header: undefined, offer: { authToken: undefined, protocol: undefined } },
  { name: "the protocol alone", header: "phoenix", offer: { authToken: undefined, protocol: "phoenix" } },
  {
    name: "the protocol and a token",
    header: "phoenix, base64url.bearer.phx.dG9rLys9ZT8",
    offer: { authToken: "tok/+=e?", protocol: "phoenix" },
  },
  {
    name: "a token in the alphabet of URLs",
    header: "base64url.bearer.phx.fn4_fn4-,phoenix",
    offer: { authToken: "~~?~~>", protocol: "phoenix" },
  },
  {
    name: "a token in the standard alphabet, with padding",
    header: "phoenix, base64url.bearer.phx.fn4/fj4=",
    offer: { authToken: "~~?~>", protocol: "phoenix" },
  },
  {
    name: "a token alone",
    header: "base64url.bearer.phx.YWJj",
    offer: { authToken: "abc", protocol: undefined },
  },
  { name: "a foreign protocol", header: "graphql-ws", offer: undefined },
  { name: "a token with a foreign protocol", header: "soap, base64url.bearer.phx.YWJj", offer: undefined },
  { name: "an empty header", header: "", offer: undefined },
  { name: "signs that no base64 has", header: "phoenix, base64url.bearer.phx.!!!", offer: undefined },
  { name: "a length that no base64 has", header: "phoenix, base64url.bearer.phx.YWJjZ", offer: undefined },
  { name: "bytes that are no text", header: "phoenix, base64url.bearer.phx._-8", offer: undefined },
  {
    name: "two tokens",
    header: "phoenix, base64url.bearer.phx.YWJj, base64url.bearer.phx.YWJj",
    offer: undefined,
  },
];

describe("what a client offers to speak", () => {
  for (const { name, header, offer } of OFFERS)
    test(`${name} is ${offer ? "read" : "refused"}`, () => expect(parseOffer(header)).toEqual(offer));
});

describe("the address of a client", () => {
  const request = {
    headers: { "x-forwarded-for": "203.0.113.9, 10.0.0.2" },
    socket: { remoteAddress: "10.0.0.1" },
  } as unknown as Parameters<ReturnType<typeof createReadAddress>>[0]; // what is looked at

  const RULES: readonly { name: string; trustProxy: TrustProxy; ip: string }[] = [
    { name: "is that of the connection where no proxy is trusted", trustProxy: false, ip: "10.0.0.1" },
    {
      name: "is that of the connection where another proxy is trusted",
      trustProxy: "192.0.2.1",
      ip: "10.0.0.1",
    },
    { name: "is the first one named where all are trusted", trustProxy: true, ip: "203.0.113.9" },
    {
      name: "is the first one outside of the trusted networks",
      trustProxy: "127.0.0.1, 10.0.0.0/8",
      ip: "203.0.113.9",
    },
    { name: "is one hop away with one proxy", trustProxy: (_address, hop) => hop < 1, ip: "10.0.0.2" },
  ];
  for (const { name, trustProxy, ip } of RULES)
    test(name, () => expect(createReadAddress(trustProxy)(request)).toEqual(ip));
});

describe("the limit of handshakes", () => {
  test("an address waits for the rest of its minute, others don't", () => {
    let nowMs = 0;
    const take = createHandshakeLimit(2, () => nowMs);
    expect([take("192.0.2.1"), take("192.0.2.1"), take("192.0.2.1")]).toEqual([0, 0, 60]);
    expect(take("192.0.2.2")).toBe(0);
    nowMs = 60_000;
    expect(take("192.0.2.1")).toBe(0);
  });

  test("addresses of one IPv6 household count as one", () => {
    const take = createHandshakeLimit(1, () => 0);
    expect([take("2001:db8:1:2::1"), take("2001:db8:1:2:ffff::9")]).toEqual([0, 60]);
  });
});
