import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type ChangeFeed, openChangeFeed } from "#server/db/change-feed.ts";
import { makeTestFolder } from "#server/db/embedded/test-folder.ts";
import { type KeyPlace, openKeyFolder } from "#server/db/keys/key-place.ts";
import { openKeyPlace } from "#server/db/keys/open-keys.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { until } from "#test/until.ts";
import { ACCOUNT } from "../test-account.ts";
import { createAccessTokens } from "./access-token.ts";
import { type KeyRing, ofKeys, openKeyRing } from "./key-ring.ts";
import { deriveSecrets, retireKeys, rotateKeys } from "./keys.ts";

const SECRET = "a-secret-of-at-least-32-characters";
const NOW = new Date("2026-05-01T10:00:00Z");

let database: TestDatabase;
let folder: Awaited<ReturnType<typeof makeTestFolder>>;
let place: KeyPlace;
let feeds: ChangeFeed[];
let rings: KeyRing[];
/** How often a process looked at the keys. */
let reads = 0;
/** What processes wait for, in milliseconds, and what they do then. */
let waiting: { ms: number; work: () => void }[];
const log = { warn: () => undefined };
beforeEach(async () => {
  database = await createTestDatabase();
  folder = await makeTestFolder();
  place = await openKeyPlace(database.pool, { dataDir: folder.folder, keysSecret: SECRET }, log);
  [feeds, rings, waiting] = [[], [], []];
});
afterEach(async () => {
  for (const ring of rings) ring.close();
  for (const feed of feeds) await feed.close();
  await database.close();
  await folder.remove();
});

/** A process of the site. */
async function start(): Promise<KeyRing> {
  const feed = await openChangeFeed(database.connection, log);
  feeds.push(feed);
  const ring = await openKeyRing({
    place: {
      ...place,
      async read(name) {
        const file = await place.read(name);
        reads += 1;
        return file;
      },
    },
    feed,
    log,
    after(ms, work) {
      const entry = { ms, work };
      waiting.push(entry);
      return () => {
        waiting = waiting.filter((one) => one !== entry);
      };
    },
  });
  rings.push(ring);
  return ring;
}

const kidsOf = (ring: KeyRing) => ring.current().map(({ kid }) => kid);
const age = () => database.pool.query("UPDATE site_key SET changed_at = changed_at - interval '1 minute'");
/** The minute is over, for all processes. */
async function settle(): Promise<void> {
  await age();
  for (const { work } of waiting.splice(0)) work();
}
const toTokens = (ring: KeyRing) => ofKeys(ring, (keys) => createAccessTokens(keys, () => NOW.getTime()));

test("after a rotation neither process refuses what the other one signs, whichever was started before and after it", async () => {
  const before = await start();
  const [old = ""] = kidsOf(before);
  const { kid } = await rotateKeys(place, NOW);
  const after = await start();
  // One that starts now knows the new key, and doesn't sign with it: the other one may not have heard of it.
  expect(kidsOf(after)).toEqual([old, kid]);
  await until(() => kidsOf(before).length === 2);
  expect(kidsOf(before)).toEqual([old, kid]);
  const [one, two] = [toTokens(before), toTokens(after)];
  expect(one.verify(two.sign(ACCOUNT, "s"))).toMatchObject({ sid: "s" });

  expect(waiting.map(({ ms }) => ms > 0 && ms <= 60_000)).toEqual([true, true]);
  await settle();
  await until(() => [before, after].every((ring) => kidsOf(ring)[0] === kid));
  expect(kidsOf(before)).toEqual([kid, old]);
  expect(two.verify(one.sign(ACCOUNT, "s"))).toMatchObject({ sid: "s" });
  expect(one.verify(two.sign(ACCOUNT, "s"))).toMatchObject({ sid: "s" });
  expect(waiting).toEqual([]);
});

test("a key that is taken out is forgotten by processes that run, and what it signed is over", async () => {
  const ring = await start();
  const tokens = toTokens(ring);
  const token = tokens.sign(ACCOUNT, "s");
  const { kid } = await rotateKeys(place, NOW);
  await age();
  await retireKeys(place, async () => undefined);
  await until(() => kidsOf(ring).join() === kid);
  expect(tokens.verify(token)).toBeUndefined();
});

test("within the minute nothing is taken out, and no further key is made", async () => {
  await start();
  await rotateKeys(place, NOW);
  const refusal = { name: "SigningKeysError", message: expect.stringMatching(/Try again in \d+ seconds/) };
  await expect(retireKeys(place, async () => undefined)).rejects.toMatchObject(refusal);
  await expect(rotateKeys(place, NOW)).rejects.toMatchObject(refusal);
});

test("a process whose connection broke learns of a new key when it is back", async () => {
  const ring = await start();
  await database.pool.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'foyer changes' AND datname = current_database()",
  );
  await until(() => feeds[0]?.isLive() === false);
  await rotateKeys(place, NOW);
  await until(() => ring.current().length === 2);
});

test("keys that are taken back into the folder stay those of processes that run", async () => {
  const ring = await start();
  const kids = kidsOf(ring);
  await database.pool.query("DELETE FROM site_key");
  const before = reads;
  await database.pool.query("SELECT pg_notify('foyer_changed', 'site.key')");
  await until(() => reads > before);
  expect(kidsOf(ring)).toEqual(kids);
  // Nothing was made in their place.
  expect((await database.pool.query("SELECT FROM site_key")).rowCount).toBe(0);
});

test("what is made of a folder's keys is made once", async () => {
  const ring = await openKeyRing({ place: openKeyFolder(folder.folder), feed: feeds[0], log });
  let count = 0;
  const made = ofKeys(ring, (current) => {
    count += 1;
    return { secret: () => deriveSecrets(current, "a")[0] };
  });
  expect(made.secret()).toEqual(made.secret());
  expect(count).toBe(1);
});
