import { writeFile } from "node:fs/promises";
import { type Command, Option } from "commander";
import type pg from "pg";
import { LANGUAGES, toLanguage } from "#contract/languages.ts";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { ResumeError } from "./resume/faults.ts";
import { formatReport } from "./resume/import-report.ts";
import { readResumeFile } from "./resume/resume-file.ts";
import { type CvService, createCvService } from "./service.ts";

/** The database as a command opens it, beside a running server or without one. */
export interface CommandDatabase {
  pool: pg.Pool;
  close(): Promise<void>;
}

function languageOption(): Option {
  return new Option("--lang <language>", "language of the file").choices(LANGUAGES).default("en");
}

/** Adds `import` and `export`. `publicUrl` makes addresses of files in exports absolute. */
export function registerCvCommands(
  program: Command,
  deps: { open: () => Promise<CommandDatabase>; registry: Registry; publicUrl: string | undefined },
): void {
  const { open, registry, publicUrl } = deps;
  const withService = async <Answer>(work: (service: CvService) => Promise<Answer>): Promise<Answer> => {
    const { pool, close } = await open();
    try {
      return await work(createCvService({ pool, registry, publicUrl }));
    } finally {
      await close();
    }
  };
  const print = (text: string) => program.configureOutput().writeOut?.(text);

  program
    .command("import <file>")
    .description("make a JSON Resume 1.x file one language of the CV")
    .addOption(languageOption())
    .action(async (file: string, options: { lang: string }) => {
      try {
        const text = await readResumeFile(file);
        print(
          formatReport(
            await withService((cv) => cv.importResume(text, toLanguage(options.lang), SYSTEM_ACTOR)),
          ),
        );
      } catch (error) {
        if (error instanceof ResumeError) program.error(error.message, { exitCode: 1 });
        throw error;
      }
    });

  program
    .command("export")
    .description("write the CV as a JSON Resume 1.x file")
    .addOption(languageOption())
    .option("--out <file>", "where to write it; without it, to the terminal")
    .action(async (options: { lang: string; out?: string }) => {
      const text = await withService((cv) => cv.getResume(toLanguage(options.lang)));
      if (options.out === undefined) return void print(text);
      await writeFile(options.out, text);
      print(`Wrote ${options.out}\n`);
    });
}
