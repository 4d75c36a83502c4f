import type { Language } from "#contract/languages.ts";
import type { DataOf, PageData, ScreenContent } from "#contract/page.ts";
import { SCREENS, type ScreenName } from "#contract/screens.ts";

/** A public page: its path without a language, what it is drawn from, what makes it stale. */
export interface PageDefinition {
  screen: ScreenName;
  /** A route of Fastify; all addresses that it matches get the same page. */
  path: string;
  /** Keys of the models that `load` reads. */
  models: readonly string[];
  /** Null: there is no such page now, and the not-found page stands in its place. */
  load(lang: Language): Promise<PageData | null>;
}

/** What a subject gives for its screen. `path` is the one of the screen's paths that is asked for. */
interface ContentSource<S extends ScreenName> {
  models: readonly string[];
  load(lang: Language, path: string): Promise<DataOf<S> | null>;
}

/** Screens of `contract/screens.ts` that have both an address and content. */
type SourcedScreen = {
  [S in keyof ScreenContent]: (typeof SCREENS)[S]["paths"] extends readonly [] ? never : S;
}[keyof ScreenContent];

export type ContentSources = { [S in SourcedScreen]: ContentSource<S> };

const isSourced = (screen: ScreenName, sources: ContentSources): screen is SourcedScreen => screen in sources;

/** The pages of all screens that have an address. A screen without content of its own is the same shell for everybody. */
export function toPageDefinitions(sources: ContentSources): PageDefinition[] {
  const screens = Object.keys(SCREENS) as ScreenName[]; // the table's own keys
  return screens.flatMap((screen) => {
    const source = isSourced(screen, sources)
      ? sources[screen]
      : { models: [], load: async () => ({ screen }) as PageData }; // only these have content beside their name
    return SCREENS[screen].paths.map((path) => ({
      screen,
      path,
      models: source.models,
      load: (lang: Language) => source.load(lang, path),
    }));
  });
}
