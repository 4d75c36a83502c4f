import type pg from "pg";
import type { Language } from "#contract/languages.ts";
import { isIndexed, type PageData } from "#contract/site/pages.ts";
import type { OwnerWords, SiteInfo } from "#contract/site/site.ts";
import type { PageDefinition } from "#server/http/pages/page-definitions.ts";
import type { SiteSource } from "#server/http/pages/pages.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { selectLastChanges } from "./store.ts";

/** A page that search engines are invited to. */
export interface OpenPage {
  /** Without a language. */
  path: string;
  data: Record<Language, PageData>;
  /** `YYYY-MM-DDTHH:MM:SSZ`, null while nothing that it shows has ever been written. */
  changedAt: string | null;
}

/** What machines read of the whole site. */
export interface Overview {
  /** In English. */
  site: SiteInfo;
  words: Record<Language, OwnerWords>;
  pages: OpenPage[];
}

export interface DiscoveryService {
  /** Keys of the models that `getOverview` reads. */
  models: readonly string[];
  getOverview(): Promise<Overview>;
}

function findNewest(changes: ReadonlyMap<string, string>, models: readonly string[]): string | null {
  return models
    .flatMap((model) => changes.get(model) ?? [])
    .reduce<string | null>((newest, at) => (newest === null || at > newest ? at : newest), null);
}

/** Reads the very pages that visitors get, so that what machines read is what is there. */
export function createDiscoveryService(deps: {
  pool: pg.Pool;
  registry: Registry;
  site: SiteSource;
  definitions: readonly PageDefinition[];
}): DiscoveryService {
  const { pool, registry, site, definitions } = deps;
  const models = [...new Set([...site.models, ...definitions.flatMap((definition) => definition.models)])];
  const known = models.flatMap((key) => registry.byKey.get(key) ?? []);

  async function loadPage(
    { path, models, load }: PageDefinition,
    changes: ReadonlyMap<string, string>,
    info: SiteInfo,
  ) {
    const [en, tr] = await Promise.all([load("en", path), load("tr", path)]);
    if (!en || !tr || !isIndexed(en, info)) return [];
    return [{ path, data: { en, tr }, changedAt: findNewest(changes, [...models, ...site.datedBy]) }];
  }

  /** A page for each address that the owner made. */
  async function toPages(definition: PageDefinition): Promise<PageDefinition[]> {
    const addresses = await definition.addresses?.list();
    return addresses?.map((address) => ({ ...definition, path: `/${address}` })) ?? [definition];
  }

  return {
    models,
    async getOverview() {
      const [changes, info, turkish] = await Promise.all([
        selectLastChanges(pool, known),
        site.load("en"),
        site.load("tr"),
      ]);
      const all = await Promise.all(definitions.map(toPages));
      const pages = await Promise.all(all.flat().map((page) => loadPage(page, changes, info)));
      return { site: info, words: { en: info.words, tr: turkish.words }, pages: pages.flat() };
    },
  };
}
