import type pg from "pg";
import { type ChangeFeed, createChangeCache } from "#server/db/change-feed.ts";
import type { OwnAddresses } from "#server/http/pages/page-definitions.ts";
import { REDIRECT_MODEL } from "./page-writer.ts";
import { PAGE_MODEL } from "./service.ts";
import { selectAddresses } from "./store.ts";

/**
 * The addresses of the pages of text, those that they had before among them. All are read in one statement and cached: an address
 * that leads nowhere, however often somebody makes up another one, costs no query and no place in the cache of pages.
 */
export function createPageAddresses({ pool, feed }: { pool: pg.Pool; feed: ChangeFeed }): OwnAddresses {
  const cache = createChangeCache<{ bySlug: ReadonlyMap<string, string>; own: string[] }>(feed, 1);
  const getAll = () =>
    cache.get("addresses", {
      models: [PAGE_MODEL, REDIRECT_MODEL],
      async load() {
        const all = await selectAddresses(pool);
        const own = all.filter(({ address, slug }) => address === slug).map(({ slug }) => slug);
        // A page's own address wins over an old one of another page.
        const old = all.map(({ address, slug }) => [address, slug] as const);
        return { bySlug: new Map([...old, ...own.map((slug) => [slug, slug] as const)]), own };
      },
    });
  return {
    find: async (address) => (await getAll()).bySlug.get(address),
    list: async () => (await getAll()).own,
  };
}
