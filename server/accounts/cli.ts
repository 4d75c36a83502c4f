import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import type { Command } from "commander";
import type pg from "pg";
import { AppError, type FieldFault, toErrorText } from "#server/base/errors.ts";
import type { MailService } from "#server/mail/service.ts";
import { removeAllFactors } from "./factors/manage.ts";
import { createSuperuser } from "./owners.ts";
import { hashPassword } from "./passwords/hashing.ts";
import { createPasswordRules } from "./passwords/password-rules.ts";

function toFaultText({ field, code, vars }: FieldFault): string {
  return `${field}: ${toErrorText(code, "en", vars)}`;
}

/** The line for a fault that the person can put right; undefined for any other. */
function toLine(error: unknown): string | undefined {
  if (error instanceof CommandError) return error.message;
  return error instanceof AppError && error.fields.length > 0
    ? error.fields.map(toFaultText).join("; ")
    : undefined;
}

/** Adds the commands of accounts. `open` brings the database up, migrated; its `close` lets go of it. */
export function registerAccountCommands(
  program: Command,
  site: {
    open: () => Promise<{ pool: pg.Pool; close: () => Promise<void> }>;
    /** The same with a queue for mails. */
    openMail: () => Promise<{ pool: pg.Pool; mail: Pick<MailService, "queue">; close: () => Promise<void> }>;
    publicUrl?: string | undefined;
    breachedPasswordsUrl?: string | undefined;
  },
  terminal: Terminal = { environment: process.env, input: process.stdin, output: process.stdout },
): void {
  program
    .command("create-superuser")
    .description("create an account that may do everything (password from FOYER_PASSWORD, or asked for)")
    .requiredOption("--username <username>", "3 to 30 letters, digits or underscores")
    .requiredOption("--email <email>", "e-mail address")
    .action(async (options: { username: string; email: string }) => {
      try {
        const password = await readPassword(terminal);
        const passwordRules = createPasswordRules({
          publicUrl: site.publicUrl,
          rangesUrl: site.breachedPasswordsUrl,
          log: { warn: (_details, message) => terminal.output.write(`${message}\n`) },
        });
        const { pool, close } = await site.open();
        try {
          const { username } = await createSuperuser(
            { pool, passwords: { hash: hashPassword }, passwordRules },
            { ...options, password },
          );
          terminal.output.write(`Created the superuser ${username}.\n`);
        } finally {
          await close();
        }
      } catch (error) {
        const line = toLine(error);
        if (line === undefined) throw error;
        program.error(`No superuser was created: ${line}`, { exitCode: 1 });
      }
    });

  program
    .command("reset-second-factor")
    .description("take all second factors of a person away who lost them; the password alone logs in then")
    .requiredOption("--username <username>", "username or e-mail address")
    .action(async (options: { username: string }) => {
      const { pool, mail, close } = await site.openMail();
      try {
        const { username } = await removeAllFactors({ pool, mail, clock: Date.now }, options.username);
        terminal.output.write(
          `${username} has no second factor any more, was logged out everywhere, and gets a mail.\n`,
        );
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const reason = error.code === "object_not_found" ? "nobody has this name" : "this person has none";
        program.error(`Nothing was taken away: ${reason}.`, { exitCode: 1 });
      } finally {
        await close();
      }
    });
}

/** Where a command reads and writes. */
interface Terminal {
  environment: NodeJS.ProcessEnv;
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

/** What a person at the terminal can put right; its message is the one line they read. */
class CommandError extends Error {
  override name = "CommandError";
}

/** Asks questions one after the other; what is typed is not shown. Undefined when the person gives up (Ctrl-C, Ctrl-D). */
async function askHidden(terminal: Terminal, questions: readonly string[]): Promise<string[] | undefined> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: terminal.input, output: nowhere, terminal: true });
  const lines = prompt[Symbol.asyncIterator]();
  const answers: string[] = [];
  try {
    for (const question of questions) {
      terminal.output.write(question);
      const line = await lines.next();
      terminal.output.write("\n");
      if (line.done) return undefined;
      answers.push(line.value);
    }
    return answers;
  } finally {
    prompt.close();
  }
}

/** The password of a new account: `FOYER_PASSWORD`, else asked for twice. @throws CommandError. */
async function readPassword(terminal: Terminal): Promise<string> {
  const given = terminal.environment.FOYER_PASSWORD;
  if (given) return given;
  if (!terminal.input.isTTY) {
    throw new CommandError("no password: set FOYER_PASSWORD, or run this in a terminal to be asked for it");
  }
  const answers = await askHidden(terminal, ["Password: ", "Password again: "]);
  if (!answers) throw new CommandError("cancelled");
  if (answers[0] !== answers[1]) throw new CommandError("the two passwords differ");
  return answers[0] ?? "";
}
