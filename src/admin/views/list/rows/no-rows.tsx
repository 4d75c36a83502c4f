import "./import-hint.css";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { isDataError } from "#providers/refine/data-error.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { ErrorState } from "../../../ui/errors.tsx";
import { EmptyState } from "../../../ui/states.tsx";
import { EVERY_ROW, isNarrowed, type ListView, toUsualScope } from "../../state/list-view.ts";
import type { ChangeView } from "../../state/use-list-view.ts";

interface NoRowsProps {
  source: RecordSource;
  view: ListView;
  changeView: ChangeView;
  /** Undefined: nothing can be made here. */
  onCreate: (() => void) | undefined;
}

/** Why a list is empty, and the way on. */
export function NoRows({ source, view, changeView, onCreate }: NoRowsProps) {
  const { t } = useTranslation();
  const title = source.texts?.none ?? t("list.none");
  if (isNarrowed(view, source)) {
    return (
      <EmptyState
        title={title}
        text={t("list.noneMatch")}
        action={<Button onClick={() => changeView(toUsualScope(source))}>{t("list.clear")}</Button>}
      />
    );
  }
  if (source.defaultFilters) {
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
            {source.texts?.create ?? t("list.create")}
          </Button>
          <ImportHint source={source} />
        </>
      }
    />
  );
}

/** The app whose models a JSON Resume file fills. */
const CV_APP = "cv";

/** How a whole CV comes in at once: by a command on the server, since it may replace what is there. */
function ImportHint({ source }: { source: RecordSource }) {
  const { t } = useTranslation();
  if (source.app_label !== CV_APP || !source.permissions.create) return null;
  return (
    <div className="import-hint">
      <p>{t("ordering.import")}</p>
      <pre>
        <code>{"npm run foyer -- import cv.json\nnpm run foyer -- import cv.tr.json --lang tr"}</code>
      </pre>
    </div>
  );
}

interface ListErrorProps {
  source: RecordSource;
  error: { message: string };
  view: ListView;
  changeView: ChangeView;
  onRetry: () => void;
}

/** A list that could not be had. What the address asks for may be at fault: an old link, a field that is gone. */
export function ListError({ source, error, view, changeView, onRetry }: ListErrorProps) {
  const { t } = useTranslation();
  const isViewAtFault = isDataError(error) && error.statusCode === 400;
  const hasSomething = isNarrowed(view, source) || view.sorts.length > 0;
  const loadFailed = source.texts?.loadFailed ?? t("errors.loadObjects");
  return (
    <ErrorState
      title={source.texts?.errorTitle ?? loadFailed}
      {...(source.texts?.errorTitle !== undefined && { text: loadFailed })}
      error={error}
      onRetry={onRetry}
      action={
        isViewAtFault &&
        hasSomething && (
          <Button type="primary" onClick={() => changeView({ ...toUsualScope(source), sorts: [] })}>
            {t("list.clear")}
          </Button>
        )
      }
    />
  );
}
