import { EllipsisOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { memo, useState } from "react";
import { DECORATIVE } from "../../parts/decorative.ts";
import {
  FieldBody,
  isHiddenRow,
  openRow,
  RowActions,
  RowBox,
  RowLink,
  type RowProps,
} from "./rows/row-parts.tsx";

/** One record on a phone: what names it, the other columns below, and what can be done with it behind a button. */
export const Card = memo(function Card(props: RowProps) {
  const { record, options, isChosen } = props;
  const [isOpen, setOpen] = useState(false);
  const { columns, hasActions, t } = options;
  const [first, ...others] = columns;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: for keyboards there is the link that names the card
    <li
      className="card"
      data-row-key={record.id}
      data-chosen={isChosen || undefined}
      onClick={(event) => openRow(props, event)}
    >
      {isChosen !== undefined && (
        // biome-ignore lint/a11y/noStaticElementInteractions: keeps the card's own click out, does nothing itself
        // biome-ignore lint/a11y/useKeyWithClickEvents: keeps the card's own click out, does nothing itself
        <span className="choose-cell" onClick={(event) => event.stopPropagation()}>
          <RowBox {...props} isChosen={isChosen} />
        </span>
      )}
      <p className="card-title" data-hidden={isHiddenRow(record, options) || undefined}>
        {first &&
          // Where cards are chosen, a thumb on the largest text must not lead away.
          (options.isChoosing ? (
            <FieldBody record={record} field={first} options={options} isLinked />
          ) : (
            <RowLink record={record} field={first} options={options} />
          ))}
      </p>
      {others.length > 0 && (
        <dl>
          {others.map((field) => (
            <div key={field.name}>
              <dt>{field.verbose_name}</dt>
              <dd>
                <FieldBody record={record} field={field} options={options} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {hasActions && (
        // biome-ignore lint/a11y/noStaticElementInteractions: keeps the card's own click out, does nothing itself
        // biome-ignore lint/a11y/useKeyWithClickEvents: keeps the card's own click out, does nothing itself
        <div className="card-end" onClick={(event) => event.stopPropagation()}>
          <Button
            type="text"
            icon={<EllipsisOutlined {...DECORATIVE} />}
            aria-label={t("list.actionsOf", { name: record.repr })}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
          {isOpen && (
            <div className="card-actions">
              <RowActions record={record} options={options} />
            </div>
          )}
        </div>
      )}
    </li>
  );
});
