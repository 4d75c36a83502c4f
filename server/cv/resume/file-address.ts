import { FILE_PREFIX, parseFileAddress } from "#server/models/kinds/file.ts";
import type { Item } from "./item.ts";

/** What reading and building need to know of stored files. */
export interface FileFacts {
  /** Origin of this site, without a trailing slash; undefined: addresses in a file are relative. */
  origin: string | undefined;
  /** Media types of the stored files that a document may speak of, by key. */
  mediaTypes: ReadonlyMap<string, string>;
}

/** Every text that may be the key of a stored file. */
export function findFileKeys(text: string): string[] {
  return [...new Set([...text.matchAll(/\/files\/([\w.]+)/g)].map((match) => match[1] ?? ""))];
}

/** The key that an address on any host names: a file keeps its key when the site moves. */
function parseAnyAddress(address: string): string | undefined {
  if (address.startsWith("/")) return parseFileAddress(address);
  const url = URL.parse(address);
  const isPlain = url && /^https?:$/.test(url.protocol) && url.search === "" && url.hash === "";
  return isPlain ? parseFileAddress(url.pathname) : undefined;
}

/** The key of a stored file of an accepted type, undefined when the address is none. */
export function findStoredKey(
  address: string,
  accept: readonly string[],
  files: FileFacts,
): string | undefined {
  const key = parseAnyAddress(address);
  const mediaType = key === undefined ? undefined : files.mediaTypes.get(key);
  return mediaType !== undefined && accept.includes(mediaType) ? key : undefined;
}

export function toFileAddress(key: string, files: FileFacts): string {
  return `${files.origin ?? ""}${FILE_PREFIX}${key}`;
}

/**
 * JSON Resume knows one address of a certificate. It is the issuer's page, or our file when there is no such page;
 * with both, the file stands under a key of our own.
 */
export function toCertificateAddresses(item: Item, files: FileFacts): Item {
  const { url, file } = item.values;
  const hasUrl = url || Object.hasOwn(item.extra, "url");
  if (hasUrl || typeof file !== "string" || files.origin === undefined) return item;
  return { ...item, values: { ...item.values, url: toFileAddress(file, files), file: null } };
}

/** The opposite: an address that names one of our files is the file. */
export function fromCertificateAddresses(item: Item, accept: readonly string[], files: FileFacts): Item {
  const { url, file } = item.values;
  const hasFile = file || Object.hasOwn(item.extra, "file");
  const key = hasFile || typeof url !== "string" ? undefined : findStoredKey(url, accept, files);
  return key === undefined ? item : { ...item, values: { ...item.values, url: null, file: key } };
}
