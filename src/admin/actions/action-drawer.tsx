import "./actions.css";
import { useList } from "@refinedev/core";
import { Drawer } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation, useNavigate, useParams } from "react-router";
import type { ActionEntry } from "#contract/accounts/admin-users.ts";
import type { ModelRecord, QueryFilter } from "#contract/content/models.ts";
import { toLanguage } from "#contract/languages.ts";
import { toCrudFilter } from "#providers/refine/data.ts";
import { actionsResource } from "#resources/actions.ts";
import { usersResource } from "#resources/users.ts";
import { toId, useStepBack } from "../navigation/addresses.ts";
import { useServices } from "../services.ts";
import { useReturnedFocus } from "../ui/accessibility.ts";
import { ErrorState } from "../ui/errors.tsx";
import { RelativeTime } from "../ui/relative-time.tsx";
import { EmptyState, FormSkeleton } from "../ui/states.tsx";
import { ChangesTable } from "../views/history/changes-table.tsx";
import { isOpenedFromList } from "../views/state/list-context.ts";
import { buildListViewParams, EMPTY_VIEW } from "../views/state/list-view.ts";
import { toBatchAddress } from "./batch-link.tsx";
import {
  ActionIcon,
  parseEntry,
  toPersonName,
  useEntryAddress,
  useEntryFields,
  useEntryText,
} from "./entry.tsx";

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

/** One entry: the log has no endpoint for one, but its list filters by number. `entry` is null where there is none. */
function useEntry(id: number) {
  const isNumber = !Number.isNaN(id);
  const { query, result } = useList<ModelRecord>({
    resource: actionsResource.name,
    pagination: { currentPage: 1, pageSize: 1 },
    filters: [toCrudFilter({ field: "id", operator: "exact", value: String(id) })],
    queryOptions: { enabled: isNumber, staleTime: Number.POSITIVE_INFINITY },
    errorNotification: false,
  });
  const [record] = result.data;
  const isKnown = query.isSuccess || !isNumber;
  return { query, entry: record ? parseEntry(record) : isKnown ? null : undefined };
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function When({ moment }: { moment: string }) {
  const { i18n } = useTranslation();
  const format = new Intl.DateTimeFormat(toLanguage(i18n.language), { dateStyle: "full", timeStyle: "long" });
  return (
    <>
      {format.format(new Date(moment))} (<RelativeTime moment={moment} />)
    </>
  );
}

function Who({ user }: Pick<ActionEntry, "user">) {
  const { t } = useTranslation();
  const { permissions } = useServices();
  if (!user) return t("audit.systemHelp");
  const name = toPersonName(user);
  const shown = name === user.username ? name : `${name} (${user.username})`;
  if (user.is_deleted || !permissions.can("view", "accounts.user")) return shown;
  return <Link to={`${usersResource.list}/${user.id}`}>{shown}</Link>;
}

function What({ entry }: { entry: ActionEntry }) {
  const address = useEntryAddress()(entry);
  const { object_repr, object_id } = entry;
  const name = object_repr || `#${object_id}`;
  return address === undefined ? name : <Link to={address}>{name}</Link>;
}

const toLog = (filters: QueryFilter[]) => ({
  pathname: actionsResource.list,
  search: buildListViewParams({ ...EMPTY_VIEW, filters }).toString(),
});
const exact = (field: string, value: string | number): QueryFilter => ({
  field,
  operator: "exact",
  value: String(value),
});

/** Ways to the other entries of the same object and the same person. */
function MoreEntries({ entry: { content_type_id, object_id, user, batch } }: { entry: ActionEntry }) {
  const { t } = useTranslation();
  const hasObject = content_type_id !== null && object_id !== null;
  if (!hasObject && !user && !batch) return null;
  return (
    <ul className="entry-links">
      {batch && (
        <li>
          <Link to={toBatchAddress(batch.id)}>{t("audit.ofBatch")}</Link>
        </li>
      )}
      {hasObject && (
        <li>
          <Link to={toLog([exact("content_type_id", content_type_id), exact("object_id", object_id)])}>
            {t("audit.ofObject")}
          </Link>
        </li>
      )}
      {user && (
        <li>
          <Link to={toLog([exact("user", user.id)])}>{t("audit.ofUser", { name: toPersonName(user) })}</Link>
        </li>
      )}
    </ul>
  );
}

/** Who, when, what, from where, and what it changed. */
function EntryView({ entry }: { entry: ActionEntry }) {
  const { t } = useTranslation();
  const text = useEntryText()(entry);
  const fields = useEntryFields()(entry);
  const { action_type, timestamp, user, content_type, object_id, object_repr, ip_address, changes } = entry;
  const message = entry.change_message.trim();
  return (
    <>
      <dl className="entry-facts">
        <Fact label={t("audit.fields.actionType")}>
          <ActionIcon entry={entry} /> {t(`audit.types.${action_type}`)}
        </Fact>
        <Fact label={t("audit.fields.what")}>{text}</Fact>
        {message !== "" && message !== text && <Fact label={t("audit.fields.message")}>{message}</Fact>}
        <Fact label={t("audit.fields.user")}>
          <Who user={user} />
        </Fact>
        <Fact label={t("audit.fields.timestamp")}>
          <When moment={timestamp} />
        </Fact>
        {content_type && <Fact label={t("audit.fields.model")}>{content_type}</Fact>}
        {(object_repr || object_id) && (
          <Fact label={t("audit.fields.object")}>
            <What entry={entry} />
          </Fact>
        )}
        <Fact label={t("audit.fields.ipAddress")}>{ip_address ?? t("audit.noAddress")}</Fact>
      </dl>
      {Object.keys(changes).length > 0 && (
        <section className="entry-changes">
          <h3>{t("audit.fields.changes")}</h3>
          <ChangesTable changes={changes} fields={fields} />
        </section>
      )}
      <MoreEntries entry={entry} />
    </>
  );
}
