/** A piece of the README that a step stands on: a line of a command, a whole block, or words between them. */
interface Piece {
  section: string;
  kind: "command" | "block" | "words";
  pattern: RegExp;
}

const piece = (section: string, kind: Piece["kind"], pattern: RegExp): Piece => ({ section, kind, pattern });
const START = "Start";
const SERVICE = "As a service, and updates";
const MAIL = "Mail and accounts";
const PROXY = "Behind HTTPS";

/** What the README has to say for somebody who follows it from nothing to an own site. */
export const PIECES = {
  clone: piece(START, "command", /^git clone (\S+) /),
  settingsFile: piece("Settings", "words", /in a file `\.env`/),
  port: piece("Settings", "words", /\| `PORT`, `HOST` \| `(\d+)`/),
  start: piece(START, "command", /^npm start$/),
  ownerLink: piece(START, "words", /prints the address, with a link that makes you the owner/),
  importEnglish: piece(START, "command", /^npm run foyer -- import (\S+)$/),
  importTurkish: piece(START, "command", /^npm run foyer -- import (\S+) --lang tr$/),
  removeSample: piece(START, "command", /^npm run foyer -- sample remove$/),
  pageStart: piece(
    START,
    "words",
    /“New from a text” makes an Impressum to fill in, hidden until you show it/,
  ),
  pageLink: piece(START, "words", /“Link in” puts a page into the bar or the footer/),
  stop: piece(START, "words", /`Ctrl-C` stops everything cleanly/),
  restart: piece("Settings", "words", /A change counts from the next start: `Ctrl-C` and `npm start`/),
  mailSettings: piece(MAIL, "block", /^SMTP_URL=.*\nMAIL_FROM=.*\nPUBLIC_URL=/m),
  mailTest: piece(MAIL, "words", /`(npm run foyer -- mail test) (\S+)`/),
  registration: piece(MAIL, "words", /who may make an account: everybody/),
  caddyInstall: piece(PROXY, "words", /Caddy \(`(apt install caddy)`\)/),
  caddyBlock: piece(PROXY, "block", /^\S+ \{\n\s+reverse_proxy \S+ \{\n(?:\s+header_up .+\n)+\s+\}\n\}/),
  proxySettings: piece(PROXY, "words", /in `\.env`: `(PUBLIC_URL=\S+)` and `(TRUST_PROXY=\S+)`/),
  logIn: piece(START, "words", /log in at `\/login`/),
  ready: piece(PROXY, "words", /Monitors ask `(\/api\/health\/ready)`/),
  health: piece(PROXY, "words", /`\/admin\/health` says when it doesn't fit/),
  hsts: piece("Settings", "words", /\| `HSTS` \| `([^`]+)`/),
  installService: piece(SERVICE, "command", /^sudo npm run foyer -- install-service$/),
  doctor: piece(SERVICE, "command", /^sudo npm run foyer -- doctor$/),
} satisfies Record<string, Piece>;
export type PieceName = keyof typeof PIECES;

interface Section {
  /** On one line, without blocks. */
  prose: string;
  blocks: string[];
}

function readSections(text: string): Map<string, Section> {
  const parts = text.split(/^## (.+)$/m);
  const sections = new Map<string, Section>();
  for (let index = 1; index < parts.length; index += 2) {
    const blocks: string[] = [];
    const prose = (parts[index + 1] ?? "").replaceAll(/^```\w*\n(.*?)^```$/gms, (_, block: string) => {
      blocks.push(block);
      return "";
    });
    sections.set(parts[index] ?? "", { prose: prose.replaceAll(/\s+/g, " "), blocks });
  }
  return sections;
}

/** Candidates for a pattern: commands without their comments. */
function listTexts({ prose, blocks }: Section, kind: Piece["kind"]): string[] {
  if (kind === "words") return [prose];
  if (kind === "block") return blocks;
  return blocks.flatMap((block) => block.split("\n")).map((line) => line.replace(/\s+# .*$/, "").trim());
}

export interface Readme {
  /** @returns the line or block that has the piece, and the groups of its pattern. @throws Error that names what is missing */
  take(name: PieceName): { text: string; groups: string[] };
}

/** `onTake` learns what was used. */
export function openReadme(readme: string, onTake: (name: PieceName) => void = () => {}): Readme {
  const sections = readSections(readme);
  return {
    take(name) {
      const { section, kind, pattern } = PIECES[name];
      const found = sections.get(section);
      if (!found) throw new Error(`README.md has no section "${section}", which has "${name}".`);
      for (const text of listTexts(found, kind)) {
        const match = pattern.exec(text);
        if (!match) continue;
        onTake(name);
        return { text: kind === "words" ? match[0] : text, groups: match.slice(1) };
      }
      throw new Error(`README.md, "${section}" has no ${kind} for "${name}" any more: ${pattern}`);
    },
  };
}
