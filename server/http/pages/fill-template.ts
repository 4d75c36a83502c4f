/**
 * Puts texts into the slots of a template (`<!--head-->` …). A replacer function, because a text may hold `$&`.
 * One pass: what a text says is never taken for a slot.
 */
export function fillTemplate(template: string, slots: Readonly<Record<string, string>>): string {
  return template.replaceAll(/<!--(\w+)-->/g, (whole, name: string) => slots[name] ?? whole);
}
