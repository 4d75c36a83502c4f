/** What is wrong with a screen, or with the trial of it. */
export interface Fault {
  /**
   * `trap`: what opened doesn't close or doesn't open again; `doubled`: a write was sent twice; `error`: a script failed;
   * `not tried`: the control was not there, or the browser gave no answer, with a new browser neither.
   */
  kind: "trap" | "doubled" | "error" | "not tried";
  screen: string;
  /** What was pressed, and in which rhythm; absent where it is about the whole screen. */
  control?: string;
  rhythm?: string;
  text: string;
}

export const toLine = ({ kind, screen, control, rhythm, text }: Fault): string =>
  `${kind}: ${screen}${control === undefined ? "" : `: “${control}”`}${rhythm ? `, ${rhythm}` : ""}: ${text}`;
