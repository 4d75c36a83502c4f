import { setTimeout as sleep } from "node:timers/promises";
import { findFreePort } from "../outbox/server-process.ts";
import { type Figure, toMedian } from "../socket/figure.ts";
import { openBalancer } from "./kills/balancer.ts";
import { type Caller, Hearing, openCaller } from "./kills/callers.ts";
import { findWrongCounts } from "./kills/counts.ts";
import { openRegistrations } from "./kills/mails.ts";
import { countWarnings } from "./kills/noise.ts";
import { type KeptSession, keepSession } from "./kills/session.ts";
import { startExports, startJobs } from "./kills/work.ts";
import { startWriter } from "./kills/writers.ts";
import { addMembers, becomeOwner, call, type Member } from "./people.ts";
import { type ClusterSite, openClusterSite, type SiteProcess } from "./site.ts";

const PROCESSES = 3;
const ROOMS = 6;
const ROOM_SIZE = 3;
const WRITERS = 3;
/** Beside the sample's: more than are written at once. */
const ADDED_ROWS = 6_000;
const FAULTS_SHOWN = 10;
const BAR_MS = 5_000;
const REDIS_AWAY_MS = 1_500;
/** A dead process's work goes on within this. */
const WORK_BAR_MS = 30_000;
/** Before and behind a kill nobody says a word, in every other round: then only its beats are missed. */
const QUIET_MS = 1_100;

interface ModelList {
  models: { content_type_id: number; app_label: string; model_name: string }[];
}

async function findPath(at: SiteProcess, { headers }: Member, name: string): Promise<string> {
  const { models } = await call<ModelList>(at, "GET", "/api/admin/models/", { headers });
  const model = models.find(({ model_name }) => model_name.toLowerCase() === name);
  return `/api/admin/models/${model?.content_type_id}/objects/`;
}

const createRoom = async (at: SiteProcess, { headers }: Member, index: number) =>
  (await call<{ id: string }>(at, "POST", "/voice/rooms", { headers, body: { name: `Room ${index}` } })).id;

/** What became of the callers in each round, in milliseconds. */
class Silences {
  readonly killed: number[] = [];
  readonly back: number[] = [];
  readonly redis: number[] = [];
}

const toFigure = (name: string, times: readonly number[]): Figure => {
  const most = Math.max(0, ...times);
  return {
    name,
    bar: `≤ ${BAR_MS / 1000} s`,
    measured:
      times.length === 0
        ? "never"
        : `${(most / 1000).toFixed(1)} s at the most, median ${(toMedian(times) / 1000).toFixed(1)} s, of ${times.length}`,
    isMet: most <= BAR_MS,
  };
};

const toNone = (name: string, faults: readonly string[], of: string): Figure => {
  for (const fault of faults.slice(0, FAULTS_SHOWN)) console.log(`  ${name}: ${fault}`);
  return { name, bar: "0", measured: `${faults.length} ${of}`, isMet: faults.length === 0 };
};

/** A site of three processes under one address, and who uses it. */
async function gather(site: ClusterSite, url: string, first: SiteProcess) {
  const owner = await becomeOwner(first);
  const names = Array.from({ length: ROOMS * ROOM_SIZE }, (_, index) => `caller${index}`);
  const people = await addMembers(site, names, 1, () => first);
  const writers = await addMembers(
    site,
    ["w1", "w2", "w3", "jobs", "exports"].slice(0, WRITERS + 2),
    10,
    () => first,
  );
  const rooms: string[] = [];
  for (let index = 0; index < ROOMS; index += 1) rooms.push(await createRoom(first, owner, index));
  await site.pool.query(
    `INSERT INTO cv_interest (name) SELECT jsonb_build_object('en', 'Interest ' || i, 'tr', 'İlgi ' || i) FROM generate_series(1, $1) i`,
    [ADDED_ROWS],
  );
  const { rows } = await site.pool.query<{ count: number }>("SELECT count(*)::int FROM cv_interest");
  const paths = {
    award: await findPath(first, owner, "award"),
    interest: await findPath(first, owner, "interest"),
  };
  const keep = (member: Member) => keepSession(url, member);
  return {
    callers: people.map(keep),
    workers: writers.map(keep),
    rooms,
    paths,
    rowCount: rows[0]?.count ?? 0,
  };
}

export async function measureKills(options: { rounds: number; redisRestarts: number }): Promise<Figure[]> {
  const registrations = await openRegistrations();
  const ports: number[] = [];
  for (let index = 0; index < PROCESSES; index += 1) ports.push(await findFreePort());
  const balancer = await openBalancer(ports);
  const site = await openClusterSite();
  const outputs: string[] = [];
  const env = { ...registrations.env, PUBLIC_URL: balancer.url };
  const start = (index: number) => site.add({ port: ports[index] ?? 0, env });
  const callers: Caller[] = [];
  const kept: KeptSession[] = [];
  try {
    const processes = [await start(0)];
    const first = processes[0] as SiteProcess;
    const people = await gather(site, balancer.url, first);
    kept.push(...people.callers, ...people.workers);
    for (let index = 1; index < PROCESSES; index += 1) processes.push(await start(index));

    const hearing = new Hearing();
    for (const [index, session] of people.callers.entries())
      callers.push(openCaller(balancer.url, people.rooms[index % ROOMS] ?? "", session, hearing));
    hearing.expect(callers.length * (ROOM_SIZE - 1));
    const writers = people.workers
      .slice(0, WRITERS)
      .map((session, index) => startWriter(session, people.paths.award, `Writer ${index}`));
    let kills = 0;
    const [jobs, exports] = [
      startJobs(people.workers[WRITERS] as KeptSession, people.paths.interest, () => kills),
      startExports(people.workers[WRITERS + 1] as KeptSession, people.paths.interest),
    ];
    registrations.begin(balancer.url);
    await hearing.untilWhole();

    const silences = new Silences();
    const wrongCounts: string[] = [];
    const restartRedis = async () => {
      await site.redis.kill();
      await sleep(Math.random() * REDIS_AWAY_MS);
      await site.redis.start();
    };
    const quiet = async (isQuiet: boolean) => {
      for (const caller of callers) caller.isQuiet = isQuiet;
      if (isQuiet) await sleep(QUIET_MS / 4);
    };
    for (let round = 1; round <= options.rounds; round += 1) {
      const index = round % PROCESSES;
      const killed = processes[index] as SiteProcess;
      const isQuiet = round % 2 === 0;
      // Spread evenly over the rounds.
      const restarts =
        Math.floor((round * options.redisRestarts) / options.rounds) -
        Math.floor(((round - 1) * options.redisRestarts) / options.rounds);
      await sleep(Math.random() * 1_000);
      if (isQuiet) await quiet(true);
      const killedAt = performance.now();
      kills += 1;
      await killed.stop("SIGKILL");
      outputs.push(killed.output);
      if (isQuiet) {
        await sleep(QUIET_MS);
        await quiet(false);
      }
      const after = await hearing.untilWhole();
      silences.killed.push(Math.max(0, after.endedAt - killedAt));
      processes[index] = await start(index);
      silences.back.push((await hearing.untilWhole()).longest);
      for (let count = 0; count < restarts; count += 1) {
        await restartRedis();
        silences.redis.push((await hearing.untilWhole()).longest);
      }
      const wrong = await findWrongCounts(ports, people.workers[0] as KeptSession, ROOM_SIZE);
      wrongCounts.push(...wrong.map((text) => `round ${round}: ${text}`));
      const toS = (ms: number | undefined) => ((ms ?? 0) / 1000).toFixed(1);
      console.log(
        `round ${round} of ${options.rounds}: ${toS(silences.killed.at(-1))} s after the kill${isQuiet ? " (quiet)" : ""}, ${toS(silences.back.at(-1))} s as it came back${restarts > 0 ? `, ${toS(silences.redis.at(-1))} s with Redis` : ""}`,
      );
    }

    const written = await Promise.all(writers.map((writer) => writer.finish(site)));
    const [job, file] = [await jobs.finish(site, people.rowCount), await exports.finish(people.rowCount)];
    const mail = await registrations.finish(site);
    const signedOut = kept.filter(({ isSignedOut }) => isSignedOut).map(({ member }) => `${member.userId}`);
    const misled = callers
      .filter(({ roster }) => roster.size !== ROOM_SIZE)
      .map(({ kept: { member }, roster }) => `${member.userId} sees ${[...roster].join(", ")}`);
    outputs.push(...processes.map(({ output }) => output));
    countWarnings(outputs);
    console.log(
      "  refusals of joins:",
      Object.fromEntries(
        Map.groupBy(
          callers.flatMap(({ refusals }) => refusals),
          (text) => text,
        )
          .entries()
          .map(([text, all]) => [text, all.length]),
      ),
    );
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    return [
      toNone(
        "acknowledged writes that are lost",
        written.flatMap(({ lost }) => lost),
        `of ${sum(written.map(({ acknowledged }) => acknowledged))} (${sum(written.map(({ broken }) => broken))} more were cut off)`,
      ),
      toNone(
        "writes that a living process refused",
        written.flatMap(({ refused }) => refused),
        "",
      ),
      toNone(
        "mails lost, or twice without the window that SMTP leaves",
        mail.faults,
        `of ${mail.accounts}; cut before the 250: ${mail.cutBeforeReceipt}, repeated then: ${mail.repeatedAfterCut}, with an unread receipt: ${mail.repeatedAfterUnreadReceipt}`,
      ),
      toNone(
        "bulk jobs unfinished, or a row not written once",
        job.faults,
        `of ${job.count} with ${people.rowCount} rows`,
      ),
      {
        name: "the longest time that a job stood still for a killed process",
        bar: `≤ ${WORK_BAR_MS / 1000} s`,
        measured: `${(job.longestOfKillMs / 1000).toFixed(1)} s; with one after the other ${(job.longestStillMs / 1000).toFixed(1)} s`,
        isMet: job.longestOfKillMs <= WORK_BAR_MS,
      },
      toNone(
        "exports that are cut and look whole, or run for ever",
        file.faults,
        `of ${file.count}, ${file.broken} of them cut`,
      ),
      toFigure(`from a kill -9 of one of ${PROCESSES} until all hear each other again`, silences.killed),
      toFigure("the longest silence when it comes back", silences.back),
      toFigure("the longest silence when Redis is killed and started again", silences.redis),
      toNone("rooms whose people a process counts wrongly", wrongCounts, `in ${options.rounds} rounds`),
      toNone(
        "people who were signed out",
        signedOut,
        `of ${kept.length}, with ${sum(kept.map(({ renewals }) => renewals))} renewals`,
      ),
      toNone("people whose browser shows others than are in the room", misled, `of ${callers.length}`),
    ];
  } finally {
    for (const caller of callers) caller.leave();
    for (const session of kept) session.stop();
    await site.close();
    await balancer.close();
    await registrations.stop();
  }
}
