import { Alert, Button } from "antd";
import { createContext, useContext } from "react";
import { useTranslation } from "react-i18next";
import type { AdminUser } from "#contract/accounts/admin-users.ts";
import type { ModelRecord } from "#contract/content/models.ts";
import { parseUser } from "#resources/user-record.ts";
import type { RecordPartProps } from "../views/state/list-context.ts";
import { type UserOperation, useBlocks } from "./user-actions.tsx";

/** Asks before somebody is changed; null: the reader may not change people. */
export const AskContext = createContext<((operation: UserOperation, record: ModelRecord) => void) | null>(
  null,
);

/** The way to end the sessions of who may be logged in. */
function SessionsHead({ record, user }: RecordPartProps & { user: AdminUser }) {
  const { t } = useTranslation();
  const ask = useContext(AskContext);
  const blocked = useBlocks(user).endSessions;
  if (!ask || blocked || !user.is_active) return null;
  return (
    <p className="sessions-head">
      <Button danger size="small" onClick={() => ask("endSessions", record)}>
        {t("users.endSessions.ok")}
      </Button>
    </p>
  );
}

/** Over an opened account: the end of its sessions; or that it waits for a decision, or was refused, and the way to decide. */
export function UserHead({ record }: RecordPartProps) {
  const { t } = useTranslation();
  const ask = useContext(AskContext);
  const user = parseUser(record);
  const admission = user?.admission ?? "admitted";
  if (admission === "admitted") return user ? <SessionsHead record={record} user={user} /> : null;
  return (
    <Alert
      className="waiting-head"
      type={admission === "waiting" ? "info" : "warning"}
      showIcon
      message={t(`users.admission.${admission}Notice`)}
      action={
        ask && (
          <span className="waiting-buttons">
            <Button type="primary" size="small" onClick={() => ask("approve", record)}>
              {t("users.approve.ok")}
            </Button>
            {admission === "waiting" && (
              <Button danger size="small" onClick={() => ask("refuse", record)}>
                {t("users.refuse.ok")}
              </Button>
            )}
          </span>
        )
      }
    />
  );
}
