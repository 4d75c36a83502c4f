import type { Logger } from "pino";
import { SAMPLE_MODELS } from "#contract/site/site.ts";
import { hasSuperuser } from "./accounts/store.ts";
import { hasCvProfile } from "./cv/service.ts";
import type { Database } from "./db/open.ts";
import { SAME_WISH_MS } from "./launch/launched.ts";
import { hasSampleRows } from "./sample/service.ts";

/** How a process ends: what was opened last is closed first. */
export interface Shutdown {
  add(close: () => Promise<void>): void;
  /** Ends the process with a message and exit code 1. */
  fail(reason: string): void;
  readonly isStopping: boolean;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Ends the process cleanly on Ctrl-C, SIGTERM, a closed terminal, and when the launcher that started it is gone
 * (its IPC channel closes, whatever killed it). A second signal ends it at once, as a kill would: running requests are lost, and no data.
 */
export function onShutdown(log: Logger): Shutdown {
  const closers: (() => Promise<void>)[] = [];
  let stopping: Promise<void> | undefined;
  let stoppingSince = 0;

  async function closeAll(): Promise<void> {
    for (const close of closers.reverse()) {
      await close().catch((error: unknown) => log.error({ err: error }, "a part did not close cleanly"));
    }
    process.exit();
  }
  const stop = () => {
    if (!stopping) stoppingSince = performance.now();
    stopping ??= closeAll();
  };
  for (const signal of SIGNALS)
    process.on(signal, () => {
      if (stopping && performance.now() - stoppingSince > SAME_WISH_MS) process.exit(1);
      stop();
    });
  process.on("disconnect", stop);
  // The channel alone must not keep the process alive.
  process.channel?.unref();
  return {
    add: (close) => void closers.push(close),
    fail(reason) {
      if (stopping) return;
      console.error(`\nFoyer stops: ${reason}`);
      process.exitCode = 1;
      stop();
    },
    get isStopping() {
      return stopping !== undefined;
    },
  };
}

/**
 * Does what is done at start and daily, one thing after the other. What fails goes to the log by its name and stops neither the
 * rest nor the start: it is done a day later.
 */
export async function runEach(
  log: Pick<Logger, "error">,
  steps: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<void> {
  for (const [name, run] of Object.entries(steps)) {
    try {
      await run();
    } catch (error) {
      log.error({ err: error, step: name }, "a part of the housekeeping failed");
    }
  }
}

/** Prints where the site is, and what to do first as long as nobody has. */
export async function printWelcome(
  database: Pick<Database, "pool" | "version" | "isEmbedded">,
  address: string,
  /** Where mails are files; undefined where they are sent. */
  mailFolder?: string,
  /** Of the link that makes the owner's account. */
  setupToken?: string,
): Promise<void> {
  const { pool } = database;
  const kind = database.isEmbedded ? "its own PostgreSQL" : "PostgreSQL";
  const lines = [`Foyer is ready: ${address}   (${kind} ${database.version})`];
  let facts: [boolean, boolean, boolean];
  try {
    facts = await Promise.all([hasSuperuser(pool), hasCvProfile(pool), hasSampleRows(pool, SAMPLE_MODELS)]);
  } catch (error) {
    // The site runs all the same, and shows what can be read.
    const reason = error instanceof Error ? error.message : String(error);
    lines.push(`  Something in its database can't be read: ${reason}.`);
    lines.push("  /admin/health says what. Stop the site, then save the rest: npm run foyer -- repair");
    console.log(`\n${lines.join("\n")}\n`);
    return;
  }
  const [isOwned, isFilled, isSample] = facts;
  if (!isOwned) {
    lines.push("  First make yourself the owner.");
    if (setupToken !== undefined)
      lines.push(
        "  This link does it once, while this process runs:",
        `    ${address}/setup#${setupToken}`,
        "  or in a second terminal:",
      );
    lines.push("    npm run foyer -- create-superuser --username YOU --email YOU@EXAMPLE.ORG");
  }
  if (isSample) {
    lines.push(
      "  The CV is sample content: an engineer who does not exist. To make it yours, load a JSON Resume file,",
    );
    lines.push("    npm run foyer -- import resume.json            (Turkish: --lang tr)");
    lines.push(`  or edit it at ${address}/admin, and remove what is left of the sample:`);
    lines.push("    npm run foyer -- sample remove");
  } else if (!isFilled) {
    lines.push("  Fill your CV from a JSON Resume file:");
    lines.push("    npm run foyer -- import resume.json            (Turkish: --lang tr)");
  }
  if (mailFolder) {
    lines.push(`  Mails are not sent yet: they are files in ${mailFolder}`);
    lines.push(
      "  To send them, set SMTP_URL, MAIL_FROM and PUBLIC_URL in .env (.env.example shows how), and try it:",
    );
    lines.push("    npm run foyer -- mail test YOU@EXAMPLE.ORG");
  }
  lines.push("  Ctrl-C stops it.");
  console.log(`\n${lines.join("\n")}\n`);
}
