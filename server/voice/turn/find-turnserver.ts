import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { getAccount, isRoot, runCommand } from "#server/db/embedded/account.ts";

/** Some systems keep servers out of the PATH of ordinary users. */
const MORE_FOLDERS = ["/usr/local/bin", "/usr/bin", "/usr/sbin", "/usr/local/sbin"];

/** The path of coturn's program; undefined where it isn't installed. */
export async function findTurnserver(): Promise<string | undefined> {
  const path = process.env.PATH ?? "";
  for (const folder of [...path.split(":").filter((part) => part.startsWith("/")), ...MORE_FOLDERS]) {
    const program = join(folder, "turnserver");
    const isThere = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return program;
  }
  return undefined;
}

/** Whom root's turnserver becomes once it has its ports: the package's own user, else nobody. */
export async function chooseRunAs(): Promise<{ user: string; group: string } | undefined> {
  if (!isRoot()) return undefined;
  const account = (await getAccount("turnserver")) ?? (await getAccount("nobody"));
  if (!account) return undefined;
  const { output } = await runCommand("getent", ["group", String(account.gid)]);
  const [group = ""] = output.split(":");
  return group ? { user: account.name, group } : undefined;
}
