import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import type { ModelDeclaration } from "./declare.ts";
import type { Report } from "./registry/check-declaration.ts";

/** NaN and its like let nobody in, or everybody: comparisons with them are never true. */
function isLevel(level: number): boolean {
  return Number.isInteger(level) && level >= 0 && level <= ACCESS_LEVEL.superuser;
}

/** Whoever writes rows sees them: the answer to a write is the record. */
function checkModelAccess({ access }: ModelDeclaration, report: Report): void {
  const view = access.view ?? Number.POSITIVE_INFINITY;
  for (const operation of ["view", "create", "update", "delete"] as const) {
    const level = access[operation];
    if (level === null) continue;
    if (!isLevel(level)) report(null, `${operation} from level ${level} on, which is no level`);
    else if (level < view) report(null, `${operation} from level ${level} on, but view only from ${view} on`);
  }
}

/** Levels of a declaration are levels, and none lets people do more than they see. */
export function checkAccess(declaration: ModelDeclaration, report: Report): void {
  checkModelAccess(declaration, report);
  for (const { belowLevel } of declaration.rows ?? []) {
    if (!isLevel(belowLevel)) report(null, `a row rule below level ${belowLevel}, which is no level`);
  }
  for (const [name, { viewLevel = 0, writeLevel = viewLevel }] of Object.entries(declaration.fields)) {
    if (!isLevel(viewLevel) || !isLevel(writeLevel)) {
      report(name, `seen from level ${viewLevel} and written from ${writeLevel} on: one is no level`);
    } else if (writeLevel < viewLevel) {
      report(name, `written from level ${writeLevel} on, but seen only from ${viewLevel} on`);
    }
  }
}
