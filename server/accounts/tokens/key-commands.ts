import type { Command } from "commander";
import type pg from "pg";
import { DatabaseStartError } from "#server/db/embedded/start-error.ts";
import type { KeyPlace } from "#server/db/keys/key-place.ts";
import { takeKeysOut } from "#server/db/keys/open-keys.ts";
import { retireKeys, rotateKeys, type SigningKeys, SigningKeysError } from "./keys.ts";

/** What goes with a key that is taken out. */
const RETIRING_ENDS = `Taking older keys out ends what only they vouch for:
  sessions that have not been renewed since the newest key was made: those people sign in again
  browsers that were known since before: a sign-in there is mailed about, and counts as a stranger's
  codes and links in mails that were sent before, and mails that still wait with a code in them`;

/** A site's database, and where its keys are. */
interface OpenedKeys {
  pool: pg.Pool;
  /** Of the database: a process runs on it. */
  isBeside: boolean;
  place: KeyPlace;
  close(): Promise<void>;
}

export interface KeyCommandDeps {
  open(): Promise<OpenedKeys>;
  /**
   * Hides with the first key what the others hide in the database, and gives the people whose secret no key can read. It
   * throws SigningKeysError while a server runs that doesn't know the first key.
   */
  reseal(opened: OpenedKeys, keys: SigningKeys): Promise<readonly number[]>;
  dataDir: string;
  /** KEYS_SECRET. */
  keysSecret: string | undefined;
}

/** Adds `foyer rotate-keys` and `foyer keys-to-folder`. */
export function registerKeyCommands(
  program: Command,
  { open, reseal, dataDir, keysSecret }: KeyCommandDeps,
): void {
  const refuse = (error: unknown): never => {
    if (error instanceof SigningKeysError || error instanceof DatabaseStartError)
      program.error(error.message, { exitCode: 1 });
    throw error;
  };
  const withKeys = async (work: (opened: OpenedKeys) => Promise<void>) => {
    try {
      const opened = await open();
      await work(opened).finally(opened.close);
    } catch (error) {
      refuse(error);
    }
  };

  async function retire(opened: OpenedKeys): Promise<void> {
    const { place } = opened;
    const { kid, retired, answer: lost } = await retireKeys(place, (keys) => reseal(opened, keys));
    if (lost.length > 0)
      console.log(
        `Authenticator apps that no key can read: of the people ${lost.join(", ")}. They use another factor, or you take it away: npm run foyer -- reset-second-factor NAME`,
      );
    console.log(
      `${retired} older ${retired === 1 ? "key was" : "keys were"} taken out; ${kid} is the only one.`,
    );
    if (!place.isShared) console.log("A running Foyer goes on with the older ones until you restart it.");
  }

  async function rotate({ place }: OpenedKeys): Promise<void> {
    const { kid, older } = await rotateKeys(place, new Date());
    console.log(`New signing key ${kid}; older ones that still verify: ${older}.`);
    console.log(place.isShared ? "Running processes sign with it in a minute." : "Restart Foyer to use it.");
  }

  program
    .command("rotate-keys")
    .description("make a new key that log-ins are signed with from the next start on; nobody is logged out")
    .option("--retire", "make none, and take every key but the newest out; what they vouch for ends")
    .option("--yes", "with --retire: do it without asking")
    .action(async ({ retire: isRetiring = false, yes = false }: { retire?: boolean; yes?: boolean }) => {
      if (isRetiring && !yes)
        program.error(
          `${RETIRING_ENDS}\nNothing was changed. To do it: npm run foyer -- rotate-keys --retire --yes`,
          { exitCode: 1 },
        );
      await withKeys(isRetiring ? retire : rotate);
    });
  program
    .command("keys-to-folder")
    .description(
      "write keys that are in the database (KEYS_SECRET) into the data folder, and take them out there",
    )
    .action(async () => {
      if (keysSecret === undefined)
        program.error(
          "KEYS_SECRET is not set: without it the keys are in the data folder, or can't be read.",
          {
            exitCode: 1,
          },
        );
      await withKeys(async ({ pool, isBeside }) => {
        const names = await takeKeysOut(pool, { dataDir, keysSecret, isBeside });
        console.log(`Written into ${dataDir}/keys: ${names.join(", ")}. The database holds them no more.`);
        console.log(
          "Now take KEYS_SECRET out of the settings, and start Foyer: a start with it moves them back.",
        );
      });
    });
}
