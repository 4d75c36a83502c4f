import type { Language } from "#contract/languages.ts";
import {
  type DataOf,
  type PageData,
  SCREENS,
  type ScreenContent,
  type ScreenName,
} from "#contract/site/pages.ts";

/** A public page: its path without a language, what it is drawn from, what makes it stale. */
export interface PageDefinition {
  screen: ScreenName;
  /** A route of Fastify; all addresses that it matches get the same page. */
  path: string;
  /** Keys of the models that `load` reads. */
  models: readonly string[];
  /** `path` as it is asked for, of a page whose addresses the owner makes; else the definition's own. */
  load(lang: Language, path: string): Promise<PageData | null>;
  /** Where the owner makes the addresses: `path` has one parameter for all of them, and each has a page of its own. */
  addresses?: OwnAddresses;
}

/** Addresses that the owner makes, without slashes. */
export interface OwnAddresses {
  /** Where an address leads: to itself, or to the one that its page has now. Undefined: to nothing that visitors meet. */
  find(address: string): Promise<string | undefined>;
  /** Those of all pages that visitors meet, in their order. */
  list(): Promise<string[]>;
}

/** At the address of registration, for who may not register. */
export const INSTEAD_OF_REGISTER = "admission";

/** What a subject gives for its screen. `path` is the one of the screen's paths that is asked for. */
interface ContentSource<S extends ScreenName> {
  models: readonly string[];
  /** Null: there is no such page. Who may not register gets another screen in that one's place. */
  load(lang: Language, path: string): Promise<DataOf<S> | DataOf<typeof INSTEAD_OF_REGISTER> | null>;
  addresses?: OwnAddresses;
}

/** Screens of `contract/site/pages.ts` that have both an address and content. */
type SourcedScreen = {
  [S in keyof ScreenContent]: (typeof SCREENS)[S]["paths"] extends readonly [] ? never : S;
}[keyof ScreenContent];

export type ContentSources = { [S in SourcedScreen]: ContentSource<S> };

const isSourced = (screen: ScreenName, sources: ContentSources): screen is SourcedScreen => screen in sources;

/** The pages of all screens that have an address. A screen without content of its own is the same shell for everybody. */
export function toPageDefinitions(sources: ContentSources): PageDefinition[] {
  const screens = Object.keys(SCREENS) as ScreenName[]; // the table's own keys
  return screens.flatMap((screen) => {
    const { models, load, addresses } = isSourced(screen, sources)
      ? { addresses: undefined, ...sources[screen] }
      : { models: [], load: async () => ({ screen }) as PageData, addresses: undefined }; // only these have content beside their name
    return SCREENS[screen].paths.map((path) => ({
      screen,
      path,
      models,
      load,
      ...(addresses && { addresses }),
    }));
  });
}
