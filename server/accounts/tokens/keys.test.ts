import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { Command, type CommanderError } from "commander";
import type pg from "pg";
import { openKeyFolder } from "#server/db/keys/key-place.ts";
import { createCodes } from "../codes/store.ts";
import { createKnownDevices } from "../sessions/devices.ts";
import { ACCOUNT } from "../test-account.ts";
import { createAccessTokens } from "./access-token.ts";
import { registerKeyCommands } from "./key-commands.ts";
import { loadSigningKeys } from "./key-ring.ts";
import { deriveSecret, readKeyDate, rotateKeys, SigningKeysError } from "./keys.ts";
import { createRefreshTokens } from "./refresh-token.ts";

const modeOf = async (file: string) => (await stat(file)).mode & 0o777;

describe("keys", () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "foyer-keys-"));
  });
  afterEach(() => rm(dataDir, { recursive: true, force: true }));

  const SESSION = "0b0f1d8e-1111-4222-8333-123456789abc";
  const path = () => join(dataDir, "keys", "access-token.json");

  test("the first start makes one key that only its owner may read, later ones read it", async () => {
    const first = await loadSigningKeys(dataDir);
    expect(await loadSigningKeys(dataDir)).toEqual(first);
    expect(first).toHaveLength(1);
    expect(first[0].secret).toHaveLength(32);
    expect(await modeOf(path())).toBe(0o600);
    expect(await modeOf(join(dataDir, "keys"))).toBe(0o700);
    expect(await readdir(join(dataDir, "keys"))).toEqual(["access-token.json"]);
  });

  test("twenty starts at once end with one key", async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => loadSigningKeys(dataDir)));
    expect(new Set(all.map((keys) => keys[0].kid)).size).toBe(1);
    expect(await readdir(join(dataDir, "keys"))).toEqual(["access-token.json"]);
  });

  test("a file that a copy left open to others is closed again", async () => {
    await loadSigningKeys(dataDir);
    await chmod(path(), 0o644);
    await loadSigningKeys(dataDir);
    expect(await modeOf(path())).toBe(0o600);
  });

  test.each(["", "{", "{}", '{"keys":[]}', '{"keys":[{"kid":"a","algorithm":"none","secret":"s3cret"}]}'])(
    "a damaged file %j stops the start with its name and without its content",
    async (text) => {
      await loadSigningKeys(dataDir);
      await writeFile(path(), text);
      const fault: unknown = await loadSigningKeys(dataDir).catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(SigningKeysError);
      expect(String(fault)).toContain(path());
      expect(String(fault)).not.toContain("s3cret");
    },
  );

  test("after a rotation the new key signs and tokens of the old one are still good", async () => {
    const [old] = await loadSigningKeys(dataDir);
    const clock = () => 1_777_000_000_000;
    const access = createAccessTokens([old], clock).sign(ACCOUNT, SESSION);
    const refresh = createRefreshTokens([old]).issue(SESSION).text;

    const added = {
      kid: "new",
      algorithm: "HS256",
      secret: "A".repeat(43),
      created_at: "2026-05-01T00:00:00Z",
    };
    const file = JSON.parse(await readFile(path(), "utf8"));
    await writeFile(path(), JSON.stringify({ keys: [added, ...file.keys] }));
    const rotated = await loadSigningKeys(dataDir);
    expect(rotated.map((key) => key.kid)).toEqual(["new", old.kid]);

    const tokens = createAccessTokens(rotated, clock);
    expect(tokens.verify(access)).toMatchObject({ sub: "7", sid: SESSION });
    expect(createAccessTokens([old], clock).verify(tokens.sign(ACCOUNT, SESSION))).toBeUndefined();

    const refreshTokens = createRefreshTokens(rotated);
    const presented = refreshTokens.parse(refresh);
    expect(presented).toMatchObject({ sessionId: SESSION });
    expect(createRefreshTokens([rotated[0]]).parse(refresh)).toBeUndefined();
  });

  test("two processes derive the same secret for a purpose, another for another purpose, and never the key itself", async () => {
    const [first, second] = [await loadSigningKeys(dataDir), await loadSigningKeys(dataDir)];
    const secret = deriveSecret(first, "a");
    expect(deriveSecret(second, "a")).toEqual(secret);
    expect(deriveSecret(first, "b")).not.toEqual(secret);
    expect(secret).toHaveLength(32);
    expect(secret).not.toEqual(first[0].secret);
  });
});

describe("rotate keys", () => {
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
    const refresh = createRefreshTokens(before).issue("0b0f1d8e-1111-4222-8333-123456789abc").text;
    const owner = { id: 7, password_hash: "hash", device_epoch: 0 };
    const device = createKnownDevices(before).issue(owner);
    const subject = { purpose: "verify_email", email: "ada@example.org" } as const;
    const codeHash = createCodes(before).hash(subject, "123456");

    const { kid, older } = await rotateKeys(openKeyFolder(dataDir), NOW);
    const after = await loadSigningKeys(dataDir);
    expect(older).toBe(1);
    expect(after.map((key) => key.kid)).toEqual([kid, before[0].kid]);
    const tokens = createAccessTokens(after, clock);
    expect(tokens.verify(access)).toMatchObject({ sub: "7" });
    expect(createAccessTokens(before, clock).verify(tokens.sign(ACCOUNT, "s"))).toBeUndefined();
    expect(createRefreshTokens(after).parse(refresh)).toBeDefined();
    const cookies = new Map([[device.userId, device.value]]);
    expect(createKnownDevices(after).find(cookies, owner)).toBeDefined();
    expect(createCodes(after).isRight(subject, "123456", codeHash)).toBe(true);
  });

  test("the file stays the owner's alone, and nothing is left beside it", async () => {
    await rotateKeys(openKeyFolder(dataDir), NOW);
    const folder = join(dataDir, "keys");
    expect(await readdir(folder)).toEqual(["access-token.json"]);
    expect((await stat(join(folder, "access-token.json"))).mode & 0o777).toBe(0o600);
  });

  test("a damaged file is left as it is", async () => {
    await loadSigningKeys(dataDir);
    const path = join(dataDir, "keys", "access-token.json");
    await writeFile(path, "{}");
    await expect(rotateKeys(openKeyFolder(dataDir), NOW)).rejects.toBeInstanceOf(SigningKeysError);
    expect(await readFile(path, "utf8")).toBe("{}");
  });

  describe("--retire", () => {
    /** The keys, the newest first, with which secrets of the database were hidden anew. */
    const resealed: string[][] = [];
    let isRunningSince = false;
    async function run(...args: string[]): Promise<{ said: string; code: number }> {
      const said: string[] = [];
      const log = console.log;
      console.log = (line: string) => void said.push(line);
      const program = new Command()
        .exitOverride()
        .configureOutput({ writeErr: (text) => void said.push(text) });
      registerKeyCommands(program, {
        open: async () => ({
          // The commands hand it on, and no more, where keys are in a folder.
          pool: undefined as unknown as pg.Pool,
          isBeside: false,
          place: openKeyFolder(dataDir),
          close: async () => undefined,
        }),
        async reseal(_, keys) {
          if (isRunningSince) throw new SigningKeysError("Restart it first.");
          resealed.push(keys.map(({ kid }) => kid));
          return [7, 12];
        },
        dataDir,
        keysSecret: undefined,
      });
      try {
        await program.parseAsync(["rotate-keys", ...args], { from: "user" });
        return { said: said.join("\n"), code: 0 };
      } catch (error) {
        return { said: said.join("\n"), code: (error as CommanderError).exitCode };
      } finally {
        console.log = log;
      }
    }

    const MARKED = { id: 7, password_hash: "hash", device_epoch: 0 };

    test("says what ends and changes nothing; with --yes the older keys are out, and what they made is over", async () => {
      const before = await loadSigningKeys(dataDir);
      const access = createAccessTokens(before, () => NOW.getTime()).sign(ACCOUNT, "s");
      const refresh = createRefreshTokens(before).issue("0b0f1d8e-1111-4222-8333-123456789abc").text;
      const device = createKnownDevices(before).issue(MARKED);
      const { kid } = await rotateKeys(openKeyFolder(dataDir), NOW);

      const asked = await run("--retire");
      expect(asked.code).toBe(1);
      for (const word of ["sessions", "browsers", "codes and links", "Nothing was changed", "--yes"])
        expect(asked.said).toContain(word);
      expect(await loadSigningKeys(dataDir)).toHaveLength(2);

      expect(resealed).toEqual([]);

      isRunningSince = true;
      expect(await run("--retire", "--yes")).toMatchObject({ code: 1, said: "Restart it first.\n" });
      isRunningSince = false;
      expect(await loadSigningKeys(dataDir)).toHaveLength(2);

      const done = await run("--retire", "--yes");
      expect(done.said).toContain("of the people 7, 12.");
      expect(resealed).toEqual([[kid, expect.any(String)]]);
      expect(done).toMatchObject({ code: 0, said: expect.stringContaining("1 older key was taken out") });
      expect(done.said).toContain("restart");
      const after = await loadSigningKeys(dataDir);
      expect(after.map((key) => key.kid)).toEqual([kid]);
      expect(createAccessTokens(after, () => NOW.getTime()).verify(access)).toBeUndefined();
      expect(createRefreshTokens(after).parse(refresh)).toBeUndefined();
      const cookies = new Map([[device.userId, device.value]]);
      expect(createKnownDevices(after).find(cookies, MARKED)).toBeUndefined();
      expect(await modeOf(join(dataDir, "keys", "access-token.json"))).toBe(0o600);
    });

    test("the only key stays, and the way to a new one is said", async () => {
      const before = await loadSigningKeys(dataDir);
      expect(await run("--retire", "--yes")).toMatchObject({
        code: 1,
        said: expect.stringContaining("rotate-keys"),
      });
      expect(await loadSigningKeys(dataDir)).toEqual(before);
    });

    test("the age of the key that signs is that of the newest", async () => {
      await loadSigningKeys(dataDir);
      await rotateKeys(openKeyFolder(dataDir), NOW);
      expect(await readKeyDate(openKeyFolder(dataDir))).toEqual(NOW);
    });
  });
});
