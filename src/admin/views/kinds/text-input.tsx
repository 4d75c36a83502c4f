/** Inputs that hold text which their form does not know of yet. */
const untold = new Set<() => void>();

/** An input holds such text; `tell` hands it over. */
export function holdUntold(tell: () => void): void {
  untold.add(tell);
}

export function releaseUntold(tell: () => void): void {
  untold.delete(tell);
}

/** Hands over whatever is typed. Whoever reads a form, or sends it, calls this first. */
export function tellTyped(): void {
  for (const tell of [...untold]) tell();
}
