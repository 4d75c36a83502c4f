import {
  AppstoreOutlined,
  DesktopOutlined,
  FileTextOutlined,
  GlobalOutlined,
  LaptopOutlined,
  LogoutOutlined,
  MoonOutlined,
  PlusOutlined,
  QuestionCircleOutlined,
  ReloadOutlined,
  SunOutlined,
} from "@ant-design/icons";
import type { MouseEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { isScreenIcon, ScreenIcon } from "../navigation/screens.tsx";
import { KeyCaps } from "../shortcuts/keys.tsx";
import { DECORATIVE } from "../ui/accessibility.ts";
import type { Range } from "./match.ts";
import { GROUPS, type ShownItem } from "./palette-item.ts";

const PALETTE_ICONS = {
  bulk: AppstoreOutlined,
  create: PlusOutlined,
  language: GlobalOutlined,
  "log-out": LogoutOutlined,
  record: FileTextOutlined,
  refresh: ReloadOutlined,
  shortcuts: QuestionCircleOutlined,
  site: DesktopOutlined,
  "theme-auto": LaptopOutlined,
  "theme-dark": MoonOutlined,
  "theme-light": SunOutlined,
} as const;

function isOwn(name: string): name is keyof typeof PALETTE_ICONS {
  return Object.hasOwn(PALETTE_ICONS, name);
}

function PaletteIcon({ name }: { name: string }) {
  if (isScreenIcon(name)) return <ScreenIcon name={name} />;
  // What was opened last is remembered with its icon, and an older console may have had others.
  if (!isOwn(name)) return null;
  const Icon = PALETTE_ICONS[name];
  return <Icon {...DECORATIVE} />;
}

/** The label with what was typed marked in it. */
function Label({ text, ranges }: { text: string; ranges: readonly Range[] }) {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const [from, to] of ranges) {
    parts.push(text.slice(end, from), <mark key={from}>{text.slice(from, to)}</mark>);
    end = to;
  }
  return (
    <span className="palette-label">
      {parts}
      {text.slice(end)}
    </span>
  );
}

interface OptionProps {
  item: ShownItem;
  optionId: string;
  isActive: boolean;
  onPoint: () => void;
  onChoose: (isNewTab: boolean) => void;
}

function Option({ item, optionId, isActive, onPoint, onChoose }: OptionProps) {
  const { t } = useTranslation();
  const { label, ranges, hint, icon, keys } = item;
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the input, which names the active option
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the keys
    <div
      id={optionId}
      role="option"
      aria-selected={isActive}
      className="palette-option"
      onMouseMove={isActive ? undefined : onPoint}
      onMouseDown={(event: MouseEvent) => event.preventDefault()}
      onClick={(event) => onChoose(event.ctrlKey || event.metaKey)}
    >
      <PaletteIcon name={icon} />
      <Label text={label} ranges={ranges} />
      {hint && <span className="palette-hint">{hint}</span>}
      {keys && (
        <span className="palette-keys" aria-hidden>
          <KeyCaps keys={keys} />
        </span>
      )}
      {isActive && (
        <span className="palette-enter" aria-hidden title={t("palette.keys.open")}>
          ↵
        </span>
      )}
    </div>
  );
}

interface OptionListProps {
  id: string;
  items: readonly ShownItem[];
  active: number;
  toOptionId: (at: number) => string;
  onPoint: (at: number) => void;
  onChoose: (item: ShownItem, isNewTab: boolean) => void;
}

/** What can be chosen, in groups with headings. The input beside it has the focus. */
export function OptionList({ id, items, active, toOptionId, onPoint, onChoose }: OptionListProps) {
  const { t } = useTranslation();
  return (
    <div id={id} role="listbox" className="palette-list" aria-label={t("palette.results")}>
      {GROUPS.filter((group) => items.some((item) => item.group === group)).map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options, not of form fields
        <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
          <div id={`${id}-${group}`} className="palette-group" role="presentation">
            {t(`palette.groups.${group}`)}
          </div>
          {items.map((item, at) =>
            item.group === group ? (
              <Option
                key={item.id}
                item={item}
                optionId={toOptionId(at)}
                isActive={at === active}
                onPoint={() => onPoint(at)}
                onChoose={(isNewTab) => onChoose(item, isNewTab)}
              />
            ) : null,
          )}
        </div>
      ))}
    </div>
  );
}
