import { useTranslation } from "react-i18next";
import { KeyCaps } from "../shortcuts/key-caps.tsx";
import { toErrorText } from "../ui/errors.tsx";

interface PaletteStateProps {
  typed: string;
  count: number;
  isSearching: boolean;
  error: { message: string } | null;
  isPartial: boolean;
}

function useStateText({ typed, count, isSearching, error, isPartial }: PaletteStateProps): string {
  const { t } = useTranslation();
  if (typed.trim() === "") return "";
  if (isSearching) return t("palette.searching");
  if (error) return `${t("palette.searchFailed")}: ${toErrorText(error, t)}`;
  if (count === 0) return t("palette.none", { text: typed.trim() });
  return isPartial ? t("palette.partial") : t("palette.found", { count });
}

/** Foot of the palette: what the search is doing or has found, and the keys. */
export function PaletteState(props: PaletteStateProps) {
  const { t } = useTranslation();
  const text = useStateText(props);
  const isEmpty = props.count === 0 && !props.isSearching && props.typed.trim() !== "";
  return (
    <>
      {isEmpty && (
        <div className="palette-none" aria-hidden>
          <p className="state-title">{t("palette.none", { text: props.typed.trim() })}</p>
          <p>{t("palette.noneHelp")}</p>
        </div>
      )}
      <div className="palette-foot">
        <span role="status" className={isEmpty ? "visually-hidden" : undefined}>
          {text}
        </span>
        <span className="palette-foot-keys" aria-hidden>
          <KeyCaps keys="↑ ↓" /> {t("palette.keys.choose")}
          <KeyCaps keys="Enter" /> {t("palette.keys.open")}
          <KeyCaps keys="Mod+Enter" /> {t("palette.keys.newTab")}
        </span>
      </div>
    </>
  );
}
