/** How a certificate's file can be shown here; `none` where there is no file. */
export type FileKind = "picture" | "pdf" | "other" | "none";

export function getFileKind(file: string | null): FileKind {
  if (file === null) return "none";
  if (/\.(png|jpe?g|svg|webp)$/i.test(file)) return "picture";
  return /\.pdf$/i.test(file) ? "pdf" : "other";
}

/** What stands on the drawn sheet: `PDF`, `PNG`. */
export function getFileEnding(file: string): string {
  return /\.(\w{2,4})$/.exec(file)?.[1]?.toUpperCase() ?? "";
}
