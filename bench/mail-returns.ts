import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { makeTestFolder } from "#server/db/embedded/test-folder.ts";
import { openMailSink } from "#test/mail-sink.ts";
import { printFigures } from "./mail/figure.ts";
import { measureForgeries } from "./mail/forgeries.ts";
import { measureReturns } from "./mail/returns.ts";

import { findFreePort, startServer } from "./outbox/server-process.ts";

/**
 * `npm run bench:mail-returns [-- --rounds 20]`: how soon a mail that comes back stops the next one, and how soon a dashboard that is
 * open in a browser hears of it and shows it, through the product's own process, its listener and a socket; then what forged
 * reports make it do. With FOYER_OUT_DIR the browser app in that folder is taken as it is, otherwise it is built first.
 */
const { values: options } = parseArgs({ options: { rounds: { type: "string", default: "20" } } });
if (!process.env.FOYER_OUT_DIR) execFileSync(process.execPath, ["bin/build.mjs"], { stdio: "inherit" });

const { folder, remove } = await makeTestFolder();
const sink = await openMailSink();
const inbound = await findFreePort();
const socketFile = join(folder, "sockets");
const settings = {
  SMTP_URL: sink.url,
  PUBLIC_URL: "http://foyer.example",
  MAIL_FROM: "Foyer <site@foyer.example>",
  MAIL_BOUNCES: "back@foyer.example",
  MAIL_FEEDBACK: "fbl@foyer.example",
  MAIL_LISTEN: `127.0.0.1:${inbound}`,
  SES_TOPICS: "arn:aws:sns:eu-central-1:123456789012:foyer-mail",
  POSTMARK_WEBHOOK: "foyer:0123456789abcdef",
  MAILGUN_SIGNING_KEY: "0123456789abcdef0123456789abcdef",
  MAIL_WEBHOOK_SECRETS: "0123456789abcdef0123456789abcdef",
  TRUST_PROXY: "true",
  FOYER_BENCH_SOCKETS: socketFile,
  NODE_OPTIONS: `--import=${join(import.meta.dirname, "mail/count-sockets.mjs")}`,
};
const server = await startServer(folder, settings);
try {
  const site = { url: server.url, folder, sink, inbound, socketFile };
  printFigures([...(await measureReturns(site, Number(options.rounds))), ...(await measureForgeries(site))]);
} finally {
  await server.stop();
  await sink.close();
  await remove();
}
