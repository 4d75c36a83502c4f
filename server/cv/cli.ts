import { writeFile } from "node:fs/promises";
import { type Command, Option } from "commander";
import type pg from "pg";
import { LANGUAGES, toLanguage } from "#contract/languages.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { type ImportCommandDeps, registerImportCommand } from "./import/cli.ts";
import { createImportService } from "./import/service.ts";
import { createCvService } from "./service.ts";

/** The database as a command opens it, beside a running server or without one. */
export interface CommandDatabase {
  pool: pg.Pool;
  /** Without a timeout of its own. */
  exportPool: pg.Pool;
  close(): Promise<void>;
}

function languageOption(): Option {
  return new Option("--lang <language>", "language of the file").choices(LANGUAGES).default("en");
}

/** Adds `import` and `export`. `publicUrl` makes addresses of files in exports absolute. */
export function registerCvCommands(
  program: Command,
  deps: {
    open: () => Promise<CommandDatabase>;
    registry: Registry;
    publicUrl: string | undefined;
    /** Backs up what is there, before an import changes it. @returns where to; undefined: by the settings it goes without */
    backUp(pool: pg.Pool): Promise<string | undefined>;
  } & Pick<ImportCommandDeps, "ask">,
): void {
  const { open, registry, publicUrl, backUp } = deps;
  const withDatabase = async <Answer>(
    work: (database: CommandDatabase) => Promise<Answer>,
  ): Promise<Answer> => {
    const database = await open();
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  };
  const print = (text: string) => program.configureOutput().writeOut?.(text);

  registerImportCommand(program, {
    withService: (work) =>
      withDatabase((database) =>
        work(createImportService({ ...database, registry, publicUrl }), () => backUp(database.exportPool)),
      ),
    ask: deps.ask,
  });

  program
    .command("export")
    .description("write the CV as a JSON Resume 1.x file")
    .addOption(languageOption())
    .option("--out <file>", "where to write it; without it, to the terminal")
    .action(async (options: { lang: string; out?: string }) => {
      const text = await withDatabase(({ pool }) =>
        createCvService({ pool, registry, publicUrl }).getResume(toLanguage(options.lang)),
      );
      if (options.out === undefined) return void print(text);
      await writeFile(options.out, text);
      print(`Wrote ${options.out}\n`);
    });
}
