import { readFile, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { buildKey, keyFile, loadSigningKeys } from "./tokens/keys.ts";
import { writeKeyFile } from "./write-key-file.ts";

/** Puts a new signing key first; the older ones still verify what they signed. Counts in a running server from its next start. */
export async function rotateKeys(dataDir: string, now: Date): Promise<{ kid: string; older: number }> {
  await loadSigningKeys(dataDir); // makes the file where there is none, refuses a damaged one
  const path = join(dataDir, "keys", "access-token.json");
  const { keys } = keyFile.parse(JSON.parse(await readFile(path, "utf8")));
  const key = buildKey(now);
  await writeKeyFile(path, { keys: [key, ...keys] }, rename);
  return { kid: key.kid, older: keys.length };
}

/** Adds `foyer rotate-keys`. */
export function registerKeyCommands(program: Command, dataDir: string): void {
  program
    .command("rotate-keys")
    .description("sign tokens with a new key from the next start on; who is signed in stays so")
    .action(async () => {
      const { kid, older } = await rotateKeys(dataDir, new Date());
      console.log(`New signing key ${kid}; older ones that still verify: ${older}.`);
      console.log("Restart Foyer to use it.");
    });
}
