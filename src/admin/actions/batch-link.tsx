import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ActionEntry } from "#contract/accounts/admin-users.ts";
import { actionsResource, ofBatch } from "#resources/actions.ts";
import { buildListViewParams, EMPTY_VIEW } from "../views/state/list-view.ts";

type Batch = NonNullable<ActionEntry["batch"]>;

/** Every entry of one operation, as a list. */
export function toBatchAddress(id: string) {
  const search = buildListViewParams({ ...EMPTY_VIEW, filters: [ofBatch(id)] }).toString();
  return { pathname: actionsResource.list, search };
}

/** How many objects an operation wrote; beyond what is counted, that there are more. */
function useBatchText(): (batch: Batch) => string {
  const { t, i18n } = useTranslation();
  const format = new Intl.NumberFormat(i18n.language);
  return ({ count, is_more }) => {
    const shown = `${format.format(count ?? 0)}${is_more ? "+" : ""}`;
    return t("audit.batchObjects", { count: count ?? 0, shown });
  };
}

/** The number of an operation's objects, which opens the entry of each. */
export function BatchLink({ batch }: { batch: Batch }) {
  const { t } = useTranslation();
  const text = useBatchText()(batch);
  return (
    <Link
      className="batch-link"
      to={toBatchAddress(batch.id)}
      title={t("audit.openBatch")}
      onClick={(event: MouseEvent) => event.stopPropagation()}
    >
      {text}
    </Link>
  );
}
