const SLOT = /\{\{(\w+)\}\}/;

/** A sentence by its key, and what stood in its slots. */
export interface Filled<Key extends string> {
  key: Key;
  vars: Record<string, string>;
}

const escapeRegExp = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");

function toPattern(sentence: string): RegExp {
  // Every second part is the name of a slot.
  const parts = sentence
    .split(SLOT)
    .map((part, index) => (index % 2 ? `(?<${part}>.+?)` : escapeRegExp(part)));
  return new RegExp(`^${parts.join("")}$`, "s");
}

/**
 * Which of some sentences with slots (`{{mails}} mails came back …`) a text was filled from: the server stores in English what it
 * says by itself, and whoever reads it gets it in their own language. Undefined: a person's text. The first that fits counts.
 */
export function readFilled<Key extends string>(
  sentences: Readonly<Record<Key, string>>,
  text: string,
): Filled<Key> | undefined {
  for (const [key, sentence] of Object.entries(sentences) as [Key, string][]) {
    const found = toPattern(sentence).exec(text);
    if (found) return { key, vars: { ...found.groups } };
  }
  return undefined;
}
