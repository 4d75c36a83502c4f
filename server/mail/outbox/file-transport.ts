import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import MailComposer from "nodemailer/lib/mail-composer";
import { writeWhole } from "#server/base/write-whole.ts";
import type { MailTransport, Parcel } from "./transports.ts";

/** `20261120T220305Z-42.eml`: in the order of time, the same for each attempt. */
function toFileName({ id, createdAt }: Pick<Parcel, "id" | "createdAt">): string {
  return `${toStamp(new Date(createdAt))}-${id}.eml`;
}

function toStamp(moment: Date): string {
  return moment.toISOString().replace(/[-:]|\.\d+/g, "");
}

/** Mails hold codes and what people wrote: nobody else on the machine may read them. */
const MAIL_FILE_MODE = 0o600;

/** Mails as files in a folder, for a site without a mail server. `log` hears of each by its name. */
export function createFileTransport(
  folder: string,
  log: { info(details: object, message: string): void },
): MailTransport {
  return {
    async deliver({ message, ...parcel }) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, toFileName(parcel));
      await writeWhole(path, await new MailComposer(message).compile().build(), MAIL_FILE_MODE);
      log.info({ file: path }, "a mail was written to a file");
      return path;
    },
    async close() {},
  };
}

/**
 * Removes mails that are older than `before`, those of the rows `ids`, and old drafts that a crash left behind. A folder
 * that isn't there is empty.
 */
export async function deleteMailFiles(folder: string, before: Date, ids: readonly number[]): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return [];
  });
  const endings = new Set(ids.map((id) => `${id}.eml`));
  const isOld = (name: string) => name < toStamp(before) && /\.(eml|part)$/.test(name);
  const isNamed = (name: string) => endings.has(name.slice(name.indexOf("-") + 1));
  for (const name of names.filter((name) => isOld(name) || isNamed(name)))
    await rm(join(folder, name), { force: true });
}
