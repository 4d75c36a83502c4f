import { Alert, Button } from "antd";
import { createContext, useContext } from "react";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/content/models.ts";
import { parseUser } from "#resources/user-record.ts";
import type { RecordPartProps } from "../views/state/list-context.ts";
import type { UserChange } from "./change-dialog.tsx";

/** Asks before somebody is changed; null: the reader may not change people. */
export const AskContext = createContext<((change: UserChange, record: ModelRecord) => void) | null>(null);

/** Over an opened account: that it waits for a decision, or was refused, and the way to decide. */
export function WaitingHead({ record }: RecordPartProps) {
  const { t } = useTranslation();
  const ask = useContext(AskContext);
  const admission = parseUser(record)?.admission ?? "admitted";
  if (admission === "admitted") return null;
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
