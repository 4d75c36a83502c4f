import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import PostalMime, { type Email } from "postal-mime";
import type { Site } from "./site.ts";

const POLL_MS = 100;
/** A guard against what hangs. */
const PATIENCE_MS = 120_000;

/** The mails that a site wrote into its folder so far, oldest first. */
async function readMails(site: Site): Promise<Email[]> {
  const folder = join(site.dataDir, "mail");
  const names = readdirSync(folder).filter((name) => name.endsWith(".eml"));
  return Promise.all(names.sort().map((name) => PostalMime.parse(readFileSync(join(folder, name)))));
}

const isFor = (mail: Email, address: string) => mail.to?.some((one) => one.address === address) ?? false;

/** The newest mail to an address, once there are `count` of them. */
export async function waitForMail(site: Site, address: string, count = 1): Promise<Email> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    const mails = (await readMails(site)).filter((mail) => isFor(mail, address));
    const newest = mails.at(-1);
    if (newest && mails.length >= count) return newest;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`${address} got fewer than ${count} mails`);
}

/** The six digits that a mail's subject begins with or holds. */
export function readCode(mail: Email): string {
  const code = /\b\d{6}\b/.exec(mail.subject ?? "")?.[0];
  if (!code) throw new Error(`no code in "${mail.subject}"`);
  return code;
}
