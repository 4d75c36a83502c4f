import type { Announcements, UniqueIdentifier } from "@dnd-kit/core";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/models.ts";

/** What a screen reader says of a drag. */
export function useAnnouncements(rows: readonly ModelRecord[], total: number) {
  const { t, i18n } = useTranslation();
  /** The place that was told of last: at its start a drag is over its own, which must not be said over "is lifted". */
  const toldOver = useRef<UniqueIdentifier>(null);
  const format = new Intl.NumberFormat(i18n.language);
  const findName = (id: UniqueIdentifier) => rows.find((row) => row.id === id)?.repr ?? "";
  const toPlace = (id: UniqueIdentifier) => ({
    place: format.format(rows.findIndex((row) => row.id === id) + 1),
    total: format.format(total),
  });
  const announcements: Announcements = {
    onDragStart({ active }) {
      toldOver.current = active.id;
      return t("ordering.drag.start", { name: findName(active.id), ...toPlace(active.id) });
    },
    onDragOver({ active, over }) {
      if (!over || over.id === toldOver.current) return undefined;
      toldOver.current = over.id;
      return t("ordering.drag.over", { name: findName(active.id), ...toPlace(over.id) });
    },
    onDragEnd: ({ active, over }) =>
      over ? t("ordering.drag.end", { name: findName(active.id), ...toPlace(over.id) }) : undefined,
    onDragCancel: ({ active }) => t("ordering.drag.cancel", { name: findName(active.id) }),
  };
  return { announcements, screenReaderInstructions: { draggable: t("ordering.drag.instructions") } };
}
