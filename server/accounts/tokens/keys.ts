import { hkdfSync, randomBytes } from "node:crypto";
import { chmod, link, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import * as z from "zod/mini";

const SECRET_BYTES = 32;

/** What the file of keys holds. */
const keyFile = z.object({
  keys: z
    .array(
      z.object({
        kid: z.string().check(z.regex(/^[\w-]{1,64}$/)),
        algorithm: z.literal("HS256"),
        secret: z.string().check(z.regex(/^[\w-]{43,}$/)),
        created_at: z.string(),
      }),
    )
    .check(z.minLength(1)),
});

/** A secret that signs tokens. `kid` is what a token says to name it. */
export interface SigningKey {
  kid: string;
  secret: Buffer;
}

/** The first signs, all verify. */
export type SigningKeys = readonly [SigningKey, ...SigningKey[]];

/** The file of keys can't be used. The message names it and is meant for the owner's terminal. */
export class SigningKeysError extends Error {
  override name = "SigningKeysError";
}

/** A new key as the file holds it. */
function buildKey(now: Date) {
  return {
    kid: randomBytes(6).toString("base64url"),
    algorithm: "HS256" as const,
    secret: randomBytes(SECRET_BYTES).toString("base64url"),
    created_at: now.toISOString(),
  };
}

/** Of two processes that start at once one wins, because `link` never replaces a file. */
async function createFile(path: string): Promise<void> {
  await writeKeyFile(path, { keys: [buildKey(new Date())] }, link).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
}

function parseKeys(text: string, path: string): SigningKeys {
  try {
    const keys = keyFile.parse(JSON.parse(text)).keys.map(({ kid, secret }) => ({
      kid,
      secret: Buffer.from(secret, "base64url"),
    }));
    const [first, ...others] = keys;
    if (first && new Set(keys.map((key) => key.kid)).size === keys.length) return [first, ...others];
  } catch {
    // The parser's own words would quote the secret.
  }
  throw new SigningKeysError(
    `${path} holds no usable signing keys. Restore it from a backup, or remove it: a new key is made and everybody signs in again.`,
  );
}

/**
 * Reads `<dataDir>/keys/access-token.json`; the first start makes it. To rotate: `foyer rotate-keys`, which puts a new key first, and restart. An old
 * key that is taken out ends the sessions whose refresh token it made (`refresh-token.ts`).
 * @throws SigningKeysError when the file is damaged.
 */
export async function loadSigningKeys(dataDir: string): Promise<SigningKeys> {
  const folder = join(dataDir, "keys");
  const path = join(folder, "access-token.json");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
  if (text === undefined) {
    await createFile(path);
    text = await readFile(path, "utf8");
  }
  // A folder that came back from a backup or a copy may be open to others.
  await chmod(folder, 0o700);
  await chmod(path, 0o600);
  return parseKeys(text, path);
}

function derive(key: SigningKey, purpose: string): Buffer {
  return Buffer.from(hkdfSync("sha256", key.secret, "", `foyer purpose ${purpose}`, SECRET_BYTES));
}

/** A secret for one purpose: every process with the same keys derives the same, and none reveals another. */
export function deriveSecret(keys: SigningKeys, purpose: string): Buffer {
  return derive(keys[0], purpose);
}

/** The same of every key, for what outlives a rotation: the first marks, all recognise. */
export function deriveSecrets(keys: SigningKeys, purpose: string): readonly [Buffer, ...Buffer[]] {
  return [derive(keys[0], purpose), ...keys.slice(1).map((key) => derive(key, purpose))];
}

/** Puts a new signing key first; the older ones still verify what they signed. Counts in a running server from its next start. */
export async function rotateKeys(dataDir: string, now: Date): Promise<{ kid: string; older: number }> {
  await loadSigningKeys(dataDir); // makes the file where there is none, refuses a damaged one
  const path = join(dataDir, "keys", "access-token.json");
  const { keys } = keyFile.parse(JSON.parse(await readFile(path, "utf8")));
  const key = buildKey(now);
  await writeKeyFile(path, { keys: [key, ...keys] }, rename);
  return { kid: key.kid, older: keys.length };
}

/**
 * Takes every key but the newest out: what only they verify is over. Counts in a running server from its next start.
 * @throws SigningKeysError where there is none but the newest
 */
async function retireKeys(dataDir: string): Promise<{ kid: string; retired: number }> {
  await loadSigningKeys(dataDir); // refuses a damaged file
  const path = join(dataDir, "keys", "access-token.json");
  const { keys } = keyFile.parse(JSON.parse(await readFile(path, "utf8")));
  const [newest, ...older] = keys;
  if (!newest || older.length === 0)
    throw new SigningKeysError(
      "There is one key, and none older to take out. Make a new one first: npm run foyer -- rotate-keys",
    );
  await writeKeyFile(path, { keys: [newest] }, rename);
  return { kid: newest.kid, retired: older.length };
}

/** When the key that signs was made. @throws where the file can't be read, or holds no such key */
export async function readKeyDate(dataDir: string): Promise<Date> {
  const text = await readFile(join(dataDir, "keys", "access-token.json"), "utf8");
  const [newest] = keyFile.parse(JSON.parse(text)).keys;
  return new Date(newest?.created_at ?? Number.NaN);
}

/** What goes with a key that is taken out. */
const RETIRING_ENDS = `Taking older keys out ends what only they vouch for:
  sessions that have not been renewed since the newest key was made: those people sign in again
  browsers that were known since before: a sign-in there is mailed about, and counts as a stranger's
  codes and links in mails that were sent before, and mails that still wait with a code in them`;

/**
 * Adds `foyer rotate-keys`.
 * @param reseal Hides with the first key what the others hide in the database, and gives the people whose secret no key can read. It
 *   throws SigningKeysError while a server runs that doesn't know the first key.
 */
export function registerKeyCommands(
  program: Command,
  dataDir: string,
  reseal: (keys: SigningKeys) => Promise<readonly number[]>,
): void {
  program
    .command("rotate-keys")
    .description("make a new key that log-ins are signed with from the next start on; nobody is logged out")
    .option("--retire", "make none, and take every key but the newest out; what they vouch for ends")
    .option("--yes", "with --retire: do it without asking")
    .action(async ({ retire = false, yes = false }: { retire?: boolean; yes?: boolean }) => {
      if (retire && !yes)
        program.error(
          `${RETIRING_ENDS}\nNothing was changed. To do it: npm run foyer -- rotate-keys --retire --yes`,
          {
            exitCode: 1,
          },
        );
      if (retire) {
        const keys = await loadSigningKeys(dataDir);
        const toRefusal = (error: unknown) => {
          if (error instanceof SigningKeysError) program.error(error.message, { exitCode: 1 });
          throw error;
        };
        const lost = keys.length > 1 ? await reseal(keys).catch(toRefusal) : [];
        const { kid, retired } = await retireKeys(dataDir).catch(toRefusal);
        if (lost.length > 0)
          console.log(
            `Authenticator apps that no key can read: of the people ${lost.join(", ")}. They use another factor, or you take it away: npm run foyer -- reset-second-factor NAME`,
          );
        console.log(
          `${retired} older ${retired === 1 ? "key was" : "keys were"} taken out; ${kid} is the only one.`,
        );
        console.log("A running Foyer goes on with the older ones until you restart it.");
        return;
      }
      const { kid, older } = await rotateKeys(dataDir, new Date());
      console.log(`New signing key ${kid}; older ones that still verify: ${older}.`);
      console.log("Restart Foyer to use it.");
    });
}

/**
 * Writes a file that only its owner may read, whole or not at all: `put` moves the finished draft, which stands in the same
 * folder, to its place. A draft never stays.
 */
async function writeKeyFile(
  path: string,
  content: object,
  put: (draft: string, path: string) => Promise<void>,
): Promise<void> {
  const draft = `${path}.${process.pid}.${randomBytes(4).toString("hex")}`;
  try {
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(content, null, 2)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await put(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}
