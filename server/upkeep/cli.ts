import type { Command } from "commander";
import type { Config } from "../config.ts";
import { examine } from "./doctor.ts";
import type { DoctorDeps } from "./doctor-backups.ts";
import { installService, printUnit, type ServiceOptions } from "./install-service.ts";
import { examineSharing } from "./sharing.ts";
import { run, UpkeepError } from "./system.ts";
import { checkForUpdate, update } from "./update.ts";

const SERVICE = "foyer";
const MEMORY = "75%";

export interface UpkeepCommandDeps {
  config: Config;
  /** The clone. */
  root: string;
  copies: DoctorDeps["copies"];
  bucket: DoctorDeps["bucket"];
}

/** Adds `install-service`, `update`, `check` and `doctor`. */
export function registerUpkeepCommands(
  program: Command,
  { config, root, copies, bucket }: UpkeepCommandDeps,
): void {
  const write = (line: string) => program.configureOutput().writeOut?.(`${line}\n`);
  const deps = {
    config,
    root,
    run,
    now: () => new Date(),
    onProgress: (line: string) => console.error(line),
  };
  const attempt = async (work: () => Promise<readonly string[]>): Promise<void> => {
    try {
      for (const line of await work()) write(line);
    } catch (error) {
      if (!(error instanceof UpkeepError)) throw error;
      program.error(error.message, { exitCode: 1 });
    }
  };
  program
    .command("install-service")
    .description(
      "make the site a service of systemd: it starts with the machine, under an account of its own",
    )
    .option("--name <name>", "name of the service; two sites on one machine need two", SERVICE)
    .option(
      "--user <account>",
      "account that the site runs as; it is made unless it is there (default: the service's name)",
    )
    .option("--memory <limit>", "how much memory the site may take: 768M, 75%, infinity", MEMORY)
    .option("--print", "show the unit, and change nothing")
    .action((options: ServiceOptions & { print?: true }) =>
      attempt(async () => (options.print ? [await printUnit(options, deps)] : installService(options, deps))),
    );
  program
    .command("update")
    .description(
      "install the newest version: it is built while the site runs, and taken back if it doesn't work",
    )
    .option("--to <tag>", "install this version, and not the newest")
    .option("--check", "only say whether there is a newer version")
    .option("--service <name>", "name of the site's service", SERVICE)
    .action((options: { to?: string; check?: true; service: string }) =>
      attempt(async () => {
        const given = { ...deps, service: options.service };
        return options.check ? [await checkForUpdate(given)] : update(options.to, given);
      }),
    );
  program
    .command("check")
    .description("say what several processes of the site share, and what is each one's own")
    .action(() =>
      attempt(async () => {
        const { lines, isWell } = await examineSharing(config, bucket);
        if (!isWell) process.exitCode = 1;
        return lines;
      }),
    );
  program
    .command("doctor")
    .description("look at everything that the site stands on, and say what to do")
    .option("--service <name>", "name of the site's service", SERVICE)
    .action(({ service }: { service: string }) =>
      attempt(async () => {
        const print = (chosen: { user: string; memory: string }) =>
          printUnit({ name: service, ...chosen }, deps);
        const { lines, isWell } = await examine({ ...deps, service, copies, bucket, printUnit: print });
        if (!isWell) process.exitCode = 1;
        return lines;
      }),
    );
}
