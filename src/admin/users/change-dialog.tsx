import { useUpdate } from "@refinedev/core";
import { Modal } from "antd";
import type { TFunction } from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/content/models.ts";
import type { DataError } from "#providers/refine/data-error.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { parseUser } from "#resources/user-record.ts";
import { ErrorState, toErrorText } from "../ui/errors.tsx";
import { useOneAtATime } from "../ui/timing.ts";
import { useRecord } from "../views/form/use-record.ts";

/** What is done to an account after a question. Its texts are `users.<change>`. */
export type UserChange = "suspend" | "reinstate" | "approve" | "refuse";

interface Change {
  values: Readonly<Record<string, unknown>>;
  isDanger: boolean;
  /** Whether somebody else has been there, by the person as they were when it was asked for and as they are now. */
  isDone: (before: ModelRecord, now: ModelRecord) => boolean;
}

const isDecided: Change["isDone"] = (before, now) => now.admission !== before.admission;

const CHANGES: Readonly<Record<UserChange, Change>> = {
  suspend: { values: { is_active: false }, isDanger: true, isDone: (_, now) => now.is_active === false },
  reinstate: { values: { is_active: true }, isDanger: false, isDone: (_, now) => now.is_active !== false },
  approve: { values: { admission: "admitted" }, isDanger: false, isDone: isDecided },
  refuse: { values: { admission: "refused" }, isDanger: true, isDone: isDecided },
};

interface ChangeDialogProps {
  source: RecordSource;
  change: UserChange;
  /** As it was when it was asked for; its `repr` names the person. */
  record: ModelRecord;
  onClose: () => void;
}

/** Writes the change, as of the version that was just read: nobody else's change is written over. */
function useChange({ source, change, record: { id, repr } }: ChangeDialogProps) {
  const { t } = useTranslation();
  const { mutateAsync, mutation } = useUpdate<ModelRecord, DataError>();
  async function write(etag: string | undefined): Promise<void> {
    await mutateAsync({
      resource: source.resource,
      id,
      values: CHANGES[change].values,
      meta: { ifMatch: etag },
      successNotification: { type: "success", message: t(`users.${change}.done`, { name: repr }) },
      errorNotification: (error) => ({
        type: "error",
        message: t("users.failed.update"),
        description: toErrorText(error, t),
      }),
    });
  }
  return { write, isSaving: mutation.isPending, isUntried: mutation.isIdle };
}

/** What becomes of the mail about a decision. The server queues none to who is suspended or has proven no address, and sends none where all is stopped. */
function toMailOutcome(record: ModelRecord) {
  const user = parseUser(record);
  if (user?.is_active === false) return { key: "suspended" } as const;
  if (user?.is_email_verified === false) return { key: "unproven" } as const;
  const { mail_state: mail, email = "" } = user ?? {};
  // A decision is no optional mail.
  const key = mail?.state === "stopped" && mail.scope !== "all" ? "sent" : (mail?.state ?? "sent");
  return { key, email, reason: mail?.reason ?? "" } as const;
}

function toText(change: UserChange, record: ModelRecord, t: TFunction): string {
  const text = t(`users.${change}.text`);
  if (change !== "approve" && change !== "refuse") return text;
  const { key, ...values } = toMailOutcome(record);
  return `${text} ${t(`users.decisionMail.${key}`, values)}`;
}

/** Says what suspending, reinstating, approving or refusing somebody does, and does it. */
export function ChangeDialog(props: ChangeDialogProps) {
  const { source, change, onClose } = props;
  const { t } = useTranslation();
  // What was asked for stays what OK does, also where the record turns over under the pointer.
  const [record] = useState(props.record);
  const loaded = useRecord(source, record.id);
  const { write, isSaving, isUntried } = useChange(props);
  const { isDanger } = CHANGES[change];
  const isDone = isUntried && loaded.record !== undefined && CHANGES[change].isDone(record, loaded.record);

  async function run(): Promise<void> {
    try {
      await write(loaded.etag);
    } catch {
      // The notice has said so; the person's row stays as it is.
    }
    onClose();
  }

  const start = useOneAtATime(run);
  return (
    <Modal
      open
      title={t(`users.${change}.title`, { name: record.repr })}
      okText={t(`users.${change}.ok`)}
      okButtonProps={{ danger: isDanger, disabled: !loaded.record || isDone }}
      confirmLoading={isSaving}
      cancelText={t("actions.cancel")}
      cancelButtonProps={{ autoFocus: true }}
      closable={false}
      onOk={start}
      onCancel={onClose}
    >
      {loaded.query.isError ? (
        <ErrorState
          title={t("errors.loadObject")}
          error={loaded.query.error}
          onRetry={() => void loaded.query.refetch()}
        />
      ) : (
        <p role={isDone ? "alert" : undefined}>
          {isDone
            ? t(`users.${change}.already`, { name: record.repr })
            : toText(change, loaded.record ?? record, t)}
        </p>
      )}
    </Modal>
  );
}
