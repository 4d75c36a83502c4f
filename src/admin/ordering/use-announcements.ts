import type { Announcements, UniqueIdentifier } from "@dnd-kit/core";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/models.ts";

/** What a screen reader says of a drag. */
export function useAnnouncements(rows: readonly ModelRecord[], total: number) {
  const { t, i18n } = useTranslation();
  const format = new Intl.NumberFormat(i18n.language);
  const findName = (id: UniqueIdentifier) => rows.find((row) => row.id === id)?.repr ?? "";
  const toPlace = (id: UniqueIdentifier) => ({
    place: format.format(rows.findIndex((row) => row.id === id) + 1),
    total: format.format(total),
  });
  const announcements: Announcements = {
    onDragStart: ({ active }) =>
      t("ordering.drag.start", { name: findName(active.id), ...toPlace(active.id) }),
    onDragOver: ({ active, over }) =>
      over ? t("ordering.drag.over", { name: findName(active.id), ...toPlace(over.id) }) : undefined,
    onDragEnd: ({ active, over }) =>
      over ? t("ordering.drag.end", { name: findName(active.id), ...toPlace(over.id) }) : undefined,
    onDragCancel: ({ active }) => t("ordering.drag.cancel", { name: findName(active.id) }),
  };
  return { announcements, screenReaderInstructions: { draggable: t("ordering.drag.instructions") } };
}
