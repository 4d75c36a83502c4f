import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { createCodes } from "./codes/store.ts";
import { rotateKeys } from "./rotate-keys.ts";
import { createKnownDevices } from "./sessions/devices.ts";
import { ACCOUNT } from "./test-account.ts";
import { createAccessTokens } from "./tokens/access-token.ts";
import { loadSigningKeys, SigningKeysError } from "./tokens/keys.ts";
import { createRefreshTokens } from "./tokens/refresh-token.ts";

const NOW = new Date("2026-05-01T10:00:00Z");
let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "foyer-keys-"));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

test("a new key signs, and everything that the older one made is still good", async () => {
  const before = await loadSigningKeys(dataDir);
  const clock = () => NOW.getTime();
  const access = createAccessTokens(before, clock).sign(ACCOUNT, "s");
  const refresh = createRefreshTokens(before).issue("0b0f1d8e-1111-4222-8333-123456789abc");
  const device = createKnownDevices(before).issue(7, "hash");
  const subject = { purpose: "verify_email", email: "ada@example.org" } as const;
  const codeHash = createCodes(before).hash(subject, "123456");

  const { kid, older } = await rotateKeys(dataDir, NOW);
  const after = await loadSigningKeys(dataDir);
  expect(older).toBe(1);
  expect(after.map((key) => key.kid)).toEqual([kid, before[0].kid]);
  const tokens = createAccessTokens(after, clock);
  expect(tokens.verify(access)).toMatchObject({ sub: "7" });
  expect(createAccessTokens(before, clock).verify(tokens.sign(ACCOUNT, "s"))).toBeUndefined();
  expect(createRefreshTokens(after).parse(refresh)).toBeDefined();
  const cookies = new Map([[device.userId, device.value]]);
  expect(createKnownDevices(after).find(cookies, 7, "hash")).toBeDefined();
  expect(createCodes(after).isRight(subject, "123456", codeHash)).toBe(true);
});

test("the file stays the owner's alone, and nothing is left beside it", async () => {
  await rotateKeys(dataDir, NOW);
  const folder = join(dataDir, "keys");
  expect(await readdir(folder)).toEqual(["access-token.json"]);
  expect((await stat(join(folder, "access-token.json"))).mode & 0o777).toBe(0o600);
});

test("a damaged file is left as it is", async () => {
  await loadSigningKeys(dataDir);
  const path = join(dataDir, "keys", "access-token.json");
  await writeFile(path, "{}");
  await expect(rotateKeys(dataDir, NOW)).rejects.toBeInstanceOf(SigningKeysError);
  expect(await readFile(path, "utf8")).toBe("{}");
});
