import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import PostalMime, { type Address, type Email } from "postal-mime";
import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { type MailboxEntry, type MailboxMail, mailboxAnswer, mailboxMail } from "#contract/mail/messages.ts";
import { AppError } from "../base/errors.ts";
import { type RequireLevel, SIGNED_IN } from "../http/bearer.ts";
import { noStore } from "../http/caching.ts";
import type { App } from "../http/zod.ts";

/** As the transport into files names them: time, then the message's number. Nothing else in the folder can be asked for. */
const FILE = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z-(\d{1,10})\.eml$/;
const LIST_MAX = 200;

/** The folder in which mails are files. */
interface Mailbox {
  /** The newest ones, newest first. */
  list(): Promise<MailboxEntry[]>;
  /** Undefined for a name that no mail has. */
  read(file: string): Promise<MailboxMail | undefined>;
}

function toAddressText(address: Address | undefined): string {
  if (!address) return "";
  return address.name ? `${address.name} <${address.address ?? ""}>` : (address.address ?? "");
}

/** The moment in a file's name, where the mail itself says none. */
function toMoment(file: string): string {
  return file.replace(FILE, "$1-$2-$3T$4:$5:$6Z");
}

function toEntry(file: string, mail: Email): MailboxEntry {
  const date = new Date(mail.date ?? toMoment(file));
  return {
    file,
    date: Number.isNaN(date.getTime()) ? toMoment(file) : date.toISOString(),
    to: (mail.to ?? []).map(toAddressText).join(", "),
    subject: mail.subject ?? "",
  };
}

/** Messages of one second have numbers of their own. */
function compareNewestFirst(a: string, b: string): number {
  const toNumber = (file: string) => Number(FILE.exec(file)?.[7]);
  return toMoment(b).localeCompare(toMoment(a)) || toNumber(b) - toNumber(a);
}

/** What isn't there is undefined: a file may go between the list and its reading. */
async function unlessMissing<Answer>(work: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined; // file errors have a code
    throw error;
  }
}

/** Reads the files of the file transport. */
export function openMailbox(folder: string): Mailbox {
  async function parse(file: string): Promise<Email | undefined> {
    if (!FILE.test(file)) return undefined;
    const bytes = await unlessMissing(readFile(join(folder, file)));
    return bytes && PostalMime.parse(bytes);
  }
  return {
    async list() {
      const names = (await unlessMissing(readdir(folder))) ?? [];
      const files = names.filter((name) => FILE.test(name)).sort(compareNewestFirst);
      const entries = await Promise.all(
        files.slice(0, LIST_MAX).map(async (file) => {
          const mail = await parse(file);
          return mail && toEntry(file, mail);
        }),
      );
      return entries.filter((entry) => entry !== undefined);
    },

    async read(file) {
      const mail = await parse(file);
      return (
        mail && {
          ...toEntry(file, mail),
          from: toAddressText(mail.from),
          headers: mail.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
          text: mail.text ?? null,
          html: mail.html ?? null,
        }
      );
    },
  };
}

/** The owner's view of mails that are files. Only a site in development has it: mails hold codes of other people. */
export function registerMailboxRoutes(
  app: App,
  { mailbox, requireLevel }: { mailbox: Mailbox; requireLevel: RequireLevel },
): void {
  const guards = { onRequest: noStore, preHandler: requireLevel(ACCESS_LEVEL.superuser) };
  const about = { tags: ["mail"], security: SIGNED_IN };

  app.get(
    "/api/mail/mailbox/",
    {
      ...guards,
      schema: { ...about, summary: "Mails that were written to files", response: { 200: mailboxAnswer } },
    },
    async () => ({ mails: await mailbox.list() }),
  );

  app.get(
    "/api/mail/mailbox/:file/",
    {
      ...guards,
      schema: {
        ...about,
        summary: "One such mail",
        params: z.object({ file: z.string() }),
        response: { 200: mailboxMail },
      },
    },
    async (request) => {
      const mail = await mailbox.read(request.params.file);
      if (!mail) throw new AppError("not_found");
      return mail;
    },
  );
}
