import { setTimeout as sleep } from "node:timers/promises";
import { openSocketClient, type SocketClient } from "#test/socket-client.ts";
import type { Figure } from "../socket/figure.ts";
import { addMembers, becomeOwner, call, type Member } from "./people.ts";
import { openClusterSite, type SiteProcess } from "./site.ts";

const BAR_MS = 200;
const ROUNDS = 10;
/** What was written last must not be seen as it was before, at any time from the answer on. */
const STALE_LOOKS = 20;

const toSocket = ({ url }: SiteProcess, { token }: Member): Promise<SocketClient> =>
  openSocketClient(`${url.replace("http", "ws")}/socket/websocket?vsn=2.0.0&token=${token}`);

/** Milliseconds from now until it holds; looks as fast as it can. */
async function time(holds: () => boolean | Promise<boolean>): Promise<number> {
  const begin = performance.now();
  while (!(await holds())) {
    if (performance.now() - begin > 10_000) throw new Error("it never came");
    await sleep(1);
  }
  return performance.now() - begin;
}

const toFigure = (name: string, times: readonly number[]): Figure => ({
  name,
  bar: `≤ ${BAR_MS} ms`,
  measured: `${Math.max(...times).toFixed(0)} ms at the most of ${times.length}`,
  isMet: Math.max(...times) <= BAR_MS,
});

interface ModelList {
  models: { content_type_id: number; app_label: string; model_name: string }[];
}

/** How soon process B knows what was done at process A. */
export async function measureChanges(): Promise<Figure[]> {
  const site = await openClusterSite();
  try {
    const a = await site.add();
    const owner = await becomeOwner(a);
    const b = await site.add();
    const { headers } = owner;

    const { rows } = await site.pool.query<{ id: number }>(
      "SELECT id FROM cv_certificate ORDER BY id LIMIT 1",
    );
    const certificate = rows[0]?.id;
    const { models } = await call<ModelList>(a, "GET", "/api/admin/models/", { headers });
    const model = models.find(({ model_name }) => model_name.toLowerCase() === "certificate");
    const path = `/api/admin/models/${model?.content_type_id}/objects/${certificate}/`;
    const live = await toSocket(b, owner);
    await live.join("admin:cv.certificate");

    const page: number[] = [];
    const list: number[] = [];
    let stale = 0;
    const read = async (at: SiteProcess) => (await fetch(`${at.url}/en/cv`)).text();
    for (let round = 1; round <= ROUNDS; round += 1) {
      await Promise.all([read(a), read(b)]);
      const before = live.frames.length;
      const label = `Certificate of round ${round}`;
      await call(a, "PATCH", path, { headers, body: { label: { en: label, tr: label } } });
      const [pageMs, listMs] = await Promise.all([
        time(async () => (await read(b)).includes(label)),
        time(() => live.frames.length > before),
      ]);
      page.push(pageMs);
      list.push(listMs);
      for (let look = 0; look < STALE_LOOKS; look += 1) if (!(await read(a)).includes(label)) stale += 1;
      await sleep(300); // the live list has a pace of its own
    }

    const ended: number[] = [];
    const suspended: number[] = [];
    const raised: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const [one, two, three] = await addMembers(
        site,
        ["ended", "suspended", "raised"].map((name) => `${name}${round}`),
        1,
        () => b,
      );
      if (!one || !two || !three) throw new Error("nobody was added");
      const isOut = async ({ headers: own }: Member) =>
        (await fetch(`${b.url}/api/users/profile/`, { headers: own })).status === 401;
      const socket = await toSocket(b, one);
      await call(a, "DELETE", `/api/users/${one.userId}/sessions/`, { headers });
      ended.push(await time(async () => socket.closeCode !== undefined && (await isOut(one))));
      await call(a, "PUT", `/api/users/${two.userId}/`, { headers, body: { is_active: false } });
      suspended.push(await time(() => isOut(two)));
      await call(a, "PUT", `/api/users/${three.userId}/`, { headers, body: { access_level: 10 } });
      raised.push(
        await time(
          async () =>
            (await fetch(`${b.url}/api/admin/permissions/`, { headers: three.headers })).status === 200,
        ),
      );
    }
    live.close();
    return [
      toFigure("an edit on process A → the page of process B", page),
      toFigure("an edit on process A → a live list on process B", list),
      {
        name: "pages of process A that show what was before the edit, after its answer",
        bar: "0",
        measured: `${stale} of ${ROUNDS * STALE_LOOKS}`,
        isMet: stale === 0,
      },
      toFigure("sign-out everywhere on A → token and socket on B", ended),
      toFigure("suspension on A → token on B", suspended),
      toFigure("a new level on A → B", raised),
    ];
  } finally {
    await site.close();
  }
}
