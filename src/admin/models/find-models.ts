import type { RecordSource } from "#resources/record-source.ts";

/** As people search: without case and marks, the Turkish ı as i. */
function fold(text: string): string {
  return text
    .toLocaleLowerCase("tr")
    .normalize("NFD")
    .replace(/\p{Mark}/gu, "")
    .replaceAll("ı", "i");
}

/** The models of an app, or of all with "", that have every word of the search in one of their texts. */
export function findModels(
  models: readonly RecordSource[],
  { app, search }: { app: string; search: string },
): readonly RecordSource[] {
  const words = fold(search).split(/\s+/).filter(Boolean);
  return models.filter((model) => {
    if (app !== "" && model.app_label !== app) return false;
    const { verbose_name, verbose_name_plural, app_label, model_name, description } = model;
    const text = fold([verbose_name, verbose_name_plural, app_label, model_name, description].join(" "));
    return words.every((word) => text.includes(word));
  });
}
