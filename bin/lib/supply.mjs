import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { Fault } from "./fault.mjs";

/**
 * SHA-256 of the programs that come by npm, by package: Node's and PostgreSQL's, which run before any code of ours could look at them.
 * package-lock.json has the hash of each archive, which npm checks when it fetches one; these are of what lies on the disk.
 */
const LIST = new URL("program-hashes.json", import.meta.url);

export const readProgramList = () => JSON.parse(readFileSync(LIST, "utf8"));

async function hashFile(path) {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest("hex");
}

/**
 * Compares the programs that npm laid down with the list. A package that isn't there (another platform's), and one of another version
 * than the list's (an owner's own choice), is nobody's fault. Throws a Fault that names the first program that differs.
 */
export async function checkPrograms(nodeModules, list = readProgramList()) {
  for (const [name, { version, files }] of Object.entries(list)) {
    const manifest = join(nodeModules, name, "package.json");
    if (!existsSync(manifest) || JSON.parse(readFileSync(manifest, "utf8")).version !== version) continue;
    for (const [file, sha256] of Object.entries(files)) {
      const path = join(nodeModules, name, file);
      if (existsSync(path) && (await hashFile(path)) === sha256) continue;
      throw new Fault(
        `${path} is not the program that ${name} ${version} has: it is damaged, or somebody changed it. ` +
          "Nothing was started. Remove node_modules and start again; where that doesn't help, report it (SECURITY.md).",
      );
    }
  }
}

const SEVERE = ["high", "critical"];

/**
 * What `npm audit --json` found, for the terminal. A registry that has no audits, or none that can be reached, is no fault of the
 * packages. Throws a Fault that names each package with a severe fault.
 */
export function judgeAudit(output) {
  let report;
  try {
    report = JSON.parse(output.slice(output.indexOf("{"), output.lastIndexOf("}") + 1));
  } catch {
    report = {};
  }
  const { auditReportVersion, vulnerabilities = {}, statusCode } = report;
  if (!auditReportVersion) {
    const answer = statusCode ? ` (${statusCode})` : "";
    return `The packages were not looked up: the registry answers no audits from here${answer}.`;
  }
  const found = Object.values(vulnerabilities);
  const severe = found.filter(({ severity }) => SEVERE.includes(severity));
  if (severe.length === 0)
    return `No package has a known fault that is severe (${found.length} have a smaller one).`;
  const lines = severe.map(({ name, severity, via }) => {
    const titles = via.map((cause) => cause.title).filter(Boolean);
    return `  ${name}: ${severity}${titles.length > 0 ? `, ${titles.join("; ")}` : ""}`;
  });
  throw new Fault(
    `Packages with known severe faults:\n${lines.join("\n")}\nnpm audit says in which versions they are mended.`,
  );
}
