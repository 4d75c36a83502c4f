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

/** Pages of text, by the last part of their address. */
export const PAGE_SLUGS = ["terms", "privacy"] as const;

/**
 * Every public screen, as far as server and browser both know it. Without Zod: all public pages read it. How the browser
 * draws one stands in src/public-screens.tsx, what it is drawn from in contract/page.ts.
 */
export const SCREENS = {
  cv: { paths: ["/cv"], indexing: "content", isOwn: false, moves: "site" },
  contact: { paths: ["/contact"], indexing: "content", isOwn: false, moves: "site" },
  dev: { paths: ["/dev"], indexing: "content", isOwn: false, moves: "site" },
  text: { paths: PAGE_SLUGS.map((slug) => `/${slug}`), indexing: "content", isOwn: false, moves: "site" },
  login: { paths: ["/login"], indexing: "none", isOwn: true },
  register: { paths: ["/register"], indexing: "none", isOwn: true },
  "verify-email": { paths: ["/verify-email"], indexing: "none", isOwn: true },
  "forgot-password": { paths: ["/forgot-password"], indexing: "none", isOwn: true },
  setup: { paths: ["/setup"], indexing: "none", isOwn: true },
  profile: { paths: ["/profile"], indexing: "none", isOwn: true },
  rooms: { paths: ["/rooms", "/rooms/:room"], indexing: "none", isOwn: true, moves: "voice" },
  room: { paths: ["/room/:room"], indexing: "none", isOwn: true, moves: "voice" },
  unsubscribe: { paths: [], indexing: "none", isOwn: true },
  "not-found": { paths: [], indexing: "none", isOwn: false },
} as const satisfies Record<string, ScreenRow>;

export type ScreenName = keyof typeof SCREENS;

/** Screens to which the browser moves without a document. */
export type MovingScreen = {
  [S in ScreenName]: (typeof SCREENS)[S] extends { moves: MoveGroup } ? S : never;
}[ScreenName];

function findMoving(path: string): MovingScreen | undefined {
  const names = Object.keys(SCREENS) as ScreenName[]; // the table's own keys
  return names
    .filter((name): name is MovingScreen => "moves" in SCREENS[name])
    .find((name) =>
      SCREENS[name].paths.some((route) => new RegExp(`^${route.replace(/:\w+/, "[^/]+")}$`).test(path)),
    );
}

/** The screen of `to` where the browser may move there from `from` by itself; else undefined. Paths without a language. */
export function findMove(from: string, to: string): MovingScreen | undefined {
  const [here, there] = [findMoving(from), findMoving(to)];
  return here && there && SCREENS[here].moves === SCREENS[there].moves ? there : undefined;
}
