import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** AES-GCM's own length of nonces and tags. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts short texts that the database keeps (AES-256-GCM). */
export interface Sealing {
  /** `context` is what the text belongs to: it opens there alone. */
  seal(context: string, text: string): string;
  /** @throws Error when the text was sealed for something else, with another key, or was changed. */
  open(context: string, sealed: string): string;
}

function decrypt(key: Buffer, context: string, sealed: string): string {
  const bytes = Buffer.from(sealed, "base64url");
  const textAt = NONCE_BYTES + TAG_BYTES;
  const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(NONCE_BYTES, textAt));
  return Buffer.concat([decipher.update(bytes.subarray(textAt)), decipher.final()]).toString("utf8");
}

/** Keys of 32 bytes: the first one seals, all of them open. */
export function createSealing([first, ...older]: readonly [Buffer, ...Buffer[]]): Sealing {
  return {
    seal(context, text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", first, nonce).setAAD(Buffer.from(context));
      const bytes = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), bytes]).toString("base64url");
    },
    open(context, sealed) {
      for (const key of older) {
        try {
          return decrypt(key, context, sealed);
        } catch {
          // It is another key's, most likely the first one's, whose refusal below is the answer.
        }
      }
      return decrypt(first, context, sealed);
    },
  };
}
