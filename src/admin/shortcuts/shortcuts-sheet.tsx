import "../ui/modal-dialog.css";
import "./shortcuts-sheet.css";
import { CloseOutlined } from "@ant-design/icons";
import { Switch } from "antd";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { closeByPressBeside, Modal } from "#src/ui/dialog.tsx";
import { DECORATIVE } from "../ui/accessibility.ts";
import { KeyCaps } from "./keys.tsx";
import { type Shortcut, setShortcutsEnabled } from "./shortcuts.ts";
import { useShortcutsEnabled } from "./use-shortcut.ts";

const GROUPS = ["screen", "everywhere", "goTo"] as const;
type Group = (typeof GROUPS)[number];

function toGroup({ keys, isEverywhere }: Shortcut): Group {
  if (isEverywhere) return "everywhere";
  return keys.includes(" ") ? "goTo" : "screen";
}

function SingleKeysSwitch() {
  const { t } = useTranslation();
  const id = useId();
  const isEnabled = useShortcutsEnabled();
  return (
    <div className="shortcuts-switch">
      <div>
        <label htmlFor={id}>{t("shortcuts.enabled")}</label>
        <p id={`${id}-help`}>{t("shortcuts.enabledHelp")}</p>
      </div>
      <Switch id={id} checked={isEnabled} aria-describedby={`${id}-help`} onChange={setShortcutsEnabled} />
    </div>
  );
}

function ShortcutGroup({ group, shortcuts }: { group: Group; shortcuts: readonly Shortcut[] }) {
  const { t } = useTranslation();
  const id = useId();
  if (shortcuts.length === 0) return null;
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{t(`shortcuts.groups.${group}`)}</h3>
      <dl>
        {shortcuts.map(({ keys, labelKey }) => (
          <div key={keys}>
            <dt>{t(labelKey)}</dt>
            <dd>
              <KeyCaps keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

export interface ShortcutsSheetProps {
  /** Those that were good on the screen when the sheet was asked for. */
  shortcuts: readonly Shortcut[];
  onClose: () => void;
}

/** Every shortcut of the screen that lies below, and the switch that turns single keys off. */
export function ShortcutsSheet({ shortcuts, onClose }: ShortcutsSheetProps) {
  const { t } = useTranslation();
  const id = useId();
  const isEnabled = useShortcutsEnabled();
  const shown = shortcuts.filter(({ keys }) => isEnabled || keys.startsWith("Mod+"));
  return (
    <Modal
      className="modal-dialog shortcuts-sheet"
      aria-labelledby={id}
      onCancel={onClose}
      {...closeByPressBeside(onClose)}
    >
      <h2 id={id} className="modal-dialog-title">
        {t("shortcuts.title")}
      </h2>
      <button type="button" className="modal-dialog-close" aria-label={t("actions.close")} onClick={onClose}>
        <CloseOutlined {...DECORATIVE} />
      </button>
      <SingleKeysSwitch />
      {GROUPS.map((group) => (
        <ShortcutGroup
          key={group}
          group={group}
          shortcuts={shown.filter((shortcut) => toGroup(shortcut) === group)}
        />
      ))}
    </Modal>
  );
}
