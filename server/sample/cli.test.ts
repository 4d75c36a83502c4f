import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { Command } from "commander";
import { registerSampleCommands } from "./cli.ts";
import { createSampleSite, type SampleSite } from "./fixture.ts";

let site: SampleSite;
let closed = 0;
beforeEach(async () => {
  closed = 0;
  site = await createSampleSite();
});
afterEach(() => site.database.close());

/** Runs `foyer sample remove` and gives back what a terminal would see. */
async function remove(): Promise<string> {
  let out = "";
  const program = new Command("foyer").configureOutput({
    writeOut: (text) => {
      out += text;
    },
  });
  const close = async () => void closed++;
  const { storage } = site;
  registerSampleCommands(program, async () => ({ pool: site.database.pool, storage, close }));
  await program.parseAsync(["sample", "remove"], { from: "user" });
  return out;
}

test("says what it removed and what it kept, and then that nothing is left", async () => {
  await site.start();
  await site.database.pool.query(
    "UPDATE cv_education SET url = 'https://example.org', updated_at = clock_timestamp() WHERE position = 1",
  );
  expect(await remove()).toBe(`Removed the sample content:
  CV profile       1
  Links            3
  Experience       4
  Education        1
  Certificates    15
  Tools            7
  Projects         1
  Volunteering     1
  Awards           1
  Publications     1
  Languages        2
  Interests        1
  References       1
  Files           23
Kept, because it was edited since it came:
  Education: University of Nullhaven
`);
  expect(await remove()).toBe("Nothing is left of the sample content.\n");
  expect(closed).toBe(2);
});

test("says so where there never was any, and lets go of the database when it fails", async () => {
  expect(await remove()).toBe("Nothing is left of the sample content.\n");
  await site.database.pool.query("DROP TABLE sample_row");
  await expect(remove()).rejects.toThrow("sample_row");
  expect(closed).toBe(2);
});
