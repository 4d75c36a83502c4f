import { useTranslation } from "react-i18next";
import { DEFAULT_ACCENT, PAPERS, toShades } from "#contract/site/accent.ts";
import { type ControlProps, FieldItem, type FieldKind, type Kinds } from "../kind.tsx";
import { TextInput, textValue } from "../text-input.tsx";

/** The only form of a colour that may become a style. */
const COLOUR = /^#[0-9a-f]{6}$/i;

/** What a native colour input holds while there is no colour; it takes nothing else for empty. */
const NO_COLOUR = "#000000";

interface ColourInputProps {
  label: string;
  /** Given by the form item. */
  id?: string;
  value?: string;
  onChange?: (value: string) => void;
}

/** The colour as text, which every reader can read and type, beside the browser's own chooser. */
function ColourInput({ label, id, value = "", onChange, ...rest }: ColourInputProps) {
  const { t } = useTranslation();
  const isColour = COLOUR.test(value);
  return (
    <div className="colour-control">
      <TextInput
        {...rest}
        id={id}
        className="code-input"
        spellCheck={false}
        placeholder="#rrggbb"
        value={value}
        onChange={(text) => onChange?.(text.trim().toLowerCase())}
      />
      <input
        type="color"
        className={isColour ? "colour-chooser" : "colour-chooser is-empty"}
        aria-label={t("form.pickColour", { field: label })}
        value={isColour ? value : NO_COLOUR}
        onChange={(event) => onChange?.(event.target.value)}
      />
    </div>
  );
}

function ColourControl({ field }: ControlProps) {
  const { t } = useTranslation();
  return (
    <FieldItem field={field} rules={[{ pattern: COLOUR, message: t("form.colour") }]}>
      <ColourInput label={field.verbose_name} />
    </FieldItem>
  );
}

const THEMES = ["light", "dark"] as const;

/** What both themes make of an accent, each as a link and a button on its own paper. */
function AccentShades({ accent }: { accent: string }) {
  const { t } = useTranslation();
  const shades = toShades(accent);
  return (
    <ul className="accent-shades" aria-label={t("form.accent.shades")}>
      {THEMES.map((theme) => {
        const { accent: shade, on } = shades[theme];
        const moved = shade === accent ? "chosen" : theme === "light" ? "darker" : "lighter";
        return (
          <li key={theme} style={{ backgroundColor: PAPERS[theme][0], color: shade }}>
            <span>{t("form.accent.shade", { theme: t(`form.accent.${theme}`), colour: shade })}</span>
            <span className="accent-button" style={{ backgroundColor: shade, color: on }}>
              {t(accent === DEFAULT_ACCENT ? "form.accent.product" : `form.accent.${moved}`)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

function AccentInput(props: ColourInputProps) {
  const accent = props.value?.toLowerCase() || DEFAULT_ACCENT;
  return (
    <>
      <ColourInput {...props} />
      {COLOUR.test(accent) && <AccentShades accent={accent} />}
    </>
  );
}

function AccentControl({ field }: ControlProps) {
  const { t } = useTranslation();
  return (
    <FieldItem field={field} rules={[{ pattern: COLOUR, message: t("form.colour") }]}>
      <AccentInput label={field.verbose_name} />
    </FieldItem>
  );
}

interface ColourCell {
  kind: "colour";
  colour: string;
}

const colour: FieldKind<ColourCell> = {
  types: ["ColorField"],
  Control: ColourControl,
  ...textValue,
  toCell: (value) =>
    typeof value === "string" && COLOUR.test(value) ? { kind: "colour", colour: value } : undefined,
  drawCell: (cell) => (
    <span className="colour-cell">
      <span className="colour-swatch" style={{ backgroundColor: cell.colour }} aria-hidden />
      {cell.colour}
    </span>
  ),
  cellClass: "fixed-cell",
};

export const kinds: Kinds = { colour, accent: { ...colour, types: [], Control: AccentControl } };
