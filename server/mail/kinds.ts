import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as z from "zod";
import type { MailKind, MailName, OutgoingMail } from "./kind.ts";

const FOLDER = join(import.meta.dirname, "kinds");

/** One after the other: Jest's loader loses modules that are asked for twice at the same time. */
async function loadAll(): Promise<ReadonlyMap<string, MailKind>> {
  const kinds = new Map<string, MailKind>();
  for (const file of readdirSync(FOLDER)
    .sort()
    .filter((name) => !name.endsWith(".test.ts"))) {
    const { kind } = (await import(pathToFileURL(join(FOLDER, file)).href)) as { kind?: MailKind };
    if (!kind) throw new Error(`server/mail/kinds/${file} exports no kind`);
    kinds.set(kind.name, kind);
  }
  return kinds;
}

/** Every kind of mail by its name: each file of `kinds/` is one, and nothing else lists them. */
export const MAIL_KINDS = await loadAll();

/** The kind of a mail that can be queued. */
export function getMailKind<Name extends MailName>(mail: OutgoingMail<Name>): MailKind<Name> {
  const kind = MAIL_KINDS.get(mail.kind);
  if (!kind) throw new Error(`there is no kind of mail called ${mail.kind}`);
  return kind as unknown as MailKind<Name>; // the file that has this name declares these values
}

function namesOf(isIt: (kind: MailKind) => boolean | undefined): readonly string[] {
  return [...MAIL_KINDS.values()].filter(isIt).map(({ name }) => name);
}

/** Names of kinds that a suppression of scope `optional` stops; it stops no others. */
export const OPTIONAL_KINDS = namesOf(({ isOptional }) => isOptional);

/** Names of kinds of which the outbox keeps no words once the mail is done. */
export const FOREIGN_TEXT_KINDS = namesOf(({ hasForeignText }) => hasForeignText);

/** Names of kinds that no figure counts and whose return stops no mail. */
export const TRIAL_KINDS = namesOf(({ isTrial }) => isTrial);

/** Names of kinds that bring a code: such a mail is of no use twice. */
export const CODE_KINDS = namesOf(({ values }) => values instanceof z.ZodObject && "code" in values.shape);
