import { type Command, Option } from "commander";
import type pg from "pg";
import { LANGUAGES, toLanguage } from "#contract/languages.ts";
import { findContactFault } from "#contract/site/contact.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { SYSTEM_ACTOR } from "../base/actor.ts";
import { notifyChange } from "../db/change-notices.ts";
import { endHold } from "./alarms/alarms.ts";
import type { OutgoingMail } from "./kind.ts";
import { MESSAGE_MODEL, type QueueDeps, queueMail } from "./outbox/message.ts";
import { type MessageState, selectState } from "./outbox/store.ts";
import { createOutboxWorker, type WorkerDeps } from "./outbox/worker.ts";

/** The outbox as a command opens it, beside a running server or without one. */
export interface CommandOutbox {
  worker: WorkerDeps;
  queue: QueueDeps;
  close(): Promise<void>;
}

/** Queues a mail and leases it in one transaction: a server that runs beside this process never gets hold of it. */
async function sendNow({ worker: deps, queue }: CommandOutbox, mail: OutgoingMail): Promise<MessageState> {
  const worker = createOutboxWorker(deps);
  const pool: pg.Pool = deps.pool;
  const { id, leased } = await withTransaction(pool, async (client) => {
    const id = await queueMail(queue, client, mail);
    if (id === undefined) throw new Error("the mail was taken for another one");
    return { id, leased: await worker.lease(client, id) };
  });
  worker.begin(leased);
  await worker.settle();
  await notifyChange(pool, MESSAGE_MODEL);
  const state = await selectState(pool, id);
  if (!state) throw new Error("the mail's row is gone");
  return state;
}

async function withOutbox<Answer>(
  open: () => Promise<CommandOutbox>,
  work: (outbox: CommandOutbox) => Promise<Answer>,
): Promise<Answer> {
  const outbox = await open();
  try {
    return await work(outbox);
  } finally {
    await outbox.close();
  }
}

/** What went wrong, for a terminal; undefined when the mail is on its way. */
function toFault({ status, response }: MessageState): string | undefined {
  switch (status) {
    case "sent":
      return undefined;
    case "suppressed":
      return "this address is on the list of those that get no mail.";
    case "pending":
      return `${response ?? "no answer"}. The server tries again later.`;
    default:
      return response ?? status;
  }
}

/** Adds `mail test` and `mail release`. */
export function registerMailCommands(program: Command, open: () => Promise<CommandOutbox>): void {
  const mail = program.command("mail").description("try the mail server, and release mails that wait");
  mail
    .command("release")
    .description("send the mails that have waited since a restore or an alarm")
    .option("--discard", "never send them: they are called off")
    .action(async ({ discard = false }: { discard?: boolean }) => {
      const count = await withOutbox(open, ({ worker }) =>
        withTransaction(worker.pool, (db) =>
          endHold(db, {
            actor: SYSTEM_ACTOR,
            way: discard ? "discard" : "release",
            contentTypeId: null,
            now: worker.now(),
          }),
        ),
      );
      const what = `${count} ${count === 1 ? "mail" : "mails"}`;
      const line = discard ? `${what} will never be sent.` : `${what} released: a running server sends them.`;
      program.configureOutput().writeOut?.(`${line}\n`);
    });
  mail
    .command("test <address>")
    .description("send a test mail now, the way all mails go, and say what came of it")
    .addOption(new Option("--lang <language>", "language of the mail").choices(LANGUAGES).default("en"))
    .action(async (recipient: string, { lang }: { lang: string }) => {
      if (findContactFault("email", recipient))
        program.error(`${recipient} is no e-mail address.`, { exitCode: 1 });
      const mail = { kind: "test", recipient, language: toLanguage(lang) } as const;
      const state = await withOutbox(open, (outbox) => sendNow(outbox, mail));
      const fault = toFault(state);
      if (fault !== undefined) program.error(`The test mail was not sent: ${fault}`, { exitCode: 1 });
      program.configureOutput().writeOut?.(`The test mail was handed over: ${state.response}\n`);
    });
}
