import { readdirSync, readFileSync } from "node:fs";

/**
 * Which specs a folder or a file concerns, by the names before `.spec.ts`. The longest place that a file lies in decides; what
 * lies in none (text, contracts, the frame of every page, the server's start, helpers of these tests) concerns all.
 */
export const COVERS = JSON.parse(readFileSync(new URL("covers.json", import.meta.url), "utf8"));

const SPEC = /^test\/e2e\/([^/]+)\.spec\.ts$/;
/** What no browser sees, wherever it lies. */
const UNSEEN = /\.test\.[cm]?[jt]sx?$|\.md$/;

export const listSpecs = () =>
  readdirSync(new URL(".", import.meta.url))
    .filter((name) => name.endsWith(".spec.ts"))
    .map((name) => name.slice(0, -".spec.ts".length))
    .sort();

function getSpecsOf(file, all) {
  const own = SPEC.exec(file)?.[1];
  if (own) return [own];
  if (UNSEEN.test(file)) return [];
  const places = Object.keys(COVERS).filter((place) => file === place || file.startsWith(`${place}/`));
  const longest = places.sort((a, b) => b.length - a.length)[0];
  // Helpers of these tests lie in `test` only by their path.
  if (longest === undefined || (longest === "test" && file.startsWith("test/e2e/"))) return all;
  return COVERS[longest];
}

/** The specs that a change of these files (paths from the repository's root) concerns, by name. */
export function pickSpecs(changedFiles, all = listSpecs()) {
  const picked = new Set(changedFiles.flatMap((file) => getSpecsOf(file, all)));
  return all.filter((spec) => picked.has(spec));
}
