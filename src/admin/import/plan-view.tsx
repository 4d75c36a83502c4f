import { Radio, Select, Tag } from "antd";
import { useTranslation } from "react-i18next";
import type { GoneChoice, ImportPlan, PlannedItem } from "#contract/site/cv-import.ts";
import { toCountsText } from "./counts.ts";

export interface Answering {
  isBusy: boolean;
  onGone: (key: string, choice: GoneChoice) => void;
  onMatch: (key: string, match: number | "new") => void;
}

const GONE_OF_KIND: Partial<Record<PlannedItem["kind"], GoneChoice>> = {
  removed: "remove",
  reduced: "language",
  kept: "keep",
};

/** What a field says before and after, in each language. */
function Fields({ fields }: Pick<PlannedItem, "fields">) {
  const { t } = useTranslation();
  return (
    <dl className="import-fields">
      {fields.map(({ name, label, texts }) => (
        <div key={name}>
          <dt>{label}</dt>
          {texts.map(({ lang, before, after }) => (
            <dd key={lang ?? "both"}>
              <span className="import-lang">{t(`import.language.${lang ?? "both"}`)}</span>
              {before !== null && (
                <del>
                  <span className="visually-hidden">{t("import.before")} </span>
                  {before}
                </del>
              )}
              {before !== null && after !== null && <span aria-hidden="true">→</span>}
              {after !== null && (
                <ins>
                  <span className="visually-hidden">{t("import.after")} </span>
                  {after}
                </ins>
              )}
            </dd>
          ))}
        </div>
      ))}
    </dl>
  );
}

function GoneQuestion({ item, answering }: { item: PlannedItem; answering: Answering }) {
  const { t } = useTranslation();
  return (
    <fieldset className="import-question">
      <legend>{t("import.goneQuestion", { title: item.title })}</legend>
      <Radio.Group
        value={GONE_OF_KIND[item.kind]}
        disabled={answering.isBusy}
        onChange={({ target }) => answering.onGone(item.key, target.value)}
        options={item.gone_choices.map((choice) => ({ value: choice, label: t(`import.gone.${choice}`) }))}
      />
    </fieldset>
  );
}

function MatchQuestion({ item, answering }: { item: PlannedItem; answering: Answering }) {
  const { t } = useTranslation();
  const id = `match-${item.key}`;
  return (
    <div className="import-question">
      <label htmlFor={id}>
        {t(item.is_guess ? "import.guessQuestion" : "import.newQuestion", { title: item.title })}
      </label>
      <Select<number | "new">
        id={id}
        value={item.match ?? "new"}
        disabled={answering.isBusy}
        onChange={(match) => answering.onMatch(item.key, match)}
        options={[
          { value: "new", label: t("import.isNew") },
          ...item.candidates.map((row) => ({
            value: row.id,
            label: t("import.isSame", { title: row.title }),
          })),
        ]}
      />
    </div>
  );
}

const COLORS: Partial<Record<PlannedItem["kind"], string>> = {
  new: "green",
  removed: "red",
  reduced: "orange",
};

function Item({ item, answering }: { item: PlannedItem; answering: Answering }) {
  const { t } = useTranslation();
  const { kind, title, former_title, is_hidden, fields, gone_choices, candidates } = item;
  const name = former_title === null ? title : `${former_title} → ${title}`;
  return (
    <li>
      <details>
        <summary>
          <Tag color={COLORS[kind] ?? "default"}>{t(`import.kinds.${kind}`)}</Tag> {name}
          {is_hidden && <span className="import-counts"> {t("import.hidden")}</span>}
        </summary>
        <Fields fields={fields} />
      </details>
      {gone_choices.length > 0 && <GoneQuestion item={item} answering={answering} />}
      {candidates.length > 0 && <MatchQuestion item={item} answering={answering} />}
    </li>
  );
}

/** What an import would do, section by section: what is as it was is only counted. */
export function PlanView({ plan, answering }: { plan: ImportPlan; answering: Answering }) {
  const { t } = useTranslation();
  const sections = plan.sections.filter(({ items }) => items.some(({ kind }) => kind !== "unchanged"));
  return (
    <>
      {plan.format === "linkedin" && <p>{t("import.linkedInKeeps")}</p>}
      {plan.sample_count > 0 && <p>{t("import.sample", { count: plan.sample_count })}</p>}
      {sections.map(({ name, label, is_hidden, counts, items }) => (
        <section key={name} className="import-section" aria-label={label}>
          <h2>
            {label} <span className="import-counts">{toCountsText(counts, t)}</span>
          </h2>
          {is_hidden && <p className="import-counts">{t("import.hiddenSection")}</p>}
          <ul>
            {items
              .filter(({ kind }) => kind !== "unchanged")
              .map((item) => (
                <Item key={item.key} item={item} answering={answering} />
              ))}
          </ul>
        </section>
      ))}
      {plan.kept_keys.length > 0 && <p>{t("import.keptKeys", { keys: plan.kept_keys.join(", ") })}</p>}
      {(["en", "tr"] as const).map((lang) => {
        const { count, examples } = plan.untranslated[lang];
        return (
          count > 0 && (
            <p key={lang}>
              {t(`import.untranslated.${lang}`, { count })} {examples.join("; ")}
              {count > examples.length && "; …"}
            </p>
          )
        );
      })}
    </>
  );
}
