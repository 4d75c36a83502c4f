import type { Labels } from "../field-declaration.ts";

/** Takes a fault of a declaration, at a field or, with null, at the model. */
export type Report = (field: string | null, fault: string) => void;

/** Collects faults of one declaration under its file's name. */
export function createReporter(declaration: { app: string; name: string }, faults: string[]): Report {
  const { app, name } = declaration;
  const file = `server/models/declared/${name.replaceAll("_", "-")}.ts`;
  return (field, fault) =>
    void faults.push(`${file}: ${app}.${name}${field ? `, field ${field}` : ""}: ${fault}`);
}

/** Whether a text lacks one of its languages. A declaration that is plain data may lack the key. */
export function isBlank(labels: Partial<Labels> | undefined): boolean {
  return !labels?.en?.trim() || !labels.tr?.trim();
}
