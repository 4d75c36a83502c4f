/**
 * The `redirect` query value as a path on this site, or null. It must begin with a single `/`; `//host`, `/\host` and
 * what browsers read as such (`/<tab>/host`, `/.//host`) lead to other sites. The log-in page itself would be a circle.
 */
export function toSafeRedirect(value: string | null, origin: string): string | null {
  if (!value || !/^\/(?![/\\])/.test(value) || !URL.canParse(value, origin)) return null;
  const target = new URL(value, origin);
  const isElsewhere = target.origin !== origin || target.pathname.startsWith("//");
  if (isElsewhere || /^(\/(en|tr))?\/login\/?$/.test(target.pathname)) return null;
  return target.pathname + target.search + target.hash;
}
