import type { LocalizedText } from "#contract/languages.ts";
import { isFixedPage, isReservedAddress } from "#contract/site/page-address.ts";
import { recordAudit } from "#server/audit/service.ts";
import type { Actor } from "#server/base/actor.ts";
import { AppError, type FieldFault } from "#server/base/errors.ts";
import { notifyChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { RecordWriter } from "#server/models/record-writer.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import {
  deletePage,
  deleteRedirects,
  insertPage,
  insertRedirect,
  type PageValues,
  type RedirectRow,
  selectSlug,
  updatePage,
} from "./store.ts";

export const REDIRECT_MODEL = "site.redirect";

/** The kinds have checked the values; an emptied one has its default, an emptied place stays as it is. */
function toValues(given: ReadonlyMap<string, unknown>): Partial<PageValues> {
  const values = Object.fromEntries(given) as Partial<PageValues>;
  if (given.has("shown_in")) values.shown_in = values.shown_in || "none";
  if (given.has("is_hidden")) values.is_hidden = values.is_hidden ?? false;
  if (values.position === null) delete values.position;
  return values;
}

/** What is wrong with an address, and with what is done to a page that every site has. `before`: its address so far. */
function findFaults({ slug, is_hidden }: Partial<PageValues>, before?: string): FieldFault[] {
  const isFixed = before !== undefined && isFixedPage(before);
  const faults: FieldFault[] = [];
  if (isFixed && slug !== undefined && slug !== before)
    faults.push({ field: "slug", code: "page_address_fixed" });
  else if (slug !== undefined && slug !== before && isReservedAddress(slug))
    faults.push({ field: "slug", code: "page_address_reserved", vars: { slug } });
  if (isFixed && is_hidden) faults.push({ field: "is_hidden", code: "page_always_shown" });
  return faults;
}

/** Writes pages of text, whichever endpoint is used, and the old addresses that follow from it. */
export function createPageWriter(
  registry: Registry,
  layOut: (body: LocalizedText) => Promise<readonly FieldFault[]>,
): RecordWriter {
  /** Old addresses come and go with a page; each has its entry in the log, and caches drop them. */
  async function noteRedirects(
    db: Queryable,
    action: "CREATE" | "DELETE",
    rows: readonly RedirectRow[],
    actor: Actor,
  ): Promise<void> {
    if (rows.length === 0) return;
    const contentTypeId = registry.byKey.get(REDIRECT_MODEL)?.contentTypeId ?? null;
    const side = action === "CREATE" ? "after" : "before";
    const entries = rows.map(({ id, slug, page_id }) => ({
      action,
      contentTypeId,
      objectId: id,
      objectRepr: slug,
      changes: { slug: { [side]: slug }, page: { [side]: page_id } },
    }));
    await recordAudit(db, actor, ...entries);
    const type = action === "CREATE" ? "created" : "deleted";
    await notifyChange(db, REDIRECT_MODEL, { type, ids: rows.map(({ id }) => id), isMany: false });
  }

  async function requireSlug(db: Queryable, id: number): Promise<string> {
    const slug = await selectSlug(db, id);
    if (slug === undefined) throw new AppError("object_not_found");
    return slug;
  }

  const requireNone = (fields: readonly FieldFault[]) => {
    if (fields.length > 0) throw new AppError("validation_failed", { fields });
  };

  const findTextFaults = async ({ body }: Partial<PageValues>) => (body ? layOut(body) : []);

  return {
    // Once for all rows of a write, and before any of them is locked.
    prepare: async (_db, _operation, _ids, given) => requireNone(await findTextFaults(toValues(given))),

    async create(db, given, actor) {
      const values = toValues(given);
      requireNone([...findFaults(values), ...(await findTextFaults(values))]);
      // The page is what its address leads to from now on.
      await noteRedirects(db, "DELETE", await deleteRedirects(db, { slug: values.slug ?? null }), actor);
      return insertPage(db, values);
    },

    async update(db, id, given, actor) {
      const before = await requireSlug(db, id);
      const values = toValues(given);
      requireNone(findFaults(values, before));
      await updatePage(db, id, values);
      if (values.slug === undefined || values.slug === before) return undefined;
      await noteRedirects(db, "DELETE", await deleteRedirects(db, { slug: values.slug }), actor);
      await noteRedirects(db, "CREATE", [await insertRedirect(db, before, id)], actor);
      return undefined;
    },

    async delete(db, id, actor) {
      if (isFixedPage(await requireSlug(db, id))) throw new AppError("page_protected");
      await noteRedirects(db, "DELETE", await deleteRedirects(db, { pageId: id }), actor);
      await deletePage(db, id);
      return undefined;
    },

    findFaults: (given) => (typeof given.slug === "string" ? findFaults({ slug: given.slug }) : []),
    committed: () => undefined,
  };
}
