import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { isDataError } from "#providers/data.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { ErrorState } from "../../parts/error-state.tsx";
import { isNarrowed, type ListView, toUsualScope } from "../state/list-view.ts";
import type { ChangeView } from "../state/use-list-view.ts";

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
  const hasSomething = isNarrowed(view, model) || view.sorts.length > 0;
  const loadFailed = model.texts?.loadFailed ?? t("errors.loadObjects");
  return (
    <ErrorState
      title={model.texts?.errorTitle ?? loadFailed}
      {...(model.texts?.errorTitle !== undefined && { text: loadFailed })}
      error={error}
      onRetry={onRetry}
      action={
        isViewAtFault &&
        hasSomething && (
          <Button type="primary" onClick={() => changeView({ ...toUsualScope(model), sorts: [] })}>
            {t("list.clear")}
          </Button>
        )
      }
    />
  );
}
