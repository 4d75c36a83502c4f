import { PictureOutlined } from "@ant-design/icons";
import { Button, Input, Progress } from "antd";
import { type ChangeEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FieldInfo } from "#contract/content/models.ts";
import { DECORATIVE } from "../../ui/accessibility.ts";
import { useUpload } from "./file-input.tsx";

/** What the server takes for a text (server/models/kinds/file.ts). */
const ACCEPTED = ["image/png", "image/jpeg", "image/webp", "image/svg+xml"];

/** What a description may not hold inside the brackets of Markdown. */
const toAlt = (text: string) =>
  text
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[[\]\\]/g, "\\$&");

/** Puts a text where the caret is, as if it had been typed: on a line of its own. */
function insertAtCaret(area: HTMLTextAreaElement, text: string): void {
  const { selectionStart: start, selectionEnd: end, value } = area;
  const before = start === 0 || value.slice(0, start).endsWith("\n\n") ? "" : "\n\n";
  const after = value.slice(end).startsWith("\n") || end === value.length ? "\n" : "\n\n";
  area.setRangeText(`${before}${text}${after}`, start, end, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
  area.focus();
}

interface PictureInserterProps {
  model: number;
  field: FieldInfo;
  label: string;
  getArea: () => HTMLTextAreaElement | null;
}

/** Uploads a picture and puts it into a text, with what it shows in words for those who don't see it. */
export function PictureInserter({ model, field, label, getArea }: PictureInserterProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [alt, setAlt] = useState("");
  const isUploading = useRef(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const { state, start, cancel } = useUpload({
    model,
    field: { ...field, accept: ACCEPTED },
    isUploading,
    onUploaded({ url }) {
      const area = getArea();
      if (area) insertAtCaret(area, `![${toAlt(alt)}](${url})`);
      setAlt("");
      setOpen(false);
    },
  });

  function onChoose(event: ChangeEvent<HTMLInputElement>): void {
    const file = event.target.files?.[0];
    // Choosing the same file again must be a change again.
    event.target.value = "";
    if (file) void start(file);
  }

  return (
    <>
      <Button
        size="small"
        type="text"
        icon={<PictureOutlined {...DECORATIVE} />}
        aria-label={`${t("form.picture.insert")}: ${label}`}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {t("form.picture.insert")}
      </Button>
      {isOpen && (
        <div className="picture-inserter">
          <label htmlFor={id}>{t("form.picture.alt")}</label>
          <Input
            id={id}
            value={alt}
            maxLength={300}
            autoFocus
            aria-describedby={`${id}-help`}
            onChange={(event) => setAlt(event.target.value)}
            onPressEnter={(event) => event.preventDefault()}
          />
          <p id={`${id}-help`} className="field-help">
            {t("form.picture.altHelp")}
          </p>
          <input ref={input} type="file" hidden accept={ACCEPTED.join(",")} onChange={onChoose} />
          <div className="file-actions">
            {state.kind === "uploading" ? (
              <>
                <Progress percent={Math.round(state.part * 100)} aria-label={t("form.uploading")} />
                <Button onClick={cancel}>{t("actions.cancel")}</Button>
              </>
            ) : (
              <Button onClick={() => input.current?.click()}>{t("form.chooseFile")}</Button>
            )}
          </div>
          {state.kind === "failed" && (
            <p className="control-error" role="alert">
              {state.message}
            </p>
          )}
        </div>
      )}
    </>
  );
}

/** Hosts of pictures in a text that visitors' browsers don't load: the site's pages ask no other site for anything. */
export function findForeignPictures(text: string): string[] {
  const found = text.matchAll(/!\[[^\]]*\]\(\s*<?((?:https?:)?\/\/[^)\s>]+)/gi);
  const hosts = Array.from(
    found,
    ([, address = ""]) => URL.parse(address, "https://none.invalid")?.host ?? address,
  );
  return [...new Set(hosts)];
}
