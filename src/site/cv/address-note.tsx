import type { Cv } from "#contract/cv.ts";
import { NewTabLink } from "../../ui/new-tab-link.tsx";
import { usePage } from "../../ui/page-context.tsx";

const MAP_SEARCH = "https://www.openstreetmap.org/search?query=";

/** Where the person lives, with a search for it on a map. */
export function AddressNote({ address: { district, province } }: { address: Cv["address"] }) {
  const { t } = usePage();
  const place = [district, province].filter(Boolean).join(", ");
  if (!place) return null;
  return (
    <p className="address-note">
      {t("site:cv.place", { place })}{" "}
      <NewTabLink href={MAP_SEARCH + encodeURIComponent(place)}>{t("site:cv.map")}</NewTabLink>
    </p>
  );
}
