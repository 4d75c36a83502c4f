import { CheckOutlined, CopyOutlined } from "@ant-design/icons";
import { Button, Tooltip } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { DECORATIVE } from "./accessibility.ts";

/** Puts a text on the clipboard, and says whether that worked. Browsers give pages without HTTPS no clipboard. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState<"done" | "failed">();
  // Without a clipboard there is nothing to call: that fails as a refusal does.
  const write = async () => navigator.clipboard.writeText(text);
  const copy = () =>
    void write().then(
      () => setCopied("done"),
      () => setCopied("failed"),
    );
  return (
    <span>
      <Tooltip title={label}>
        <Button
          type="text"
          icon={copied === "done" ? <CheckOutlined {...DECORATIVE} /> : <CopyOutlined {...DECORATIVE} />}
          aria-label={label}
          onClick={copy}
        />
      </Tooltip>
      <span role="status" className={copied === "failed" ? undefined : "visually-hidden"}>
        {copied && t(`health.copy.${copied}`)}
      </span>
    </span>
  );
}
