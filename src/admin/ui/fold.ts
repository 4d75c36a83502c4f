const MARKS = /\p{M}/gu;

/** Of which one keeps a word in its line, and which decompose into each other. */
const HYPHENS = /[\u2010\u2011]/g;

/** A letter as it is compared: without marks, small, ı and İ as i, so that `isik` finds `Işık` whatever the language. */
function foldLetter(letter: string): string {
  const plain = letter.normalize("NFKD").replace(MARKS, "").replace(HYPHENS, "-");
  return plain.toLowerCase().replace(/ı/g, "i").replace(MARKS, "");
}

/** A text as it is compared, and for each of its characters where it came from. */
export interface Folded {
  text: string;
  /** Index in the original, by index in `text`; one more than there are characters, for ends. */
  origin: readonly number[];
}

export function fold(original: string): Folded {
  const origin: number[] = [];
  let text = "";
  let at = 0;
  for (const letter of original) {
    for (const folded of foldLetter(letter)) {
      for (let unit = 0; unit < folded.length; unit++) origin.push(at);
      text += folded;
    }
    at += letter.length;
  }
  return { text, origin: [...origin, original.length] };
}
