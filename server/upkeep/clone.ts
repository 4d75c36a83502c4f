import { existsSync } from "node:fs";
import { join } from "node:path";
import { findOwner, type Run, type RunAs, runOrFail, UpkeepError } from "./system.ts";

const TAG = /^v(\d+)\.(\d+)\.(\d+)$/;

/** `v1.10.2` → [1, 10, 2]; undefined for tags that are no version. */
function parseTag(tag: string): number[] | undefined {
  return TAG.exec(tag)?.slice(1).map(Number);
}

/** The newest of the version tags; pre-releases are none. */
export function findNewest(tags: readonly string[]): string | undefined {
  const versions = tags.filter((tag) => parseTag(tag));
  return versions.sort((one, other) => {
    const [a, b] = [parseTag(one) ?? [], parseTag(other) ?? []];
    return (b[0] ?? 0) - (a[0] ?? 0) || (b[1] ?? 0) - (a[1] ?? 0) || (b[2] ?? 0) - (a[2] ?? 0);
  })[0];
}

/** Runs git in the clone as its owner; git refuses a clone of somebody else. */
export class Clone {
  readonly root: string;
  readonly #run: Run;
  readonly runAs: RunAs | undefined;

  constructor(root: string, runProgram: Run, runAs: RunAs | undefined) {
    this.root = root;
    this.#run = runProgram;
    this.runAs = runAs;
  }

  git(doing: string, ...args: string[]): Promise<string> {
    return runOrFail(doing, this.#run, ["git", ...args], {
      cwd: this.root,
      runAs: this.runAs,
      // A remote that asks for a password would wait for ever.
      env: { ...process.env, GIT_TERMINAL_PROMPT: "0" },
    });
  }

  async has(revision: string): Promise<boolean> {
    const args = ["rev-parse", "--verify", "--quiet", `${revision}^{commit}`];
    return (await this.#run("git", args, { cwd: this.root, runAs: this.runAs })).code === 0;
  }

  /** Whether what runs has all of it already. */
  async hasInstalled(revision: string): Promise<boolean> {
    const args = ["merge-base", "--is-ancestor", revision, "HEAD"];
    return (await this.#run("git", args, { cwd: this.root, runAs: this.runAs })).code === 0;
  }

  commitOf(revision: string): Promise<string> {
    return this.git(`Looking ${revision} up`, "rev-parse", `${revision}^{commit}`);
  }
}

/** @throws UpkeepError where the folder is none */
export async function openClone(root: string, runProgram: Run): Promise<Clone> {
  if (!existsSync(join(root, ".git")))
    throw new UpkeepError(
      `${root} is no git clone, so there is nothing to update it from. Clone Foyer, and restore a backup there.`,
    );
  return new Clone(root, runProgram, await findOwner(root, runProgram));
}

/** What is to be installed. @returns undefined where the newest runs already */
export async function chooseTarget(clone: Clone, wanted: string | undefined): Promise<string | undefined> {
  await clone.git("Asking for new versions", "fetch", "--quiet", "--tags", "--force", "origin");
  const newest = findNewest((await clone.git("Listing versions", "tag", "--list")).split("\n"));
  const target = wanted ?? newest;
  if (!target)
    throw new UpkeepError(
      "The clone's origin has no versions (tags such as v1.2.3). Name one: update --to <tag>",
    );
  if (!(await clone.has(target))) throw new UpkeepError(`There is no version ${target}.`);
  if (!wanted && (await clone.hasInstalled(target))) return undefined;
  return (await clone.commitOf(target)) === (await clone.commitOf("HEAD")) ? undefined : target;
}

/** What the owner changed would be lost or in the way: it is theirs to keep. */
export async function requireClean(clone: Clone): Promise<void> {
  const changes = await clone.git("Looking for changes", "status", "--porcelain", "--untracked-files=no");
  if (changes)
    throw new UpkeepError(
      `Files of the clone were changed:\n${changes}\nCommit them, or put them back with \`git checkout -- .\`, and update again.`,
    );
}
