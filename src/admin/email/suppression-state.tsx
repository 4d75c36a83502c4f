import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import * as z from "zod/mini";
import { toLanguage } from "#contract/languages.ts";
import { objectPaths } from "#resources/record-source.ts";
import { SUPPRESSION_MODEL } from "#resources/suppressions.ts";
import { useModelPermissions } from "../services.ts";
import { formatDateTime } from "../views/kinds/cell-value.ts";

/** What stops mail to an address, as rows and timelines show it. */
export const suppressed = z.object({
  id: z.number(),
  scope: z.enum(["all", "optional"]),
  created_at: z.string(),
  created_by: z.optional(z.nullable(z.string())),
  expires_at: z.nullable(z.string()),
});
export type Suppressed = z.infer<typeof suppressed>;

/** Address of the list of suppressed addresses, or of one of its entries; undefined where the person may not see it. */
export function useSuppressionPath(): (id?: number) => string | undefined {
  const { permissions, contentTypeId } = useModelPermissions(SUPPRESSION_MODEL);
  return (id) => {
    if (!permissions.view || contentTypeId === undefined) return undefined;
    return id === undefined ? objectPaths.list(contentTypeId) : objectPaths.edit(contentTypeId, id);
  };
}

/** Since when, by whom, and until when. */
export function toSuppressedText(
  { created_at, created_by, expires_at }: Suppressed,
  t: TFunction,
  lang: string,
) {
  const toMoment = (text: string) => formatDateTime(text, toLanguage(lang));
  const moment = toMoment(created_at);
  const since = created_by
    ? t("emailLists.suppressed.by", { moment, name: created_by })
    : t("emailLists.suppressed.since", { moment });
  return expires_at
    ? `${since} ${t("emailLists.suppressed.until", { moment: toMoment(expires_at) })}`
    : since;
}

/** Whether mail reaches an address, with the way to the entry that stops it, where it can be lifted. */
export function SuppressionState({ state }: { state: Suppressed | null }) {
  const { t, i18n } = useTranslation();
  const toPath = useSuppressionPath();
  if (!state) return <p>{t("emailLists.suppressed.none")}</p>;
  const path = toPath(state.id);
  return (
    <p>
      <strong>{t(`emailLists.suppressed.${state.scope}Long`)}</strong>{" "}
      {toSuppressedText(state, t, i18n.language)}{" "}
      {path && <Link to={path}>{t("emailLists.suppressed.show")}</Link>}
    </p>
  );
}
