/** Strings of one locale file: texts, or groups of texts. */
export interface TextTree {
  readonly [key: string]: string | TextTree;
}

export type TextVars = Readonly<Record<string, string | number>>;

function findText(resources: Readonly<Record<string, TextTree>>, key: string): string | undefined {
  const [file = "", path = ""] = key.split(":");
  let found: string | TextTree | undefined = resources[file];
  for (const part of path.split(".")) found = typeof found === "object" ? found[part] : undefined;
  return typeof found === "string" ? found : undefined;
}

/**
 * The `t()` of public pages: reads the locale files that i18next reads in the admin, for 15 kB of brotli less.
 * `Key` is the union of `file:group.name` that callers may use (src/ui/public-text.ts has that of public pages).
 * `{{name}}` takes the value of `vars.name`. With `vars.count` the rules of the language choose the `_one` or
 * `_other` form of the key. An unknown key comes back as it is; locales/locales.test.ts keeps that from happening.
 */
export function createText<Key extends string>(
  lang: string,
  resources: Readonly<Record<string, TextTree>>,
): (key: Key, vars?: TextVars) => string {
  // Made when a counted text first asks for it: most pages have none.
  let plurals: Intl.PluralRules | undefined;
  const select = (count: number) => {
    plurals ??= new Intl.PluralRules(lang);
    return plurals.select(count);
  };
  return (key, vars) => {
    const forms = typeof vars?.count === "number" ? [`${key}_${select(vars.count)}`, `${key}_other`] : [];
    let text: string | undefined;
    for (const form of [...forms, key]) text ??= findText(resources, form);
    return (text ?? key).replace(/\{\{(\w+)\}\}/g, (slot, name: string) => String(vars?.[name] ?? slot));
  };
}
