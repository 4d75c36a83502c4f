import { createReadStream, createWriteStream } from "node:fs";
import { open, readFile, rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { BackupError } from "./manifest.ts";

/** What a file that age encrypted begins with. */
const MARK = "age-encryption.org/v1";
const RECIPIENT = /^age1[a-z0-9]{20,}$/;
const IDENTITY = /^AGE-SECRET-KEY-[A-Z0-9-]+$/m;
const PASSPHRASE_CHARS_MIN = 12;

/** How a backup is locked: for whom has the identity of a recipient, or for whom knows a passphrase. */
export type Lock = { recipient: string } | { passphrase: string };
/** How one is opened. */
export type Unlock = { identity: string } | { passphrase: string };

/** The first line of a file, or of the standard input where it is called `-`. @throws BackupError where it is too short to keep anybody out */
export async function readPassphrase(path: string): Promise<string> {
  const text = path === "-" ? (await buffer(process.stdin)).toString() : await readSecret(path);
  const [line = ""] = text.split(/\r?\n/);
  if (line.length >= PASSPHRASE_CHARS_MIN) return line;
  throw new BackupError(`The passphrase in ${path} has fewer than ${PASSPHRASE_CHARS_MIN} characters.`);
}

async function readSecret(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(`${path} can't be read (${error.code}).`, { cause: error });
  });
}

/** The first `AGE-SECRET-KEY-…` of a file, as age-keygen writes it. @throws BackupError where there is none */
export async function readIdentity(path: string): Promise<string> {
  const [identity] = IDENTITY.exec(await readSecret(path)) ?? [];
  if (identity) return identity;
  throw new BackupError(`${path} holds no identity: a line that begins with AGE-SECRET-KEY-.`);
}

/** @throws BackupError where the text is no recipient of age's */
export function requireRecipient(text: string): string {
  if (isRecipient(text)) return text;
  throw new BackupError(`${text} is no recipient: it begins with age1, as age-keygen prints it.`);
}

/** By its form; whether it was typed wrongly its own checksum says. */
export const isRecipient = (text: string) => RECIPIENT.test(text);

/** Whether a file can be encrypted for it: one letter that was typed wrongly makes it none. */
export async function canEncryptFor(recipient: string): Promise<boolean> {
  const { Encrypter } = await import("age-encryption");
  try {
    new Encrypter().addRecipient(recipient);
    return true;
  } catch {
    return false;
  }
}

export async function isEncrypted(path: string): Promise<boolean> {
  const handle = await open(path, "r");
  try {
    const { buffer: head, bytesRead } = await handle.read(Buffer.alloc(MARK.length), 0, MARK.length, 0);
    return head.toString("latin1", 0, bytesRead) === MARK;
  } finally {
    await handle.close();
  }
}

/** Streams one file into another that is there whole or not at all, for the owner alone. */
async function convert(
  from: string,
  to: string,
  turn: (stream: ReadableStream<Uint8Array>) => Promise<ReadableStream<Uint8Array>>,
  stop?: AbortSignal,
): Promise<void> {
  // Node's web streams and the library's types are the same thing.
  const source = Readable.toWeb(createReadStream(from)) as ReadableStream<Uint8Array>;
  try {
    const sink = createWriteStream(to, { flags: "wx", mode: 0o600, flush: true });
    await pipeline(Readable.fromWeb(await turn(source)), sink, stop ? { signal: stop } : {});
  } catch (error) {
    await rm(to, { force: true });
    throw error;
  }
}

/** @throws BackupError, or what the disk says; nothing is left of the target then */
export async function encryptFile(from: string, to: string, lock: Lock, stop?: AbortSignal): Promise<void> {
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  if ("recipient" in lock) encrypter.addRecipient(requireRecipient(lock.recipient));
  else encrypter.setPassphrase(lock.passphrase);
  await convert(from, to, async (stream) => (await encrypter.encrypt(stream as never)) as never, stop);
}

/** @throws BackupError where the file can't be opened with this, or was changed; nothing is left of the target then */
export async function decryptFile(
  from: string,
  to: string,
  unlock: Unlock,
  stop?: AbortSignal,
): Promise<void> {
  const { Decrypter } = await import("age-encryption");
  const decrypter = new Decrypter();
  if ("identity" in unlock) decrypter.addIdentity(unlock.identity);
  else decrypter.addPassphrase(unlock.passphrase);
  try {
    await convert(from, to, async (stream) => (await decrypter.decrypt(stream as never)) as never, stop);
  } catch (error) {
    stop?.throwIfAborted();
    const { code } = error as NodeJS.ErrnoException; // the system's errors have one
    if (code?.startsWith("E") && !code.startsWith("ERR_")) throw error;
    const what = "identity" in unlock ? "identity" : "passphrase";
    throw new BackupError(
      `${from} can't be decrypted: the ${what} is another one, or the file is damaged or was changed.`,
      { cause: error },
    );
  }
}
