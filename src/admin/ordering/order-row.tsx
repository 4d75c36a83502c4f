import { ArrowDownOutlined, ArrowUpOutlined, HolderOutlined } from "@ant-design/icons";
import { useSortable } from "@dnd-kit/sortable";
import { Button, Switch } from "antd";
import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/content/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { useMedia } from "../ui/viewport.ts";
import { isHiddenRecord, useHide } from "./hide-button.tsx";

interface ShownSwitchProps {
  source: RecordSource;
  record: ModelRecord;
  isHidden: boolean;
  onDone: (record: ModelRecord, isHidden: boolean) => void;
}

/** On: the site shows the object. Nothing where the model knows no hiding. */
function ShownSwitch({ source, record, isHidden, onDone }: ShownSwitchProps) {
  const { t } = useTranslation();
  const { setHidden, isSaving } = useHide(source, onDone);
  if (source.hidden_field === null) return null;
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: antd's switch is a button inside of it
    <label className="order-shown">
      <span className={isHidden ? "order-hidden" : undefined}>
        {t(isHidden ? "ordering.hidden" : "ordering.shownShort")}
      </span>
      <Switch
        checked={!isHidden}
        loading={isSaving}
        aria-label={t("ordering.shown", { name: record.repr })}
        onChange={(isShown) => setHidden(record, !isShown)}
      />
    </label>
  );
}

interface OrderRowProps {
  source: RecordSource;
  record: ModelRecord;
  index: number;
  isLast: boolean;
  onMove: (to: number, button: HTMLButtonElement) => void;
  onHidden: (record: ModelRecord, isHidden: boolean) => void;
}

/** One place up and down, for those who don't drag. A button at the end of its way keeps the focus. */
function MoveButtons({ record, index, isLast, onMove }: Omit<OrderRowProps, "source" | "onHidden">) {
  const { t } = useTranslation();
  const to = (place: number, isPossible: boolean) => ({
    type: "text" as const,
    "aria-disabled": !isPossible,
    onClick: ({ currentTarget }: MouseEvent<HTMLButtonElement>) => isPossible && onMove(place, currentTarget),
  });
  return (
    <span className="order-buttons">
      <Button
        {...to(index - 1, index > 0)}
        icon={<ArrowUpOutlined {...DECORATIVE} />}
        aria-label={t("ordering.up", { name: record.repr })}
      />
      <Button
        {...to(index + 1, !isLast)}
        icon={<ArrowDownOutlined {...DECORATIVE} />}
        aria-label={t("ordering.down", { name: record.repr })}
      />
    </span>
  );
}

/** One object: its handle, its place and name, whether the site shows it, and the buttons that move it. */
export function OrderRow({ source, record, index, isLast, onMove, onHidden }: OrderRowProps) {
  const { t, i18n } = useTranslation();
  const hasMotion = !useMedia("(prefers-reduced-motion: reduce)");
  const { setNodeRef, setActivatorNodeRef, attributes, listeners, transform, transition, isDragging } =
    useSortable({ id: record.id, ...(!hasMotion && { transition: null }) });
  const isHidden = isHiddenRecord(source, record);
  return (
    <li
      ref={setNodeRef}
      className="order-row"
      data-dragging={isDragging || undefined}
      data-hidden={isHidden || undefined}
      style={{
        transform: transform ? `translate3d(0, ${Math.round(transform.y)}px, 0)` : undefined,
        transition: hasMotion ? transition : undefined,
      }}
    >
      <button
        ref={setActivatorNodeRef}
        type="button"
        className="order-handle"
        aria-describedby={attributes["aria-describedby"]}
        aria-label={t("ordering.handle", { name: record.repr })}
        {...listeners}
      >
        <HolderOutlined {...DECORATIVE} />
      </button>
      <span className="order-place">{new Intl.NumberFormat(i18n.language).format(index + 1)}</span>
      <span className="order-name">{record.repr}</span>
      <ShownSwitch source={source} record={record} isHidden={isHidden} onDone={onHidden} />
      <MoveButtons record={record} index={index} isLast={isLast} onMove={onMove} />
    </li>
  );
}
