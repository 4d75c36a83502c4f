import { FileOutlined } from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import { toLanguage } from "#contract/languages.ts";
import type { FieldInfo } from "#contract/models.ts";
import { DECORATIVE } from "../parts/decorative.ts";
import { type CellValue, toCellValue } from "./cell-value.ts";

/** Size of thumbnails in rows, in CSS pixels; the style sheet says the same. */
const THUMBNAIL_PX = 28;

interface CellProps {
  field: FieldInfo;
  value: unknown;
  /** Inside a link already: a file shows its name without a link of its own. */
  isLinked?: boolean;
}

function FileCell({ cell, isLinked }: { cell: CellValue & { kind: "file" | "image" }; isLinked: boolean }) {
  const { t } = useTranslation();
  const body =
    cell.kind === "image" ? (
      <img
        className="thumbnail"
        src={cell.address}
        alt={t("cell.picture", { name: cell.name })}
        width={THUMBNAIL_PX}
        height={THUMBNAIL_PX}
        loading="lazy"
      />
    ) : (
      <>
        <FileOutlined {...DECORATIVE} /> {cell.name}
      </>
    );
  if (isLinked) return body;
  return (
    <a
      className="file-link"
      href={cell.address}
      target="_blank"
      rel="noreferrer"
      onClick={(event) => event.stopPropagation()}
    >
      {body}
    </a>
  );
}

/** One value of a record, as lists and read-only fields show it. */
export function Cell({ field, value, isLinked = false }: CellProps) {
  const { t, i18n } = useTranslation();
  const cell = toCellValue(field, value, toLanguage(i18n.language));
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
      return <FileCell cell={cell} isLinked={isLinked} />;
    case "text":
      return (
        <span title={cell.full} lang={cell.lang}>
          {cell.text}
          {cell.lang && (
            <span
              className="language-tag"
              lang={i18n.language}
              title={t("cell.onlyIn", { language: t(`languages.${cell.lang}`) })}
            >
              {cell.lang.toUpperCase()}
            </span>
          )}
        </span>
      );
  }
}
