import type { Language, LocalizedText } from "#contract/languages.ts";
import { notifyChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Model } from "#server/models/model.ts";
import { SECTION_MODEL } from "#server/models/row-sql.ts";
import type { ShownModel } from "./shown-models.ts";

/** What the owner says of a section of the page, by the model's key. */
interface SectionChoice {
  heading: LocalizedText | null;
  position: number;
  isHidden: boolean;
}

export type SectionChoices = ReadonlyMap<string, SectionChoice>;

/** The section's name where the owner gave it no other. */
const toLabel = ({ site, pluralLabels }: Model) => site?.section?.heading ?? pluralLabels;

/**
 * Gives every section of the page its row, and takes away those of models that are no more. A new one gets the place that its
 * declaration says: the numbers of the product are 100 apart, so that it stands between the same two until the owner moves them.
 */
export async function ensureSections(db: Queryable, shown: readonly ShownModel[]): Promise<void> {
  const models = shown.flatMap(({ model }) => (model.site?.section ? [model] : []));
  const rows = models.map((model) => ({
    model: model.key,
    label: toLabel(model),
    position: model.site?.section?.order ?? 0,
  }));
  const { rowCount } = await db.query(
    `WITH declared AS (
       SELECT * FROM jsonb_to_recordset($1::jsonb) AS row(model text, label jsonb, position integer)
     ), gone AS (
       DELETE FROM cv_section WHERE model NOT IN (SELECT model FROM declared) RETURNING id
     ), made AS (
       INSERT INTO cv_section (model, label, position) SELECT model, label, position FROM declared ORDER BY position
       ON CONFLICT (model) DO UPDATE SET label = excluded.label WHERE cv_section.label <> excluded.label
       RETURNING id
     )
     SELECT id FROM gone UNION ALL SELECT id FROM made`,
    [JSON.stringify(rows)],
  );
  if (rowCount) await notifyChange(db, SECTION_MODEL);
}

export async function selectSectionChoices(db: Queryable): Promise<SectionChoices> {
  const { rows } = await db.query<SectionChoice & { model: string }>({
    name: "cv_sections",
    text: `SELECT model, heading, position, is_hidden AS "isHidden" FROM cv_section ORDER BY position, id`,
  });
  return new Map(rows.map(({ model, ...choice }) => [model, choice]));
}

/** The models in the owner's order, without the sections that they hid; one that no start has seen yet stands where its declaration says. */
export function toOrdered(shown: readonly ShownModel[], choices: SectionChoices): ShownModel[] {
  const places = [...choices.keys()];
  const positionOf = ({ model }: ShownModel) =>
    choices.get(model.key)?.position ?? model.site?.section?.order ?? 0;
  const placeOf = ({ model }: ShownModel) => places.indexOf(model.key);
  return shown
    .filter(({ model }) => !choices.get(model.key)?.isHidden)
    .sort((one, other) => positionOf(one) - positionOf(other) || placeOf(one) - placeOf(other));
}

/** The heading that the owner gave it in the language, else its name. */
export function toHeading(model: Model, choices: SectionChoices, lang: Language): string {
  return choices.get(model.key)?.heading?.[lang]?.trim() || toLabel(model)[lang];
}
