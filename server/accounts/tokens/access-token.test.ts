import { createHmac } from "node:crypto";
import { expect, test } from "@jest/globals";
import { ACCOUNT } from "../test-account.ts";
import { createAccessTokens } from "./access-token.ts";

const SESSION = "0b0f1d8e-1111-4222-8333-123456789abc";
const KEY = { kid: "k1", secret: Buffer.alloc(32, 1) };
const NOW_S = 1_777_000_000;

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const GOOD_HEADER = { alg: "HS256", typ: "JWT", kid: "k1" };

function forge(header: object, claims: object, secret = KEY.secret): string {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
}

function open() {
  const clock = { now: NOW_S * 1000 };
  return { clock, tokens: createAccessTokens([KEY], () => clock.now) };
}

test("a token holds who, which session and until when", () => {
  const { tokens } = open();
  const token = tokens.sign(ACCOUNT, SESSION);
  const renewed = tokens.sign(ACCOUNT, SESSION, (NOW_S - 500) * 1000);
  expect(tokens.verify(renewed)?.auth_time).toBe(NOW_S - 500);
  expect(tokens.verify(token)).toEqual({
    sub: "7",
    sid: SESSION,
    username: "ada",
    display_name: "Ada Lovelace",
    access_level: 10,
    auth_time: NOW_S,
    iat: NOW_S,
    exp: NOW_S + 900,
  });
  expect(JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString())).toEqual(GOOD_HEADER);
});

test("a token that was verified before still expires on time", () => {
  const { tokens, clock } = open();
  const token = tokens.sign(ACCOUNT, SESSION);
  clock.now += 899_999;
  expect(tokens.verify(token)).toBeDefined();
  clock.now += 1;
  expect(tokens.verify(token)).toBeUndefined();
});

const CLAIMS = {
  iss: "foyer",
  aud: "foyer-api",
  sub: "7",
  sid: SESSION,
  username: "ada",
  display_name: "Ada",
  access_level: 10,
  iat: NOW_S,
  exp: NOW_S + 900,
};
const without = (name: keyof typeof CLAIMS) => ({ ...CLAIMS, [name]: undefined });

test("the forger of these tests makes good ones too", () => {
  expect(open().tokens.verify(forge(GOOD_HEADER, CLAIMS))).toBeDefined();
});

test.each([
  ["another secret", forge(GOOD_HEADER, CLAIMS, Buffer.alloc(32, 2))],
  ["no signature", forge(GOOD_HEADER, CLAIMS).replace(/\.[^.]+$/, ".")],
  ["algorithm none", `${encode({ alg: "none", typ: "JWT", kid: "k1" })}.${encode(CLAIMS)}.`],
  ["algorithm HS512 in the header", forge({ ...GOOD_HEADER, alg: "HS512" }, CLAIMS)],
  ["an unknown key", forge({ ...GOOD_HEADER, kid: "k2" }, CLAIMS)],
  ["another issuer", forge(GOOD_HEADER, { ...CLAIMS, iss: "other" })],
  ["another audience", forge(GOOD_HEADER, { ...CLAIMS, aud: "other" })],
  ["no issuer", forge(GOOD_HEADER, without("iss"))],
  ["no audience", forge(GOOD_HEADER, without("aud"))],
  ["no session", forge(GOOD_HEADER, without("sid"))],
  ["no end", forge(GOOD_HEADER, without("exp"))],
  ["a subject that is no number", forge(GOOD_HEADER, { ...CLAIMS, sub: "1 OR 1" })],
  ["an empty text", ""],
  ["dots", ".."],
])("a token with %s is refused", (_what, token) => {
  expect(open().tokens.verify(token)).toBeUndefined();
});

test("a changed claim is refused", () => {
  const { tokens } = open();
  const [header, , signature] = tokens.sign(ACCOUNT, SESSION).split(".");
  expect(tokens.verify(`${header}.${encode({ ...CLAIMS, access_level: 999 })}.${signature}`)).toBeUndefined();
});
