import { checkAccess } from "./check-access.ts";
import type { ModelDeclaration } from "./declare.ts";
import type { Field } from "./model.ts";
import { isBlank, type Report } from "./registry/check-declaration.ts";

const MAX_LIST_COLUMNS = 5;

function checkTitle(declaration: ModelDeclaration, fields: ReadonlyMap<string, Field>, report: Report): void {
  const { title, access } = declaration;
  const field = fields.get(title);
  if (!field) report(title, "the title names no declared field");
  // Whoever sees a row, or one that is related to it, reads its title.
  else if (field.viewLevel > (access.view ?? 0) || field.isSecret)
    report(title, "a field that not everybody sees can't be the title");
  else if (field.kind.relates === "many") report(title, "a relation to many can't be the title");
}

function checkList(declaration: ModelDeclaration, fields: ReadonlyMap<string, Field>, report: Report): void {
  const { list, access } = declaration;
  if (list.length === 0 || list.length > MAX_LIST_COLUMNS)
    report(null, `a list has 1 to ${MAX_LIST_COLUMNS} columns, not ${list.length}`);
  for (const [index, name] of list.entries()) {
    const field = fields.get(name);
    if (list.indexOf(name) < index) report(name, "it is a column of the list twice");
    else if (!field) report(name, "the list names no declared field");
    else if (field.viewLevel > (access.view ?? 0))
      report(name, "a field that not everybody sees can't be a column of the list");
  }
}

/** What a declaration says of the model as a whole. */
export function checkModel(
  declaration: ModelDeclaration,
  fields: ReadonlyMap<string, Field>,
  report: Report,
): void {
  for (const part of ["labels", "pluralLabels", "help"] as const) {
    if (isBlank(declaration[part])) report(null, `${part} are missing in one language`);
  }
  checkAccess(declaration, report);
  checkTitle(declaration, fields, report);
  checkList(declaration, fields, report);
}
