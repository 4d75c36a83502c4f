import { expect, test } from "@jest/globals";
import { parseIceUrl, toUrlHost } from "./ice.ts";

test.each([
  ["stun:example.org", { scheme: "stun", host: "example.org", port: 3478, transport: "udp" }],
  ["turn:example.org:80", { scheme: "turn", host: "example.org", port: 80, transport: "udp" }],
  ["TURN:192.0.2.1?transport=TCP", { scheme: "turn", host: "192.0.2.1", port: 3478, transport: "tcp" }],
  ["turns:example.org", { scheme: "turns", host: "example.org", port: 5349, transport: "tls" }],
  ["turns:a.b:443?transport=tcp", { scheme: "turns", host: "a.b", port: 443, transport: "tls" }],
  ["turn:[2001:db8::1]:3478", { scheme: "turn", host: "2001:db8::1", port: 3478, transport: "udp" }],
])("%s is an address", (text, parts) => {
  expect(parseIceUrl(text)).toEqual(parts);
});

test.each([
  "",
  "stun://example.org",
  "stuns:example.org",
  "turn:example.org?transport=sctp",
  "turn:example.org:0",
  "turn:example.org/x",
  "turn:-a",
  "turn:a\nb",
])("%j is none", (text) => {
  expect(parseIceUrl(text)).toBeUndefined();
});

test("an IPv6 address has its brackets", () => {
  expect([toUrlHost("::1"), toUrlHost("example.org")]).toEqual(["[::1]", "example.org"]);
});
