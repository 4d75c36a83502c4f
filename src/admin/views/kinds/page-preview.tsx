import { Button, Form } from "antd";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Language } from "#contract/languages.ts";
import type { PageDraft } from "#contract/site/page-draft.ts";
import { useServices } from "../../services.ts";
import { toErrorText } from "../../ui/errors.tsx";

/** Widths of a page in CSS pixels: what is wider than the form is shown smaller. */
const WIDTHS = { phone: 360, desktop: 1280 } as const;
const HEIGHT = 640;

type Drawn = { kind: "loading" } | { kind: "drawn"; html: string } | { kind: "failed"; message: string };

const NOTHING: PageDraft["title"] = { en: null, tr: null };

const readSides = (input: unknown): PageDraft["title"] => {
  const { en, tr } = (typeof input === "object" && input !== null ? input : {}) as Record<string, unknown>;
  const toSide = (side: unknown) => (typeof side === "string" && side.trim() !== "" ? side : null);
  return { en: toSide(en), tr: toSide(tr) };
};

/** Has the server draw what is typed; the last page stays until the next is there. */
function useDrawn(draft: PageDraft, tries: number): Drawn {
  const { t } = useTranslation();
  const { download } = useServices();
  const [drawn, setDrawn] = useState<Drawn>({ kind: "loading" });
  const asked = JSON.stringify(draft);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new try asks anew; texts of errors may wait for it
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    download("/api/admin/pages/preview/", { signal, body: JSON.parse(asked) })
      .then((answer) => answer.text())
      .then((html) => !signal.aborted && setDrawn({ kind: "drawn", html }))
      .catch((error: unknown) => {
        if (!signal.aborted) setDrawn({ kind: "failed", message: toErrorText(error, t) });
      });
    return () => controller.abort();
  }, [download, asked, tries]);
  return drawn;
}

/** How wide there is room for a page. */
function useRoom(): { room: number; place: RefObject<HTMLDivElement | null> } {
  const place = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setRoom(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { room, place };
}

interface ChoiceProps<T extends string> {
  label: string;
  options: readonly { value: T; text: string }[];
  value: T;
  onChange: (value: T) => void;
}

function Choice<T extends string>({ label, options, value, onChange }: ChoiceProps<T>) {
  return (
    <fieldset className="markdown-modes">
      <legend className="visually-hidden">{label}</legend>
      {options.map((option) => (
        <Button
          key={option.value}
          size="small"
          type="text"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.text}
        </Button>
      ))}
    </fieldset>
  );
}

/**
 * A text as a page of this site shows it, of what is typed: the server draws it by the same code and with the same styles, aside and
 * with a limit, which some texts need. No script runs in the frame, and no link leads out of it. `sides`: the field whose other
 * language stands in where a page of text lacks one.
 */
export default function PagePreview(props: { text: string; lang: Language; sides?: string }) {
  const { text, lang, sides } = props;
  const { t } = useTranslation();
  const [theme, setTheme] = useState<PageDraft["theme"]>("light");
  const [width, setWidth] = useState<keyof typeof WIDTHS>("desktop");
  const [tries, setTries] = useState(0);
  const typedTitle = Form.useWatch("title");
  const typedBody = Form.useWatch(sides ?? "title");
  const title = sides === undefined ? NOTHING : readSides(typedTitle);
  const body = sides === undefined ? { ...NOTHING, [lang]: text || null } : readSides(typedBody);
  const drawn = useDrawn({ lang, theme, title, body }, tries);
  const { room, place } = useRoom();
  const scale = room > 0 ? Math.min(1, room / WIDTHS[width]) : 1;
  return (
    <>
      <div className="page-preview-ways">
        <Choice
          label={t("form.pagePreview.width")}
          options={[
            { value: "desktop", text: t("form.pagePreview.desktop") },
            { value: "phone", text: t("form.pagePreview.phone") },
          ]}
          value={width}
          onChange={setWidth}
        />
        <Choice
          label={t("form.pagePreview.theme")}
          options={[
            { value: "light", text: t("form.pagePreview.light") },
            { value: "dark", text: t("form.pagePreview.dark") },
          ]}
          value={theme}
          onChange={setTheme}
        />
      </div>
      {drawn.kind === "failed" && (
        <div role="alert" className="control-error">
          <p>
            {t("form.pagePreview.failed")} {drawn.message}
          </p>
          <Button size="small" onClick={() => setTries(tries + 1)}>
            {t("form.pagePreview.retry")}
          </Button>
        </div>
      )}
      <div ref={place} className="page-preview" aria-busy={drawn.kind === "loading"}>
        {drawn.kind === "drawn" && (
          <iframe
            title={`${t("form.pagePreview.title")} (${t(`languages.${lang}`)})`}
            // Without scripts. Of the site's own origin, so that the page's styles and fonts are read as they are there.
            sandbox="allow-same-origin"
            srcDoc={drawn.html}
            width={WIDTHS[width]}
            height={HEIGHT / scale}
            style={scale < 1 ? { transform: `scale(${scale})` } : undefined}
          />
        )}
      </div>
    </>
  );
}
