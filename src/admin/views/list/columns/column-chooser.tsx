import { ArrowDownOutlined, ArrowUpOutlined, TableOutlined } from "@ant-design/icons";
import { Button, Popover } from "antd";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import type { RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../../../ui/accessibility.ts";
import { type Columns, pickDefaultColumns } from "./columns.ts";

interface ColumnChooserProps {
  source: RecordSource;
  columns: Columns;
}

/** The names with one of them on the other side of its chosen neighbour. */
function moveName(order: readonly string[], chosen: readonly string[], name: string, step: 1 | -1): string[] {
  const other = chosen[chosen.indexOf(name) + step];
  if (other === undefined) return [...order];
  return order.map((each) => (each === name ? other : each === other ? name : each));
}

/** Which fields are columns, and in which order; every change shows at once. */
export function ColumnList({ source, columns, onEscape }: ColumnChooserProps & { onEscape: () => void }) {
  const { t } = useTranslation();
  const list = useRef<HTMLUListElement>(null);
  const hasPushed = useRef(false);
  const chosen = columns.shown.map(({ name }) => name);
  // Fields stay where they are while boxes are ticked: what one points at must not jump.
  const [order, setOrder] = useState(() => [
    ...chosen,
    ...source.fields.map(({ name }) => name).filter((name) => !chosen.includes(name)),
  ]);
  const [said, setSaid] = useState("");
  const label = (name: string) => source.fields.find((field) => field.name === name)?.verbose_name ?? name;

  function apply(next: readonly string[]): void {
    // One Back undoes what was done here, however many steps it took.
    columns.change(next, { replace: hasPushed.current });
    hasPushed.current = true;
  }
  function toggle(name: string): void {
    const next = chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name];
    apply(order.filter((each) => next.includes(each)));
  }
  function move(name: string, step: 1 | -1): void {
    const next = moveName(order, chosen, name, step);
    const nextChosen = next.filter((each) => chosen.includes(each));
    const place = nextChosen.indexOf(name) + 1;
    flushSync(() => {
      setOrder(next);
      setSaid(t("list.columnPlace", { field: label(name), place, count: chosen.length }));
    });
    // A node that is moved loses the focus; at either end the other button takes it.
    const buttons = [
      ...(list.current?.querySelectorAll<HTMLButtonElement>(`[data-field="${name}"] button`) ?? []),
    ];
    const isAtEnd = step < 0 ? place === 1 : place === nextChosen.length;
    buttons[step < 0 === isAtEnd ? 1 : 0]?.focus();
    apply(nextChosen);
  }
  function reset(): void {
    const names = pickDefaultColumns(source).map(({ name }) => name);
    setOrder([...names, ...source.fields.map(({ name }) => name).filter((name) => !names.includes(name))]);
    setSaid(t("list.columnsAreDefault"));
    apply(names);
  }

  return (
    <fieldset className="column-chooser" onKeyDown={({ key }) => key === "Escape" && onEscape()}>
      <legend className="visually-hidden">{t("list.columns")}</legend>
      <ul ref={list}>
        {order.map((name) => {
          const place = chosen.indexOf(name);
          return (
            <li key={name} data-field={name}>
              <label>
                <input
                  type="checkbox"
                  checked={place >= 0}
                  disabled={place >= 0 && chosen.length === 1}
                  onChange={() => toggle(name)}
                />
                <span>{label(name)}</span>
              </label>
              {place >= 0 && (
                <>
                  <Button
                    type="text"
                    size="small"
                    icon={<ArrowUpOutlined {...DECORATIVE} />}
                    aria-label={t("list.columnBefore", { field: label(name) })}
                    disabled={place === 0}
                    onClick={() => move(name, -1)}
                  />
                  <Button
                    type="text"
                    size="small"
                    icon={<ArrowDownOutlined {...DECORATIVE} />}
                    aria-label={t("list.columnAfter", { field: label(name) })}
                    disabled={place === chosen.length - 1}
                    onClick={() => move(name, 1)}
                  />
                </>
              )}
            </li>
          );
        })}
      </ul>
      <Button block onClick={reset}>
        {t("list.resetColumns")}
      </Button>
      <p className="visually-hidden" role="status">
        {said}
      </p>
    </fieldset>
  );
}

export function ColumnChooser(props: ColumnChooserProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const frame = useRef<HTMLSpanElement>(null);
  function close(): void {
    setOpen(false);
    frame.current?.querySelector("button")?.focus();
  }
  return (
    <span ref={frame} className="column-chooser-frame">
      <Popover
        open={isOpen}
        onOpenChange={setOpen}
        trigger="click"
        placement="bottomRight"
        arrow={false}
        destroyOnHidden
        title={t("list.columns")}
        // Beside its button, so that Tab leads from the one into the other.
        getPopupContainer={(button) => button.parentElement ?? document.body}
        content={<ColumnList {...props} onEscape={close} />}
      >
        <Button icon={<TableOutlined {...DECORATIVE} />} aria-expanded={isOpen}>
          {t("list.columns")}
        </Button>
      </Popover>
    </span>
  );
}
