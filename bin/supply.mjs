import "./lib/require-node-20.mjs";
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { Fault, runMain } from "./lib/fault.mjs";
import { runCommand } from "./lib/run-command.mjs";
import { judgeAudit } from "./lib/supply.mjs";

/** The list of packages is npm's own, from package-lock.json: it needs neither network nor node_modules. */
async function writeBillOfMaterials(file) {
  const args = ["sbom", "--sbom-format=cyclonedx", "--package-lock-only"];
  const { code, output } = await runCommand("npm", args);
  if (code !== 0) throw new Fault(`${output}\nnpm could not write the list (exit code ${code}).`);
  writeFileSync(file, output);
  const { specVersion, components } = JSON.parse(output);
  process.stdout.write(`Wrote ${file}: ${components.length} packages, CycloneDX ${specVersion}.\n`);
}

/** One question to the registry, without patience: a machine without network is told so at once. */
async function audit() {
  const args = ["audit", "--json", "--audit-level=high", "--fetch-retries=0", "--fetch-timeout=15000"];
  const { output } = await runCommand("npm", args);
  process.stdout.write(`${judgeAudit(output)}\n`);
}

/** `npm run sbom [-- FILE]` and `npm run audit`. */
await runMain(async () => {
  const [command, file = "sbom.json"] = process.argv.slice(2);
  if (command === "sbom") await writeBillOfMaterials(resolve(process.env.INIT_CWD ?? ".", file));
  else await audit();
  return 0;
});
