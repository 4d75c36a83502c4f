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
