import "./sheet.css";
import { Button, Drawer } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";

interface SheetProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** Of the button that leads back, such as `Show 15 results`. */
  doneText?: string;
  children: ReactNode;
}

/** A dialog that comes up from below, under the thumb. What is in it stays alive while it is closed. */
export function Sheet({ title, isOpen, onClose, doneText, children }: SheetProps) {
  const { t } = useTranslation();
  return (
    <Drawer
      rootClassName="sheet"
      placement="bottom"
      height="auto"
      open={isOpen}
      title={title}
      onClose={onClose}
      closable={{ "aria-label": t("actions.close") }}
      footer={
        doneText && (
          <Button type="primary" block onClick={onClose}>
            {doneText}
          </Button>
        )
      }
    >
      {children}
    </Drawer>
  );
}
