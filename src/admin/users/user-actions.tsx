import {
  CheckOutlined,
  CloseOutlined,
  DeleteOutlined,
  EditOutlined,
  EyeOutlined,
  LogoutOutlined,
  PlayCircleOutlined,
  StopOutlined,
} from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate } from "react-router";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import type { AdminUser } from "#contract/accounts/admin-users.ts";
import type { ModelRecord } from "#contract/content/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { isProtectedPeer, parseUser } from "#resources/user-record.ts";
import { useServices } from "../services.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { RowButton } from "../ui/row-button.tsx";
import { OPENED_FROM_LIST } from "../views/state/list-context.ts";
import type { UserChange } from "./change-dialog.tsx";

/** "Ada Lovelace (ada)", so that two of one name are told apart; the username alone where there is no other name. */
export function toPersonName(record: ModelRecord): string {
  const user = parseUser(record);
  if (!user || record.repr === user.username) return record.repr;
  return `${record.repr} (${user.username})`;
}

/** What is asked about before it is done. */
export type UserOperation = UserChange | "delete" | "endSessions";

interface UserActionsProps {
  source: RecordSource;
  record: ModelRecord;
  onAsk: (operation: UserOperation) => void;
}

/** Why the signed-in person can't suspend or delete somebody, in words; the server refuses for the same reasons. */
export function useBlocks(user: Pick<AdminUser, "id" | "access_level">) {
  const { t } = useTranslation();
  const { permissions, session } = useServices();
  const { accessLevel } = permissions;
  const { access_level } = user;
  const ownId = session.getAuthState()?.user.id ?? 0;
  const isOwn = ownId === user.id;
  const peer = isProtectedPeer(user, { id: ownId, accessLevel }) ? t("users.blocked.peer") : undefined;
  const above = access_level > accessLevel ? t("users.blocked.above") : peer;
  const protectedly =
    access_level === ACCESS_LEVEL.superuser ? t("users.blocked.superuserDelete") : undefined;
  return {
    edit: above,
    endSessions: above ?? (isOwn ? t("users.blocked.ownSessions") : undefined),
    suspend: above ?? (isOwn ? t("users.blocked.ownSuspend") : undefined),
    delete: above ?? protectedly ?? (isOwn ? t("users.blocked.ownDelete") : undefined),
  };
}

function KnownActions({ source, record, user, onAsk }: UserActionsProps & { user: AdminUser }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { search } = useLocation();
  const blocks = useBlocks(user);
  const { paths, permissions } = source;
  const name = toPersonName(record);
  const open = (pathname: string) => void navigate({ pathname, search }, { state: OPENED_FROM_LIST });
  return (
    <>
      {permissions.update && (
        <RowButton
          icon={<EditOutlined {...DECORATIVE} />}
          label={t("users.actions.edit", { name })}
          blocked={blocks.edit}
          onClick={() => open(paths.edit(record.id))}
        />
      )}
      {/* Four buttons have room in a row: where two decide, the form is there to be read. */}
      {user.admission !== "waiting" && (
        <RowButton
          icon={<EyeOutlined {...DECORATIVE} />}
          label={t("users.actions.view", { name })}
          onClick={() => open(paths.view?.(record.id) ?? paths.edit(record.id))}
        />
      )}
      {permissions.update && user.admission !== "admitted" && (
        <RowButton
          icon={<CheckOutlined {...DECORATIVE} />}
          label={t("users.actions.approve", { name })}
          onClick={() => onAsk("approve")}
        />
      )}
      {permissions.update && user.admission === "waiting" && (
        <RowButton
          danger
          icon={<CloseOutlined {...DECORATIVE} />}
          label={t("users.actions.refuse", { name })}
          onClick={() => onAsk("refuse")}
        />
      )}
      {/* Who isn't in, or was refused, can't log in anyway. */}
      {permissions.update && (user.admission === "admitted" || !user.is_active) && (
        <RowButton
          icon={user.is_active ? <StopOutlined {...DECORATIVE} /> : <PlayCircleOutlined {...DECORATIVE} />}
          label={t(user.is_active ? "users.actions.suspend" : "users.actions.reinstate", { name })}
          blocked={blocks.suspend}
          onClick={() => onAsk(user.is_active ? "suspend" : "reinstate")}
        />
      )}
      {/* Nobody else has any. */}
      {permissions.update && user.admission === "admitted" && user.is_active && (
        <RowButton
          danger
          icon={<LogoutOutlined {...DECORATIVE} />}
          label={t("users.actions.endSessions", { name })}
          blocked={blocks.endSessions}
          onClick={() => onAsk("endSessions")}
        />
      )}
      {permissions.delete && (
        <RowButton
          danger
          icon={<DeleteOutlined {...DECORATIVE} />}
          label={t("users.actions.delete", { name })}
          blocked={blocks.delete}
          onClick={() => onAsk("delete")}
        />
      )}
    </>
  );
}

/** What can be done with one person, at the end of their row. */
export function UserActions(props: UserActionsProps) {
  const user = parseUser(props.record);
  if (!user) return null;
  return (
    <span className="row-actions">
      <KnownActions {...props} user={user} />
    </span>
  );
}
