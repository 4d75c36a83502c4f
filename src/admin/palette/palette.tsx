import "../ui/modal-dialog.css";
import "./palette.css";
import { CloseOutlined, SearchOutlined } from "@ant-design/icons";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { ADMIN_LIMITS } from "#contract/admin-limits.ts";
import type { Screen } from "../layout/use-screens.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { ModalDialog } from "../ui/modal-dialog.tsx";
import { OptionList } from "./option-list.tsx";
import { PaletteState } from "./palette-state.tsx";
import { useChoice } from "./use-choice.ts";
import { usePaletteItems } from "./use-palette-items.ts";

export interface PaletteProps {
  screens: readonly Screen[];
  onOpenShortcuts: () => void;
  onClose: () => void;
}

/** Steps through the list, from its end to its beginning and back. */
function toNext(key: string, active: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === "ArrowDown") return (active + 1) % count;
  if (key === "ArrowUp") return (active + count - 1) % count;
  return undefined;
}

/** Finds screens, models, actions and records by what is typed: a combobox whose list is always open. */
export function Palette({ screens, onOpenShortcuts, onClose }: PaletteProps) {
  const { t } = useTranslation();
  const id = useId();
  const [typed, setTyped] = useState("");
  const [activeId, setActiveId] = useState<string>();
  const choose = useChoice(onClose);
  const { items, ...state } = usePaletteItems(typed, { screens, onOpenShortcuts });
  // Records that come later move nothing away from under the chosen one.
  const active = Math.max(
    0,
    items.findIndex((item) => item.id === activeId),
  );
  const toOptionId = (at: number) => `${id}-${at}`;
  const activeOption = items.length > 0 ? toOptionId(active) : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: looks again when another option is active
  useEffect(() => {
    if (activeOption) document.getElementById(activeOption)?.scrollIntoView({ block: "nearest" });
  }, [activeOption, typed]);

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    const next = toNext(event.key, active, items.length);
    const chosen = items[active];
    if (next === undefined && event.key !== "Enter") return;
    event.preventDefault();
    if (next !== undefined) setActiveId(items[next]?.id);
    else if (chosen) choose(chosen, event.ctrlKey || event.metaKey);
  }

  return (
    <ModalDialog title={t("palette.title")} className="modal-dialog palette" onClose={onClose}>
      <div className="palette-head">
        <SearchOutlined {...DECORATIVE} />
        <input
          // biome-ignore lint/a11y/noAutofocus: a dialog gives the focus to the one thing that it is opened for
          autoFocus
          type="text"
          role="combobox"
          aria-label={t("palette.label")}
          aria-expanded={items.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={activeOption}
          aria-autocomplete="list"
          autoComplete="off"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          placeholder={t("palette.placeholder")}
          maxLength={ADMIN_LIMITS.searchMaxChars}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setActiveId(undefined);
          }}
          onKeyDown={onKeyDown}
        />
        <button
          type="button"
          className="modal-dialog-close"
          aria-label={t("actions.close")}
          onClick={onClose}
        >
          <CloseOutlined {...DECORATIVE} />
        </button>
      </div>
      <OptionList
        id={`${id}-list`}
        items={items}
        active={active}
        toOptionId={toOptionId}
        onPoint={(at) => setActiveId(items[at]?.id)}
        onChoose={choose}
      />
      <PaletteState {...state} typed={typed} count={items.length} />
    </ModalDialog>
  );
}
