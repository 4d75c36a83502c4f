import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { ActionEntry } from "#contract/admin-users.ts";
import { ActionIcon } from "../actions/action-icon.tsx";
import { useEntryText } from "../actions/use-entry-text.ts";
import { RelativeTime } from "../parts/relative-time.tsx";

function toName(user: ActionEntry["user"]): string | undefined {
  return user ? [user.first_name, user.last_name].filter(Boolean).join(" ") || user.username : undefined;
}

interface RecentActionProps {
  entry: ActionEntry;
  /** Of the object, where it can be opened. */
  address: string | undefined;
}

/** Who did what, when, and to which object. */
export function RecentAction({ entry, address }: RecentActionProps) {
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
