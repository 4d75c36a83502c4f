import type { Command } from "commander";
import type pg from "pg";
import { AppError, type FieldFault, toErrorText } from "#server/base/errors.ts";
import { createSuperuser } from "./owners.ts";
import { CommandError, readPassword, type Terminal } from "./read-password.ts";

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

/** Adds the commands of accounts. `open` brings the database up, migrated; `close` lets go of it. */
export function registerAccountCommands(
  program: Command,
  open: () => Promise<{ pool: pg.Pool; close: () => Promise<void> }>,
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
        const { pool, close } = await open();
        try {
          const { username } = await createSuperuser(pool, { ...options, password });
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
}
