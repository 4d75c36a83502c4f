import { CloseOutlined, SearchOutlined } from "@ant-design/icons";
import { Button, Input, type InputRef } from "antd";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { DECORATIVE } from "../parts/decorative.ts";
import { useShortcut } from "../shortcuts/use-shortcut.ts";

interface ModelsSearchProps {
  app: string;
  search: string;
  onChange: (part: { app?: string; search?: string }) => void;
}

/** Finds a card by a word, and says when the models of one app are shown. */
export function ModelsSearch({ app, search, onChange }: ModelsSearchProps) {
  const { t } = useTranslation();
  const box = useRef<InputRef>(null);
  useShortcut("/", "models.search", () => box.current?.focus({ cursor: "all" }));
  return (
    <div className="models-toolbar">
      <Input
        ref={box}
        className="models-search"
        type="search"
        allowClear
        prefix={<SearchOutlined {...DECORATIVE} />}
        aria-label={t("models.search")}
        placeholder={t("models.search")}
        value={search}
        onChange={({ target }) => onChange({ search: target.value })}
      />
      {app !== "" && (
        <Button
          icon={<CloseOutlined {...DECORATIVE} />}
          iconPosition="end"
          onClick={() => onChange({ app: "" })}
        >
          {t("models.inApp", { app })}
          <span className="visually-hidden"> ({t("models.showAll")})</span>
        </Button>
      )}
    </div>
  );
}
