import type { Cv } from "#contract/site/cv.ts";
import { NewTabLink } from "../../ui/new-tab-link.tsx";
import { usePage } from "../../ui/page-context.tsx";

/** Where the person lives, with a search for it on a map. */
export function AddressNote({ address: { district, province } }: { address: Cv["address"] }) {
  const { site, t } = usePage();
  const place = [district, province].filter(Boolean).join(", ");
  if (!place) return null;
  return (
    <p className="address-note">
      {t("site:cv.place", { place })}{" "}
      <NewTabLink href={site.map_search + encodeURIComponent(place)}>{t("site:cv.map")}</NewTabLink>
    </p>
  );
}
