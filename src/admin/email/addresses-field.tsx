import "./suppressions.css";
import { FileTextOutlined } from "@ant-design/icons";
import { Button, type GetRef, Input } from "antd";
import { type ChangeEvent, type Ref, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { toLanguage } from "#contract/languages.ts";
import { IMPORT_MAX_CHARS } from "#contract/mail/suppressions.ts";
import { DECORATIVE } from "../ui/accessibility.ts";

/** No character takes more bytes for each of its units. */
const CHAR_MAX_BYTES = 3;

export type TextAreaRef = GetRef<typeof Input.TextArea>;

/** What was typed stays, and the file's lines follow it. */
function append(before: string, lines: string): string {
  return before.trim() === "" ? lines : `${before.trimEnd()}\n${lines}`;
}

/** Puts a file's lines behind what stands in the box, unless that is too much. */
function useFile({ value, onChange }: Pick<Props, "value" | "onChange">) {
  const { t, i18n } = useTranslation();
  const [fault, setFault] = useState<string>();
  const max = IMPORT_MAX_CHARS.toLocaleString(toLanguage(i18n.language));
  // What is typed while the file is read stays too.
  const latest = useRef(value);
  useEffect(() => {
    latest.current = value;
  });
  async function read(file: File): Promise<void> {
    setFault(undefined);
    try {
      const isHuge = file.size > IMPORT_MAX_CHARS * CHAR_MAX_BYTES;
      const lines = isHuge ? undefined : await file.text();
      const next = lines === undefined ? undefined : append(latest.current, lines);
      if (next === undefined || next.length > IMPORT_MAX_CHARS)
        setFault(t("suppressions.add.fileTooLarge", { name: file.name, max }));
      else onChange(next);
    } catch {
      setFault(t("suppressions.add.fileUnread", { name: file.name }));
    }
  }
  return { read, fault, max };
}

interface Props {
  ref: Ref<TextAreaRef>;
  value: string;
  onChange: (value: string) => void;
}

/** Addresses, typed, pasted or from a file, and how much it may be. */
export function AddressesField({ ref, value, onChange }: Props) {
  const { t } = useTranslation();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const { read, fault, max } = useFile({ value, onChange });
  const isTooLong = value.length > IMPORT_MAX_CHARS;

  function onChoose(event: ChangeEvent<HTMLInputElement>): void {
    const file = event.target.files?.[0];
    // Choosing the same file again must be a change again.
    event.target.value = "";
    if (file) void read(file);
  }

  return (
    <div className="suppressions-addresses">
      <label htmlFor={id}>{t("suppressions.add.addresses")}</label>
      <Input.TextArea
        ref={ref}
        id={id}
        required
        aria-describedby={`${id}-help`}
        status={isTooLong ? "error" : ""}
        autoSize={{ minRows: 3, maxRows: 10 }}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <input ref={input} type="file" hidden accept=".txt,.csv,text/plain,text/csv" onChange={onChoose} />
      <Button size="small" icon={<FileTextOutlined {...DECORATIVE} />} onClick={() => input.current?.click()}>
        {t("suppressions.add.file")}
      </Button>
      <span id={`${id}-help`} className={isTooLong ? "suppressions-fault" : "suppressions-help"}>
        {t("suppressions.add.help", { max })}
      </span>
      {fault && (
        <span role="alert" className="suppressions-fault">
          {fault}
        </span>
      )}
    </div>
  );
}
