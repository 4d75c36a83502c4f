import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { listMailFiles, readMailFile } from "#server/mail/reports/returned/test-returned.ts";
import type { Figure } from "./figure.ts";
import { handIn, openPool, type ReturnsSite, sendMail } from "./returns.ts";

const ATTACKS = join(process.cwd(), "test/mail/attacks");
const WEBHOOKS = ["ses", "postmark", "mailgun", "signed"];
const FOLDERS = ["attacks", "dsn", "arf"];
/** A guess at somebody's return path. */
const GUESSED = `back+b-${"0".repeat(24)}@foyer.example`;
/** Nothing says that a server has nothing more to do; it takes milliseconds. */
const SETTLE_MS = 3_000;

const countSockets = ({ socketFile }: ReturnsSite) =>
  existsSync(socketFile) ? readFileSync(socketFile, "utf8").split("\n").length - 1 : 0;

/** @returns the status; 413 where the server closed the line in the middle of a body that is too large. */
async function post(address: string, body: string): Promise<number> {
  try {
    const headers = { "content-type": "text/plain; charset=UTF-8" };
    return (await fetch(address, { method: "POST", headers, body })).status;
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    if (code === "EPIPE" || code === "ECONNRESET") return 413;
    throw error;
  }
}

/** What nobody has proven, at every webhook: the SNS attacks, and what isn't even JSON. */
async function postForgeries({ url }: ReturnsSite): Promise<number[]> {
  const bodies = readdirSync(ATTACKS)
    .filter((name) => /^sns-\d.*\.json$/.test(name))
    .map((name) => readFileSync(join(ATTACKS, name), "utf8"));
  const statuses: number[] = [];
  for (const webhook of WEBHOOKS)
    for (const body of [...bodies, "", "{", "[[]]", '{"Type":["Notification"]}']) {
      statuses.push(await post(`${url}/api/mail/webhooks/${webhook}/`, body));
    }
  return statuses;
}

/**
 * Reports of others' mails: to a guessed return path, which is refused, to the feedback address, and to a path that somebody was
 * told. To that one no complaints: a complaint may leave its recipient out, and whoever knows the path is who got the mail.
 */
async function mailForgeries(site: ReturnsSite, known: string): Promise<number> {
  let handed = 0;
  for (const folder of FOLDERS)
    for (const file of listMailFiles(folder)) {
      const raw = readMailFile(folder, file);
      const isComplaint = file.startsWith("arf-") || folder === "arf";
      for (const to of [GUESSED, "fbl@foyer.example", ...(isComplaint ? [] : [known])]) {
        handed += 1;
        // Refused when the mail server names the recipient, as most are.
        await handIn(site, raw, to).catch(() => undefined);
      }
    }
  return handed;
}

/** Suppressions that forged reports make, and connections that they make the server open: none. */
export async function measureForgeries(site: ReturnsSite): Promise<Figure[]> {
  const { sender } = await sendMail(site, 1_000);
  const pool = await openPool(site);
  try {
    const count = async () => {
      const { rows } = await pool.query<{ count: number }>(
        "SELECT count(*)::integer AS count FROM mail_suppression",
      );
      return rows[0]?.count ?? Number.NaN;
    };
    await sleep(SETTLE_MS);
    const before = { sockets: countSockets(site), suppressions: await count() };
    const statuses = await postForgeries(site);
    const handed = await mailForgeries(site, sender);
    await sleep(SETTLE_MS);
    const sockets = countSockets(site) - before.sockets;
    const suppressions = (await count()) - before.suppressions;
    const taken = statuses.filter((status) => status < 400).length;
    const all = statuses.length + handed;
    return [
      {
        name: `${statuses.length} forged webhook calls: taken`,
        bar: "0",
        measured: String(taken),
        isMet: taken === 0,
      },
      {
        name: `${all} forged reports: suppressions made`,
        bar: "0",
        measured: String(suppressions),
        isMet: suppressions === 0,
      },
      {
        name: `${all} forged reports: connections opened`,
        bar: "0",
        measured: String(sockets),
        isMet: sockets === 0,
      },
      {
        name: "connections that were counted before, to the mail server",
        bar: "≥ 1",
        measured: String(before.sockets),
        isMet: before.sockets > 0,
      },
    ];
  } finally {
    await pool.end();
  }
}
