import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Sheet } from "../../parts/sheet.tsx";

interface MoreSheetProps {
  isOpen: boolean;
  onClose: () => void;
  text: string | undefined;
  info: ReactNode;
  /** Buttons of the list as a whole. */
  children: ReactNode;
}

/** On a phone: what can be done with the whole list, and what it is. */
export function MoreSheet({ isOpen, onClose, text, info, children }: MoreSheetProps) {
  const { t } = useTranslation();
  return (
    <Sheet title={t("list.more")} isOpen={isOpen} onClose={onClose}>
      <div className="sheet-actions">{children}</div>
      {(text || info) && (
        <section>
          {text && <p className="page-text">{text}</p>}
          {info}
        </section>
      )}
    </Sheet>
  );
}
