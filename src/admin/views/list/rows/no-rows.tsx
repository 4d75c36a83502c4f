import { Button } from "antd";
import { useTranslation } from "react-i18next";
import type { RecordSource } from "#resources/record-source.ts";
import { ImportHint } from "../../../ordering/import-hint.tsx";
import { EmptyState } from "../../../parts/empty-state.tsx";
import { EVERY_ROW, isNarrowed, type ListView, toUsualScope } from "../../state/list-view.ts";
import type { ChangeView } from "../../state/use-list-view.ts";

interface NoRowsProps {
  model: RecordSource;
  view: ListView;
  changeView: ChangeView;
  /** Undefined: nothing can be made here. */
  onCreate: (() => void) | undefined;
}

/** Why a list is empty, and the way on. */
export function NoRows({ model, view, changeView, onCreate }: NoRowsProps) {
  const { t } = useTranslation();
  const title = model.texts?.none ?? t("list.none");
  if (isNarrowed(view, model)) {
    return (
      <EmptyState
        title={title}
        text={t("list.noneMatch")}
        action={<Button onClick={() => changeView(toUsualScope(model))}>{t("list.clear")}</Button>}
      />
    );
  }
  if (model.defaultFilters) {
    return (
      <EmptyState
        title={title}
        text={t("list.noneUsual")}
        action={<Button onClick={() => changeView(EVERY_ROW)}>{t("list.showAll")}</Button>}
      />
    );
  }
  if (!onCreate) return <EmptyState title={title} text={t("list.noneYet")} />;
  return (
    <EmptyState
      title={title}
      text={t("list.noneCreate")}
      action={
        <>
          <Button type="primary" onClick={onCreate}>
            {model.texts?.create ?? t("list.create")}
          </Button>
          <ImportHint model={model} />
        </>
      }
    />
  );
}
