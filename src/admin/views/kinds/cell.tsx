import { FileOutlined } from "@ant-design/icons";
import type { TFunction } from "i18next";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { FieldInfo } from "#contract/content/models.ts";
import { type Language, toLanguage } from "#contract/languages.ts";
import { toBackEndAddress } from "#providers/http/http.ts";
import { DECORATIVE } from "../../ui/accessibility.ts";
import { EmailText } from "../../ui/person.tsx";
import { type CellValue, fileEnding, toCellValue } from "./cell-value.ts";

/** Size of thumbnails in rows, in CSS pixels; the style sheet says the same. */
const THUMBNAIL_PX = 28;

interface CellProps {
  field: FieldInfo;
  value: unknown;
  /** Inside a link already: a file shows its name without a link of its own. */
  isLinked?: boolean;
  /** Long texts too are shown to their end, as there is room for them. */
  isWhole?: boolean;
}

interface CellBodyProps extends CellProps {
  /** Address of a related record; undefined where the reader may not see it. */
  toRelated?: (model: number, id: number) => string | undefined;
  t: TFunction;
  lang: Language;
}

type Drawing<Kind extends CellValue["kind"]> = CellBodyProps & { cell: CellValue & { kind: Kind } };

/** Links inside a row do their own work, not the row's. */
const stop = (event: { stopPropagation: () => void }) => event.stopPropagation();

function FileCell({ cell, field, isLinked, t }: Drawing<"file" | "image">) {
  const kind = fileEnding(cell.address).toUpperCase();
  const body =
    cell.kind === "image" ? (
      <img
        className="thumbnail"
        src={toBackEndAddress(cell.address)}
        alt={t("cell.picture", { name: cell.name || field.verbose_name })}
        width={THUMBNAIL_PX}
        height={THUMBNAIL_PX}
        loading="lazy"
      />
    ) : (
      <>
        <FileOutlined {...DECORATIVE} /> {cell.name || t("cell.file", { kind })}
      </>
    );
  if (isLinked) return body;
  return (
    <a
      className="file-link"
      href={toBackEndAddress(cell.address)}
      target="_blank"
      rel="noreferrer"
      onClick={stop}
    >
      {body}
    </a>
  );
}

function TextCell({ cell, field, isLinked, isWhole, toRelated, t, lang }: Drawing<"text">) {
  const words = isWhole ? (cell.full ?? cell.text) : cell.text;
  const text = (
    <span title={isWhole ? undefined : cell.full} lang={cell.lang}>
      {field.type === "EmailField" ? <EmailText email={words} /> : words}
      {cell.lang && (
        <span
          className="language-tag"
          lang={lang}
          title={t("cell.onlyIn", { language: t(`languages.${cell.lang}`) })}
        >
          {cell.lang.toUpperCase()}
        </span>
      )}
    </span>
  );
  const { related } = cell;
  if (isLinked || related === undefined || field.related_model === null) return text;
  const address = toRelated?.(field.related_model, related);
  return address === undefined ? (
    text
  ) : (
    <Link to={address} onClick={stop}>
      {text}
    </Link>
  );
}

/** One value of a record. Without hooks, as a page of a list has a thousand. */
export function CellBody(props: CellBodyProps): ReactNode {
  const { field, value, t, lang } = props;
  const cell = toCellValue(field, value, lang);
  switch (cell.kind) {
    case "empty":
      return (
        <span className="cell-empty">
          <span aria-hidden>—</span>
          <span className="visually-hidden">{t("cell.empty")}</span>
        </span>
      );
    case "yes":
    case "no":
      return t(`cell.${cell.kind}`);
    case "colour":
      return (
        <span className="colour-cell">
          <span className="colour-swatch" style={{ backgroundColor: cell.colour }} aria-hidden />
          {cell.colour}
        </span>
      );
    case "image":
    case "file":
      return <FileCell {...props} cell={cell} />;
    case "text":
      return <TextCell {...props} cell={cell} />;
  }
}

/** One value of a record, as read-only fields and changes show it. */
export function Cell(props: CellProps) {
  const { t, i18n } = useTranslation();
  return <CellBody {...props} t={t} lang={toLanguage(i18n.language)} />;
}
