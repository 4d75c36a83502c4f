import "./actions.css";
import { Drawer } from "antd";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate, useParams } from "react-router";
import { actionsResource } from "#resources/actions.ts";
import { toId } from "../navigation/addresses.ts";
import { ErrorState } from "../parts/error-state.tsx";
import { FormSkeleton } from "../parts/skeletons.tsx";
import { useReturnedFocus } from "../parts/use-returned-focus.ts";
import { useStepBack } from "../parts/use-step-back.ts";
import { EmptyState } from "../ui/states.tsx";
import { isOpenedFromList } from "../views/state/list-context.ts";
import { EntryView } from "./entry-view.tsx";
import { useEntry } from "./use-entry.ts";
import { useEntryText } from "./use-entry-text.ts";

function EntryBody({ loaded: { query, entry } }: { loaded: ReturnType<typeof useEntry> }) {
  const { t } = useTranslation();
  if (entry) return <EntryView entry={entry} />;
  if (entry === null) return <EmptyState title={t("audit.notFound")} text={t("audit.notFoundHelp")} />;
  if (query.isError) {
    return (
      <ErrorState title={t("audit.failedOne")} error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  return <FormSkeleton />;
}

/** `/admin/actions/:actionId`: one entry of the log, over the list. */
export function ActionDrawer() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const stepBack = useStepBack();
  const { state, search } = useLocation();
  const loaded = useEntry(toId(useParams().actionId));
  const toText = useEntryText();
  useReturnedFocus();
  const close = () => {
    if (isOpenedFromList(state)) stepBack();
    else void navigate({ pathname: actionsResource.list, search }, { replace: true });
  };
  return (
    <Drawer
      open
      title={loaded.entry ? toText(loaded.entry) : t("audit.one")}
      width="min(760px, 100%)"
      onClose={close}
      closable={{ "aria-label": t("actions.close") }}
    >
      <EntryBody loaded={loaded} />
    </Drawer>
  );
}
