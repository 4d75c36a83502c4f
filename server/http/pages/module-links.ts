import * as z from "zod/mini";

/** Vite's `.vite/manifest.json`: source path → its chunk. */
export const buildManifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    imports: z.optional(z.array(z.string())),
    css: z.optional(z.array(z.string())),
  }),
);
type BuildManifest = z.infer<typeof buildManifest>;

function requireChunk(manifest: BuildManifest, key: string) {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`The build's manifest has no ${key}`);
  return chunk;
}

/**
 * Links that fetch chunks, and all that those import, while the page is still being read: found one by one, each would cost
 * a round trip. With low priority, behind the styles and the loader. @throws when the build has no such chunk.
 */
export function buildModuleLinks(manifest: BuildManifest, modules: readonly string[]): string {
  const keys = new Set(modules);
  const links = new Set<string>();
  for (const key of keys) {
    const chunk = requireChunk(manifest, key);
    for (const next of chunk.imports ?? []) keys.add(next);
    links.add(`<link rel="modulepreload" fetchpriority="low" href="/${chunk.file}">`);
    // As Vite asks for it: a preload with other credentials is fetched for nothing.
    for (const file of chunk.css ?? [])
      links.add(`<link rel="preload" as="style" crossorigin href="/${file}">`);
  }
  return [...links].join("\n");
}

/** Style sheets that are entries of the build. @throws when the build has no such file. */
export function buildStyleLinks(manifest: BuildManifest, styles: readonly string[]): string {
  return styles
    .map((style) => `<link rel="stylesheet" href="/${requireChunk(manifest, style).file}">`)
    .join("\n");
}
