import type { FieldDeclaration } from "../declare.ts";
import type { FieldKind } from "../model.ts";
import { kind as text } from "./text.ts";

/** Kinds whose values are more than one expression: they have no computed form. */
function isComputable(base: FieldKind): boolean {
  return base.columnTypes.length > 0 && !base.holdsFile;
}

function build(declaration: FieldDeclaration, kinds: Readonly<Record<string, FieldKind>>): FieldKind {
  const base = kinds[declaration.of ?? ""];
  if (!base) throw new Error(`no kind "${declaration.of ?? ""}"`);
  const { createDefaultSql: _default, searchSql: _search, findFault: _find, ...rest } = base;
  return { ...rest, name: "computed", control: "read-only", columnTypes: [] };
}

/** A value that PostgreSQL computes from the row whenever it is read; it reads, filters and sorts as the kind it is of. */
export const kind: FieldKind = {
  ...text,
  name: "computed",
  control: "read-only",
  columnTypes: [],
  findFault(declaration, kinds) {
    const { of, sql, readOnly } = declaration;
    const base = kinds[of ?? ""];
    if (!base || !isComputable(base)) return `a computed field says of which kind it is, not "${of ?? ""}"`;
    if (!sql?.includes("{row}")) return "a computed field has SQL that speaks of {row}";
    if (readOnly === false) return "a computed field is never written";
    return base.findFault?.(declaration, kinds);
  },
  build,
};
