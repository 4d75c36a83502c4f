import type { SectionFields as Fields, CvSection as Section } from "#contract/site/cv.ts";
import { CvSection, Highlights, Prose, Words } from "./cv-section.tsx";
import { EntryText, type EntryTexts, Timeline } from "./timeline.tsx";

type ShownValues = Section["items"][number]["values"];

/** What a field says, as one text; an empty one where it says nothing. */
export function getText(values: ShownValues, name: string | null): string {
  return getTexts(values, name === null ? [] : [name]).join(", ");
}

/** The texts of some fields, each entry of a list by itself. */
function getTexts(values: ShownValues, names: readonly string[]): string[] {
  return names.flatMap((name) => values.find((value) => value.name === name)?.texts ?? []);
}

/** What needs its label, and files by it. */
function Facts({ values, facts }: { values: ShownValues; facts: Fields["facts"] }) {
  const known = facts.filter(({ name }) => getText(values, name));
  const said = known.filter(({ is_file }) => !is_file);
  return (
    <>
      {said.length > 0 && (
        <dl className="words">
          {said.map(({ name, label }) => (
            <div key={name}>
              <dt>{label}:</dt>
              <dd>{getText(values, name)}</dd>
            </div>
          ))}
        </dl>
      )}
      {known.map(
        ({ name, label, is_file }) =>
          is_file && (
            <p key={name}>
              <a href={getText(values, name)}>{label}</a>
            </p>
          ),
      )}
    </>
  );
}

function toEntryTexts(values: ShownValues, fields: Fields): EntryTexts {
  const url = getText(values, fields.url);
  const titleName = fields.titles.find((name) => getText(values, name)) ?? "";
  // The address is that of what the row is called by, which may stand in the line.
  const toLinked = (name: string) => ({
    text: getText(values, name),
    url: name === fields.titles.at(-1) ? url : null,
  });
  return {
    title: toLinked(titleName),
    line: fields.line.filter((name) => name !== titleName).map(toLinked),
    details: (
      <>
        {getTexts(values, fields.images).map((image) => (
          <img key={image} src={image} alt="" width="96" loading="lazy" decoding="async" />
        ))}
        <Facts values={values} facts={fields.facts} />
        {getTexts(values, fields.texts).map((text) => (
          <Prose key={text} text={text} />
        ))}
        <Highlights texts={getTexts(values, fields.lists)} />
        <Words words={getTexts(values, fields.words)} />
      </>
    ),
  };
}

/** A section of any model, drawn by what its fields are: a timeline where there are dates, else entries beside each other. */
export function AnySection({ section: { heading, fields, items } }: { section: Section }) {
  if (!fields) return null;
  const { start, end } = fields;
  return (
    <CvSection title={heading}>
      {start ? (
        <Timeline
          entries={items.map(({ id, values }) => ({
            id,
            start: getText(values, start) || null,
            end: getText(values, end) || null,
            ...toEntryTexts(values, fields),
          }))}
        />
      ) : (
        <ul className="entries">
          {items.map(({ id, values }) => (
            <li key={id}>
              <EntryText {...toEntryTexts(values, fields)} />
            </li>
          ))}
        </ul>
      )}
    </CvSection>
  );
}
