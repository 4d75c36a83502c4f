import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { isDataError } from "#providers/data.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { ErrorState } from "../../parts/error-state.tsx";
import { EVERY_ROW, isNarrowed, type ListView } from "./list-view.ts";
import type { ChangeView } from "./use-list-view.ts";

interface ListErrorProps {
  model: RecordSource;
  error: { message: string };
  view: ListView;
  changeView: ChangeView;
  onRetry: () => void;
}

/** A list that could not be had. What the address asks for may be at fault: an old link, a field that is gone. */
export function ListError({ model, error, view, changeView, onRetry }: ListErrorProps) {
  const { t } = useTranslation();
  const isViewAtFault = isDataError(error) && error.statusCode === 400;
  const hasSomething = isNarrowed(view) || view.sorts.length > 0;
  return (
    <ErrorState
      title={model.texts?.loadFailed ?? t("errors.loadObjects")}
      error={error}
      onRetry={onRetry}
      action={
        isViewAtFault &&
        hasSomething && (
          <Button type="primary" onClick={() => changeView({ ...EVERY_ROW, sorts: [] })}>
            {t("list.clear")}
          </Button>
        )
      }
    />
  );
}
