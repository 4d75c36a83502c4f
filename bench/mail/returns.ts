import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import nodemailer from "nodemailer";
import type pg from "pg";
import type { Page } from "playwright-core";
import { findRunning } from "#server/db/embedded/connection.ts";
import { createPool } from "#server/db/pool.ts";
import { toReport } from "#server/mail/reports/returned/test-returned.ts";
import { openConsole, readSession } from "#test/e2e/sign-in.ts";
import type { MailSink, SinkMail } from "#test/mail-sink.ts";
import { openSocketClient } from "#test/socket-client.ts";
import { openBrowser } from "../console/browser.ts";
import { register } from "../outbox/register.ts";
import { type Figure, toMs } from "./figure.ts";

const BAR_MS = 2_000;
const LOOK_MS = 5;
const TOPIC = "admin:mail.bounce";
const STAFF = { username: "bench_staff", email: "staff@foyer.example", password: "Correct-Horse-1" };

/** The running product, the mail server behind it, and the port of its listener. */
export interface ReturnsSite {
  url: string;
  folder: string;
  sink: MailSink;
  inbound: number;
  /** Connections that the server opened over a network, a line each. */
  socketFile: string;
}

export async function openPool({ folder }: ReturnsSite): Promise<pg.Pool> {
  const running = await findRunning(folder);
  if (!running) throw new Error("no server runs on the data folder");
  return createPool(running, { name: "foyer bench", max: 1, onError: () => undefined });
}

/** A mail as any server hands it to the listener. @throws what nodemailer throws of a refusal. */
export async function handIn({ inbound }: ReturnsSite, raw: Buffer, to: string): Promise<void> {
  const mailer = nodemailer.createTransport({ host: "127.0.0.1", port: inbound, ignoreTLS: true });
  try {
    await mailer.sendMail({ envelope: { from: "", to: [to] }, raw });
  } finally {
    mailer.close();
  }
}

/** The next mail of somebody who registers, as the mail server got it. */
export async function sendMail(site: ReturnsSite, round: number): Promise<SinkMail> {
  const { email } = await register(site.url, round, 0);
  for (;;) {
    const mail = site.sink.accepted.find(({ recipient }) => recipient === email);
    if (mail) return mail;
    await sleep(LOOK_MS);
  }
}

async function signIn({ url, folder }: ReturnsSite): Promise<string> {
  const words = ["server/cli.ts", "create-superuser", "--username", STAFF.username, "--email", STAFF.email];
  const env = { ...process.env, FOYER_DATA_DIR: folder, FOYER_PASSWORD: STAFF.password };
  execFileSync(process.execPath, words, { env });
  const answer = await fetch(`${url}/api/users/login/`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: STAFF.username, password: STAFF.password }),
  });
  return readSession(await answer.json()).token;
}

async function waitFor(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(LOOK_MS);
}

function toFigure(name: string, times: readonly number[]): Figure {
  const worst = Math.max(...times);
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
  return {
    name,
    bar: `≤ ${BAR_MS} ms`,
    measured: `worst of ${times.length}: ${toMs(worst)}, median ${toMs(median)}`,
    isMet: worst <= BAR_MS,
  };
}

/** How many mails have come back, as the dashboard's card says it; null while there is no card. */
const readDrawn = (page: Page) =>
  page.evaluate(() => {
    const cards = [...document.querySelectorAll(".rate-card")];
    const text = cards.find((card) => card.querySelector("h2")?.textContent === "Bounce rate")?.textContent;
    const [, count] = text?.match(/(\d+) of \d+/) ?? [];
    return count === undefined ? null : Number(count);
  });

/** From the moment on which another server begins to hand the return in. */
export async function measureReturns(site: ReturnsSite, rounds: number): Promise<Figure[]> {
  const token = await signIn(site);
  const pool = await openPool(site);
  const address = `${site.url.replace("http", "ws")}/socket/websocket?vsn=2.0.0&token=${token}`;
  // A console that is open on the list of returned mail.
  const client = await openSocketClient(address);
  if ((await client.join(TOPIC)) !== "ok") throw new Error(`${TOPIC} is refused`);
  const countReceived = () =>
    client.frames.filter(([, , topic, event]) => topic === TOPIC && event !== "phx_reply").length;
  const browser = await openBrowser();
  const suppressed: number[] = [];
  const received: number[] = [];
  const drawn: number[] = [];
  try {
    const page = await (await browser.newContext({ locale: "en" })).newPage();
    await openConsole(page, site.url, "/admin/email-monitoring", STAFF);
    await page.getByRole("heading", { name: "Bounce rate" }).waitFor();
    for (let round = 1; round <= rounds; round += 1) {
      const { sender, recipient } = await sendMail(site, round);
      const receivedBefore = countReceived();
      const status = `Final-Recipient: rfc822; ${recipient}\nAction: failed\nStatus: 5.1.1`;
      const raw = toReport({ to: sender, status, original: "Subject: a mail" });
      const begin = performance.now();
      await handIn(site, raw, sender);
      const since = () => performance.now() - begin;
      const isStopped = async () =>
        (await pool.query("SELECT FROM mail_suppression WHERE address = $1", [recipient])).rows.length > 0;
      const [stoppedMs, receivedMs, drawnMs] = await Promise.all([
        waitFor(isStopped).then(since),
        waitFor(async () => countReceived() > receivedBefore).then(since),
        waitFor(async () => (await readDrawn(page)) === round).then(since),
      ]);
      suppressed.push(stoppedMs);
      received.push(receivedMs);
      drawn.push(drawnMs);
    }
  } finally {
    await browser.close();
    client.close();
    await pool.end();
  }
  return [
    toFigure("returned mail → suppressed", suppressed),
    toFigure("returned mail → open console told", received),
    toFigure("returned mail → drawn on the open dashboard", drawn),
  ];
}
