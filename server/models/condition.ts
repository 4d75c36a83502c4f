import { ADMIN_LIMITS } from "#contract/content/lists.ts";
import { FILTER_OPERATORS, type FilterOperator } from "#contract/content/models.ts";
import { AppError } from "#server/base/errors.ts";
import { ME, VIEWABLE_MODELS } from "./declare.ts";
import type { Condition, Field, FilterValue, Model } from "./model.ts";

function invalid(parameter: string): AppError {
  return new AppError("invalid_query", { vars: { parameter } });
}

function toText(value: unknown, name: string): string {
  if (typeof value === "string") {
    const isStorable = !value.includes("\0") && value.isWellFormed();
    if (!isStorable || value.length > ADMIN_LIMITS.filterTextMaxChars) throw invalid(name);
    return value;
  }
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw invalid(name);
}

/** The JSON array that a text is; undefined: it is none. */
function parseArray(text: string): unknown[] | undefined {
  if (!text.trimStart().startsWith("[")) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined; // a text that begins with a bracket
  }
}

/** Texts of a list operator: `a,b,c`, or a JSON array where a value may hold a comma. */
function toTexts(value: unknown, name: string): string[] {
  if (Array.isArray(value)) return value.map((item) => toText(item, name));
  const text = toText(value, name);
  return parseArray(text)?.map((item) => toText(item, name)) ?? text.split(",").map((part) => part.trim());
}

function toValue(operator: FilterOperator, value: unknown, name: string): FilterValue {
  if (operator === "in") {
    const texts = toTexts(value, name);
    if (texts.length > ADMIN_LIMITS.filterValuesMax) throw invalid(name);
    return texts;
  }
  if (operator === "range") {
    const texts = toTexts(value, name);
    if (texts.length !== 2) throw invalid(name);
    return texts;
  }
  const text = toText(value, name);
  if (operator === "isnull" && text !== "true" && text !== "false") throw invalid(name);
  return text;
}

/**
 * One condition on a field. `name` says in errors where it came from.
 * @throws AppError unknown_field, unknown_operator or invalid_query, each naming its cause.
 */
export function toFieldCondition(
  fields: ReadonlyMap<string, Field>,
  entry: { field?: unknown; operator?: unknown; value?: unknown },
  name = "filters",
): Condition {
  if (typeof entry.field !== "string" || entry.field === "") throw invalid(name);
  const field = fields.get(entry.field);
  if (!field) throw new AppError("unknown_field", { vars: { field: entry.field } });
  const asked = entry.operator ?? "exact";
  if (typeof asked !== "string") throw invalid(`${name} ${field.name}`);
  const operator = FILTER_OPERATORS.find((known) => known === asked);
  if (!operator || !field.kind.operators.includes(operator)) {
    throw new AppError("unknown_operator", { vars: { field: field.name, operator: asked } });
  }
  return {
    type: "field",
    field,
    operator,
    value: toValue(operator, entry.value ?? "", `${name} ${field.name}`),
  };
}

function toMe(field: Field): Condition {
  if (!field.kind.relates && field.name !== "id")
    throw new AppError("unknown_field", { vars: { field: field.name } });
  return { type: "me", field };
}

/** What the reader decides, of which row rules alone speak; undefined: an ordinary condition. */
function toReaderCondition(
  { fields, models }: Context,
  group: Record<string, unknown>,
): Condition | undefined {
  if (!models || typeof group.field !== "string" || (group.operator ?? "exact") !== "exact") return undefined;
  const field = fields.get(group.field);
  if (field && group.value === ME) return toMe(field);
  return field && group.value === VIEWABLE_MODELS ? { type: "viewable", field, models } : undefined;
}

/** What a group is read with; `models` are known to row rules alone. */
interface Context {
  fields: ReadonlyMap<string, Field>;
  models: readonly Model[] | null;
  leavesLeft: number;
}

function toLeaf(context: Context, group: Record<string, unknown>): Condition {
  if (Object.keys(group).some((name) => name !== "field" && name !== "operator" && name !== "value"))
    throw invalid("where");
  context.leavesLeft -= 1;
  if (context.leavesLeft < 0) throw invalid("where");
  return toReaderCondition(context, group) ?? toFieldCondition(context.fields, group, "where");
}

function toGroup(context: Context, given: unknown, depth: number): Condition {
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw invalid("where");
  if (depth > ADMIN_LIMITS.whereDepthMax) throw invalid("where");
  const names = Object.keys(given);
  const group = given as Record<string, unknown>;
  const [name] = names;
  if (names.length === 1 && (name === "and" || name === "or")) {
    const parts = group[name];
    if (!Array.isArray(parts) || parts.length === 0) throw invalid("where");
    return { type: name, of: parts.map((part) => toGroup(context, part, depth + 1)) };
  }
  if (names.length === 1 && name === "not") {
    return { type: "not", of: toGroup(context, group.not, depth + 1) };
  }
  return toLeaf(context, group);
}

/**
 * Nested groups: `{"and": […]}`, `{"or": […]}`, `{"not": …}`, `{"field", "operator", "value"}`. With `models` it is a row rule's.
 * @throws AppError as `toFieldCondition`.
 */
export function toCondition(
  fields: ReadonlyMap<string, Field>,
  given: unknown,
  models: readonly Model[] | null = null,
): Condition {
  return toGroup({ fields, models, leavesLeft: ADMIN_LIMITS.whereLeavesMax }, given, 1);
}
