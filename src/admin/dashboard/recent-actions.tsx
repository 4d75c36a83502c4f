import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ActionEntry } from "#contract/admin-users.ts";
import { actionsResource } from "#resources/actions.ts";
import { useEntryAddress } from "../actions/use-entry-address.ts";
import { Panel } from "../ui/panel.tsx";
import { isDeleted } from "./is-deleted.ts";
import { RecentAction } from "./recent-action.tsx";

/** The newest entries of the log that the person may see. */
export function RecentActions({ actions }: { actions: readonly ActionEntry[] }) {
  const { t } = useTranslation();
  // Which models there are decides about links alone: until then, and without, objects are plain text.
  const toAddress = useEntryAddress();
  return (
    <Panel
      title={t("dashboard.recent.title")}
      className="recent"
      end={
        <Link to={actionsResource.list}>
          {t("dashboard.recent.all")}
          <span className="visually-hidden">: {t("dashboard.recent.title")}</span>
        </Link>
      }
    >
      {actions.length === 0 ? (
        <div className="panel-empty">
          <p className="state-title">{t("dashboard.recent.none")}</p>
          <p>{t("dashboard.recent.noneHelp")}</p>
        </div>
      ) : (
        <ol className="recent-actions">
          {actions.map((entry) => (
            <RecentAction
              key={entry.id}
              entry={entry}
              address={isDeleted(entry, actions) ? undefined : toAddress(entry)}
            />
          ))}
        </ol>
      )}
    </Panel>
  );
}
