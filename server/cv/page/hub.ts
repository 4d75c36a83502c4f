import type { Language } from "#contract/languages.ts";
import type { HubProject } from "#contract/site/hub.ts";
import { FILE_PREFIX } from "#server/models/kinds/file.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { getPictureSizes } from "#server/pictures/service.ts";
import { toPeriodText } from "./cv-page.ts";
import type { ShownItem } from "./select-shown.ts";
import type { ShownModel } from "./shown-models.ts";

export const PROJECT_MODEL = "cv.project";

/** Fields of a project that its card shows: the picture too, which the CV leaves out. */
const CARD_FIELDS = [
  "name",
  "description",
  "highlights",
  "url",
  "start_date",
  "end_date",
  "keywords",
  "picture",
];

/** The projects as the hub reads them; undefined where the site has no such model. */
export function findHubModel(registry: Registry): ShownModel | undefined {
  const model = registry.byKey.get(PROJECT_MODEL);
  return model && { model, fields: model.fields.filter(({ name }) => CARD_FIELDS.includes(name)) };
}

/** A card needs a name: an imported project without one stays in the database, and isn't shown. */
export function toHubProject({ id, values }: ShownItem, lang: Language): HubProject[] {
  const [name] = [values.name ?? []].flat();
  if (name === undefined) return [];
  const text = (field: string) => [values[field] ?? []].flat()[0] ?? null;
  const picture = text("picture");
  return [
    {
      id,
      name,
      text: text("description") ?? text("highlights") ?? "",
      url: text("url"),
      date: toPeriodText(text("start_date"), text("end_date"), lang),
      tags: [values.keywords ?? []].flat(),
      pictures: picture?.startsWith(FILE_PREFIX) ? getPictureSizes(picture) : [],
    },
  ];
}
