import type { Language } from "./languages.ts";
import type { ContactDraft } from "./site/contact.ts";
import type { Cv } from "./site/cv.ts";
import type { ScreenName } from "./site/pages.ts";
import type { SiteInfo, TextPage } from "./site/site.ts";

/** What the page behind a mail's "stop these mails" link says: asking, done, or that the link leads to nothing. */
export type UnsubscribeState =
  | { step: "ask"; token: string; address: string }
  | { step: "done"; address: string }
  | { step: "unknown" };

/** What a screen is drawn from, beside its name; the others have nothing else. */
export interface ScreenContent {
  cv: { cv: Cv };
  contact: { draft: ContactDraft | null };
  text: { page: TextPage };
  unsubscribe: { unsubscribe: UnsubscribeState };
}

/** The data of one screen, or of one among several. */
export type DataOf<S extends ScreenName> = S extends keyof ScreenContent
  ? { screen: S } & ScreenContent[S]
  : { screen: S };

/** What a public screen is drawn from. The server loads it, the page carries it as JSON, the browser hydrates from it. */
export type PageData = DataOf<ScreenName>;

/** One page to draw. `path` is without the language prefix (`/cv`); `prefix` is "" for the negotiated address, else "/en" or "/tr". */
export interface PageRequest {
  path: string;
  prefix: "" | `/${Language}`;
  lang: Language;
  /** Absolute origin of the site without a trailing slash, for canonical and alternate links. */
  origin: string;
  /** Today in UTC, `YYYY-MM-DD`: drawing never reads the clock, so that server and browser agree. */
  today: string;
  site: SiteInfo;
  data: PageData;
}

/** The parts that fill the slots of `index.html`. `state` is JSON already made safe inside a script element. */
export interface RenderedPage {
  head: string;
  body: string;
  state: string;
  /**
   * Source files of the chunks without which this page shows nothing, as the build's manifest names them: the browser is
   * told of them at once. Left out where the page is read before its scripts are needed.
   */
  modules?: readonly string[];
  /** Source files of style sheets beside those of all pages, entries of the build: the head has a link to each. */
  styles?: readonly string[];
}

/** What the built `entry-server` exports as `render`; the server knows the browser app by this type alone. */
export type RenderPage = (request: PageRequest) => RenderedPage;
