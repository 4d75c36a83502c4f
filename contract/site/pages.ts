import type { Language } from "../languages.ts";
import type { ContactDraft } from "./contact.ts";
import type { Cv, Hub } from "./cv.ts";
import type { RegistrationMode, SiteInfo, TextPage } from "./site.ts";

/** Screens between which the browser moves without loading a document. */
export type MoveGroup = "site" | "voice";

interface ScreenRow {
  /** Addresses without a language, as routes of Fastify: all that one of them matches get the same page. */
  paths: readonly string[];
  /** Whether the screen is content, to which search engines are invited, or a way to something else. */
  indexing: "content" | "none";
  /** The visitor's own: a note that "this person is made up" would be read as meaning them. */
  isOwn: boolean;
  /** Left out: each visit is a document. A Permissions-Policy belongs to a document, so no move leads out of its group. */
  moves?: MoveGroup;
}

/** Pages of text that every site has: registration and mails link to them, so their addresses stay. */
export const FIXED_PAGES = ["terms", "privacy"] as const;

/**
 * Every public screen, as far as server and browser both know it. Without Zod: all public pages read it. How the browser
 * draws one stands in src/public-screens.tsx, what it is drawn from in `ScreenContent`.
 */
export const SCREENS = {
  cv: { paths: ["/cv"], indexing: "content", isOwn: false, moves: "site" },
  contact: { paths: ["/contact"], indexing: "content", isOwn: false, moves: "site" },
  dev: { paths: ["/dev"], indexing: "content", isOwn: false, moves: "site" },
  login: { paths: ["/login"], indexing: "none", isOwn: true },
  register: { paths: ["/register"], indexing: "none", isOwn: true },
  /** Where a proven address leads while staff decide about the account. */
  waiting: { paths: ["/register/waiting"], indexing: "none", isOwn: true },
  "verify-email": { paths: ["/verify-email"], indexing: "none", isOwn: true },
  "forgot-password": { paths: ["/forgot-password"], indexing: "none", isOwn: true },
  setup: { paths: ["/setup"], indexing: "none", isOwn: true },
  profile: { paths: ["/profile"], indexing: "none", isOwn: true },
  rooms: { paths: ["/rooms", "/rooms/:room"], indexing: "none", isOwn: true, moves: "voice" },
  room: { paths: ["/room/:room"], indexing: "none", isOwn: true, moves: "voice" },
  /** In the place of the registration, where not everybody may register. */
  admission: { paths: [], indexing: "none", isOwn: true },
  /** Behind all others: what is nobody else's address may be that of a page that the owner made. */
  text: { paths: ["/:page"], indexing: "content", isOwn: false, moves: "site" },
  unsubscribe: { paths: [], indexing: "none", isOwn: true },
  "not-found": { paths: [], indexing: "none", isOwn: false },
} as const satisfies Record<string, ScreenRow>;

export type ScreenName = keyof typeof SCREENS;

/** Screens to which the browser moves without a document. */
export type MovingScreen = {
  [S in ScreenName]: (typeof SCREENS)[S] extends { moves: MoveGroup } ? S : never;
}[ScreenName];

/** A page's own part of its address: lower-case letters of ASCII, digits, single hyphens. */
const PARAMETERS: Readonly<Record<string, string>> = { ":page": "[a-z0-9-]+", ":room": "[^/]+" };

function findMoving(path: string): MovingScreen | undefined {
  const names = Object.keys(SCREENS) as ScreenName[]; // the table's own keys
  const found = names.find((name) =>
    SCREENS[name].paths.some((route) =>
      new RegExp(`^${route.replace(/:\w+/, (name) => PARAMETERS[name] ?? "")}$`).test(path),
    ),
  );
  return found && "moves" in SCREENS[found] ? (found as MovingScreen) : undefined; // just looked up
}

/** The screen of `to` where the browser may move there from `from` by itself; else undefined. Paths without a language. */
export function findMove(from: string, to: string): MovingScreen | undefined {
  const [here, there] = [findMoving(from), findMoving(to)];
  return here && there && SCREENS[here].moves === SCREENS[there].moves ? there : undefined;
}

/** Whether somebody without an invitation may register. */
export function takesStrangers(mode: RegistrationMode): boolean {
  return mode === "open" || mode === "approval";
}

/** What the page behind a mail's "stop these mails" link says: asking, done, or that the link leads to nothing. */
export type UnsubscribeState =
  | { step: "ask"; token: string; address: string }
  | { step: "done"; address: string }
  | { step: "unknown" };

/** What a screen is drawn from, beside its name; the others have nothing else. */
export interface ScreenContent {
  cv: { cv: Cv };
  contact: { draft: ContactDraft | null };
  dev: { hub: Hub };
  text: { page: TextPage };
  register: Record<never, never>;
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
   * given them at once. Left out where the page is read before its scripts are needed.
   */
  modules?: readonly string[];
}

export type RenderPage = (request: PageRequest) => RenderedPage;

/** What the built `entry-server` exports; the server knows the browser app by this type alone. */
export interface PageRenderer {
  render: RenderPage;
  /** The source file of a screen: what it imports has the style sheets that the screen is drawn with, beside those of all pages. */
  getScreenModule(screen: ScreenName): string;
}

/** Whether content that came with the product is shown: the page says so, and search engines are kept away. */
export function showsSample(data: PageData, site: Pick<SiteInfo, "has_sample">): boolean {
  if (SCREENS[data.screen].isOwn) return false;
  if (site.has_sample) return true;
  return data.screen === "cv" ? data.cv.has_sample : data.screen === "dev" && data.hub.has_sample;
}

/**
 * Whether search engines are invited to a page: its head, the sitemap and llms.txt agree by this one rule. A screen that
 * is a way to something else is not content; a CV without a name is empty; content that came with the product is nobody's.
 */
export function isIndexed(data: PageData, site: Pick<SiteInfo, "has_sample">): boolean {
  if (showsSample(data, site) || SCREENS[data.screen].indexing === "none") return false;
  return data.screen !== "cv" || data.cv.name !== "";
}
