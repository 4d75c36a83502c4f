import { type ReactNode, useId } from "react";
import { formatPartialDate } from "#contract/partial-date.ts";
import type { PictureSize } from "#contract/site/cv.ts";
import { usePage } from "../../ui/page-context.tsx";

interface CvSectionProps {
  title: string;
  /** Stand beside the heading. */
  controls?: ReactNode;
  children: ReactNode;
}

/** One idea of the CV under its heading, and the line that sets it off from what is above. */
export function CvSection({ title, controls, children }: CvSectionProps) {
  const id = useId();
  return (
    <>
      <hr className="divider" />
      <section className="cv-section" aria-labelledby={id}>
        <div className="cv-section-head">
          <h2 id={id}>{title}</h2>
          {controls}
        </div>
        <div className="cv-section-body">{children}</div>
      </section>
    </>
  );
}

/** Text of the owner: a blank line begins a new paragraph, a line break stays one. */
export function Prose({ text, className }: { text: string; className?: string }) {
  const paragraphs = text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean);
  return paragraphs.map((paragraph, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs have no identity besides their place
    <p key={index} className={["prose", className].filter(Boolean).join(" ")}>
      {paragraph}
    </p>
  ));
}

function TextList({ texts, className }: { texts: readonly string[]; className: string }) {
  if (texts.length === 0) return null;
  return (
    <ul className={className}>
      {texts.map((text, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two may say the same, and they never move
        <li key={index}>{text}</li>
      ))}
    </ul>
  );
}

/** Sentences, one below the other. */
export function Highlights({ texts }: { texts: readonly string[] }) {
  return <TextList texts={texts} className="highlights" />;
}

/** Short words in one row. */
export function Words({ words }: { words: readonly string[] }) {
  return <TextList texts={words} className="words" />;
}

export function PartialDate({ date }: { date: string }) {
  const { lang } = usePage();
  return <time dateTime={date}>{formatPartialDate(date, lang)}</time>;
}

/** From when to when; no end means until now, no start leaves the end alone. */
export function DateRange({ start, end }: { start: string | null; end: string | null }) {
  const { t } = usePage();
  if (!start) return end && <PartialDate date={end} />;
  if (start === end) return <PartialDate date={start} />;
  return (
    <>
      <PartialDate date={start} /> – {end ? <PartialDate date={end} /> : t("site:cv.present")}
    </>
  );
}

/** Copies of a picture as `<img srcset>` takes them. */
export function toSrcSet(sizes: readonly PictureSize[]): string {
  return sizes.map(({ src, width }) => `${src} ${width}w`).join(", ");
}
