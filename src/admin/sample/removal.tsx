import { CheckCircleOutlined } from "@ant-design/icons";
import { Button, Modal } from "antd";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { SampleAnswer, SampleRemoval } from "#contract/site/site.ts";
import { objectPaths } from "#resources/record-source.ts";
import { DECORATIVE, useReturnedFocus } from "../ui/accessibility.ts";

interface SampleCountsProps {
  counts: readonly { verbose_name: string; count: number }[];
}

/** How many of each kind, without those of which there are none. */
export function SampleCounts({ counts }: SampleCountsProps) {
  const { t, i18n } = useTranslation();
  const format = new Intl.NumberFormat(i18n.language);
  return (
    <ul className="sample-counts">
      {counts
        .filter(({ count }) => count > 0)
        .map(({ verbose_name, count }) => (
          <li key={verbose_name}>{t("sample.count", { kind: verbose_name, shown: format.format(count) })}</li>
        ))}
    </ul>
  );
}

interface RemoveDialogProps {
  models: SampleAnswer["models"];
  isRemoving: boolean;
  onRemove: () => void;
  onClose: () => void;
}

/** Asks, naming what goes with its counts and what stays. */
export function RemoveDialog({ models, isRemoving, onRemove, onClose }: RemoveDialogProps) {
  const { t, i18n } = useTranslation();
  useReturnedFocus();
  const format = new Intl.NumberFormat(i18n.language);
  const untouched = models.reduce((sum, model) => sum + model.untouched_count, 0);
  const edited = models.reduce((sum, model) => sum + model.edited_count, 0);
  return (
    <Modal
      open
      title={t("sample.confirmTitle", { count: untouched, shown: format.format(untouched) })}
      okText={t("sample.remove")}
      okButtonProps={{ danger: true }}
      confirmLoading={isRemoving}
      cancelText={t("actions.cancel")}
      cancelButtonProps={{ autoFocus: true, disabled: isRemoving }}
      closable={false}
      maskClosable={!isRemoving}
      keyboard={!isRemoving}
      onOk={onRemove}
      onCancel={onClose}
    >
      <p>{t("sample.confirmText")}</p>
      <SampleCounts counts={models.map((model) => ({ ...model, count: model.untouched_count }))} />
      {edited > 0 && <p>{t("sample.stays", { count: edited, shown: format.format(edited) })}</p>}
      <p className="visually-hidden" role="status">
        {isRemoving && t("sample.removing")}
      </p>
    </Modal>
  );
}

function KeptObjects({ models }: { models: SampleRemoval["models"] }) {
  const { t } = useTranslation();
  const kept = models.flatMap((model) => model.kept.map((object) => ({ ...object, model })));
  if (kept.length === 0) return null;
  return (
    <>
      <p>{t("sample.kept")}</p>
      <ul className="sample-counts">
        {kept.map(({ id, repr, model: { content_type_id, verbose_name } }) => (
          <li key={`${verbose_name} ${id}`}>
            {verbose_name}:{" "}
            {content_type_id === null ? repr : <Link to={objectPaths.edit(content_type_id, id)}>{repr}</Link>}
          </li>
        ))}
      </ul>
    </>
  );
}

/** What a removal has deleted, and what it left alone because somebody edited it. */
export function RemovalResult({
  removal: { models },
  onDismiss,
}: {
  removal: SampleRemoval;
  onDismiss: () => void;
}) {
  const { t } = useTranslation();
  const hasRemoved = models.some((model) => model.removed_count > 0);
  return (
    <>
      <h2>
        <CheckCircleOutlined {...DECORATIVE} /> {t("sample.done")}
      </h2>
      <p>{t(hasRemoved ? "sample.removed" : "sample.nothing")}</p>
      <SampleCounts counts={models.map((model) => ({ ...model, count: model.removed_count }))} />
      <KeptObjects models={models} />
      <Button onClick={onDismiss}>{t("sample.dismiss")}</Button>
    </>
  );
}
