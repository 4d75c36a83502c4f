import type { TFunction } from "i18next";
import type { RecordSource } from "#resources/record-source.ts";
import { toModelPath } from "../models/use-models.ts";
import type { PaletteItem } from "./palette-item.ts";

/** What can be done with one model: its list, a new record, the bulk page, as far as the permissions go. */
function toItemsOfModel(model: RecordSource, t: TFunction): PaletteItem[] {
  const { content_type_id, app_label, model_name, is_singleton, permissions } = model;
  const name = model.verbose_name_plural;
  const list = toModelPath(model);
  // Users, access levels and the log have screens of their own, which are listed as such.
  const hasOwnScreen = list !== model.paths.list;
  const common = { group: "models", keywords: [`${app_label}.${model_name}`, model.verbose_name] } as const;
  const items: PaletteItem[] = [];
  if (!hasOwnScreen) {
    const label = is_singleton ? model.verbose_name : name;
    items.push({ ...common, id: `model:${content_type_id}`, label, icon: "models", target: { to: list } });
  }
  if (permissions.create && !is_singleton) {
    items.push({
      ...common,
      id: `create:${content_type_id}`,
      label: t("palette.create", { name: model.verbose_name }),
      icon: "create",
      target: { to: hasOwnScreen ? `${list}/new` : model.paths.create },
      isOnlySearched: true,
    });
  }
  const canWriteMany = permissions.update || permissions.delete;
  if (canWriteMany && !is_singleton && !hasOwnScreen && model.paths.bulk !== null) {
    items.push({
      ...common,
      id: `bulk:${content_type_id}`,
      label: t("palette.bulk", { name }),
      icon: "bulk",
      target: { to: model.paths.bulk },
      isOnlySearched: true,
    });
  }
  return items;
}

export function toModelItems(models: readonly RecordSource[], t: TFunction): PaletteItem[] {
  return models.flatMap((model) => toItemsOfModel(model, t));
}
