import { loadFirstPage } from "./draw-thumbnail.ts";
import { OWN_ID } from "./link.ts";

/** Inside a container that knows 65,536 ids. */
const NOBODY = 65_534;

function become(id: number): void {
  process.setgroups?.([]);
  process.setgid?.(id);
  process.setuid?.(id);
}

/**
 * Started by root, the process gives root up for good, with all capabilities, before it reads a file of anybody's. Started by
 * another account it stays that account.
 * @param isCodeClosed other accounts can't come to the code: what PDFs need of it is loaded beforehand
 */
export async function leaveRoot(isCodeClosed: boolean): Promise<void> {
  if (process.getuid?.() !== 0) return;
  if (isCodeClosed) {
    await loadFirstPage();
    // pdf.js takes this one where it is loaded already. It has no types.
    await import("pdfjs-dist/legacy/build/pdf.worker.mjs" as string);
  }
  try {
    become(OWN_ID);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EINVAL") throw error;
    become(NOBODY);
  }
}
