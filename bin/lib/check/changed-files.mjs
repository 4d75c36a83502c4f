import { Fault } from "../fault.mjs";
import { runCommand } from "../run-command.mjs";

/** Files that differ from a commit: committed since, not committed, and new ones. Throws a Fault where git knows no such commit. */
export async function listChangedFiles(base) {
  const [changed, added] = await Promise.all([
    runGit(["diff", "--name-only", "-z", base, "--"]),
    runGit(["ls-files", "--others", "--exclude-standard", "-z"]),
  ]);
  return [...new Set([...changed, ...added])].sort();
}

async function runGit(args) {
  const { code, output } = await runCommand("git", args);
  if (code !== 0) throw new Fault(`git ${args.join(" ")} failed:\n${output}`);
  return output.split("\0").filter(Boolean);
}
