import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ActionEntry } from "#contract/accounts/admin-users.ts";
import { actionsResource } from "#resources/actions.ts";
import { ActionIcon, useEntryAddress, useEntryText } from "../actions/entry.tsx";
import { Panel } from "../ui/panel.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";

/**
 * Whether the object of an entry is known to be gone: a deletion of it stands at or above the entry in the list. (The newest
 * entries hold every later deletion of what they speak of.)
 */
function isDeleted(entry: ActionEntry, newestFirst: readonly ActionEntry[]): boolean {
  return newestFirst
    .slice(0, newestFirst.indexOf(entry) + 1)
    .some(
      ({ action_type, content_type_id, object_id }) =>
        action_type === "DELETE" &&
        content_type_id === entry.content_type_id &&
        object_id === entry.object_id,
    );
}

function toName(user: ActionEntry["user"]): string | undefined {
  return user ? [user.first_name, user.last_name].filter(Boolean).join(" ") || user.username : undefined;
}

interface RecentActionProps {
  entry: ActionEntry;
  /** Of the object, where it can be opened. */
  address: string | undefined;
}

/** Who did what, when, and to which object. */
function RecentAction({ entry, address }: RecentActionProps) {
  const { t } = useTranslation();
  const toText = useEntryText();
  const { action_type: type, content_type: model, object_repr: object } = entry;
  const text = toText(entry);
  // Words for the type alone say nothing more than the verb beside the name.
  const hasText = text !== t(`audit.plain.${type}`);
  return (
    <li className="recent-action">
      <span className="recent-icon">
        <ActionIcon entry={entry} />
      </span>
      <p className="recent-who">
        <strong>{toName(entry.user) ?? t("dashboard.recent.unknown")}</strong>
        {/* A detail says it better: a refused log-in is of the type LOGIN too. */}
        {entry.detail === null && <span>{t(`dashboard.recent.did.${type}`)}</span>}
      </p>
      <span className="recent-time">
        <RelativeTime moment={entry.timestamp} />
      </span>
      <p className="recent-what">
        {model !== null && <span>{model}</span>}
        {object !== null &&
          object !== "" &&
          (address ? <Link to={address}>{object}</Link> : <span>{object}</span>)}
        <span>{hasText ? text : t("dashboard.recent.noDescription")}</span>
      </p>
    </li>
  );
}

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
