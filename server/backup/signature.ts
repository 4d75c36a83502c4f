import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { deriveFromSecret } from "#server/db/keys/key-table.ts";
import type { KeySettings } from "#server/db/keys/open-keys.ts";
import { giveToOwner } from "./data-folders.ts";
import { BackupError } from "./manifest.ts";

/** The last entry of an archive: over the manifest's bytes, which have the hash of everything else. */
export const SIGNATURE_NAME = "signature.json";

const signature = z.strictObject({
  algorithm: z.literal("Ed25519"),
  /** The signer's public key: 32 bytes. */
  public_key: z.string().regex(/^[\w-]{43}$/),
  signature: z.string().regex(/^[\w-]{86}$/),
});

/** Signs what a site backs up. */
export interface Signer {
  publicKey: string;
  /** The entry's text. */
  sign(manifest: Buffer): string;
}

/** In no backup: who has one could sign others with it. So it is beside the folders that a restore replaces. */
const toFolder = (dataDir: string) => join(dataDir, "signing");
const toPath = (dataDir: string) => join(toFolder(dataDir), "backup-key.pem");

function toPublicKey(key: KeyObject): string {
  const { x } = createPublicKey(key).export({ format: "jwk" });
  if (x === undefined) throw new BackupError("The key that backups are signed with is no Ed25519 key.");
  return x;
}

async function readKey(dataDir: string): Promise<KeyObject | undefined> {
  const path = toPath(dataDir);
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    return createPrivateKey(text);
  } catch {
    // The parser's own words may quote it.
    throw new BackupError(
      `${path} holds no usable key. Bring it back, or remove it: a new one is made, and what was signed before needs --trust at a restore.`,
    );
  }
}

/** Of two processes that make it at once one wins, because `wx` never writes over a file. */
async function makeKey(dataDir: string): Promise<void> {
  const { privateKey } = generateKeyPairSync("ed25519");
  const [folder, path] = [toFolder(dataDir), toPath(dataDir)];
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const text = privateKey.export({ format: "pem", type: "pkcs8" });
  await writeFile(path, text, { flag: "wx", mode: 0o600, flush: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    },
  );
  await giveToOwner([folder, path], dataDir);
}

/** What PKCS #8 has before the 32 bytes of an Ed25519 key (RFC 8410, 7). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

/** With KEYS_SECRET the key comes of it: all processes of the site have the same, and it is in no backup either. */
function deriveKey(keysSecret: string): KeyObject {
  const key = Buffer.concat([PKCS8_HEAD, deriveFromSecret(keysSecret, "backup signing")]);
  return createPrivateKey({ key, format: "der", type: "pkcs8" });
}

async function requireOwnKey(dataDir: string): Promise<KeyObject> {
  if ((await readKey(dataDir)) === undefined) await makeKey(dataDir);
  const key = await readKey(dataDir);
  if (!key) throw new BackupError(`${toPath(dataDir)} went away while it was read.`);
  return key;
}

/** What is signed with: KEYS_SECRET, else the data folder's own key, which the first backup makes. @throws BackupError where it can't be used */
export async function openSigner({ dataDir, keysSecret }: KeySettings): Promise<Signer> {
  const key = keysSecret === undefined ? await requireOwnKey(dataDir) : deriveKey(keysSecret);
  const publicKey = toPublicKey(key);
  return {
    publicKey,
    sign: (manifest) =>
      JSON.stringify({
        algorithm: "Ed25519",
        public_key: publicKey,
        signature: sign(null, manifest, key).toString("base64url"),
      }),
  };
}

/** Whether the text is a public key, as `backup` prints it. */
export const isPublicKey = (text: string) => /^[\w-]{43}$/.test(text);

/**
 * Who signed a manifest; undefined where nobody did.
 * @throws BackupError where the signature isn't that of this manifest
 */
export function readSigner(manifest: Buffer, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const changed =
    "The backup was changed after it was signed. Take another one: nothing in this one can be relied on.";
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BackupError(changed);
  }
  const parsed = signature.safeParse(value);
  if (!parsed.success) throw new BackupError(changed);
  const { public_key: x, signature: signed } = parsed.data;
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  if (!verify(null, manifest, key, Buffer.from(signed, "base64url"))) throw new BackupError(changed);
  return x;
}

/** Whom an owner trusts beside the keys that the site itself signs with, or signed with before it had KEYS_SECRET. */
export interface Trust {
  /** A public key. */
  key?: string | undefined;
  /** Backups of an older Foyer have no signature. */
  allowsUnsigned: boolean;
}

/** @throws BackupError, with what to do, where the backup is of nobody whom this data folder or its owner trusts */
export async function requireTrusted(
  signer: string | undefined,
  { dataDir, keysSecret }: KeySettings,
  trust: Trust,
): Promise<void> {
  if (signer === undefined) {
    if (trust.allowsUnsigned) return;
    throw new BackupError(
      "The backup has no signature: it is of an older Foyer, or somebody took it away. Where you know where the file has been, add --unsigned.",
    );
  }
  const own = await readKey(dataDir);
  const keys = [own, keysSecret === undefined ? undefined : deriveKey(keysSecret)];
  if (signer === trust.key || keys.some((key) => key && toPublicKey(key) === signer)) return;
  throw new BackupError(
    `The backup is signed with the key ${signer}, which this data folder doesn't know. Compare it with the one that \`npm run foyer -- backup\` named on the site that made it; where they are the same, add --trust ${signer}`,
  );
}
