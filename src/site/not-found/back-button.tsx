import { useEffect, useState } from "react";
import { usePage } from "../../ui/page-context.tsx";

/** Leads back to where the visitor came from; not drawn where there is no such place, as in a new tab. */
export function BackButton() {
  const { t } = usePage();
  const [canGoBack, setCanGoBack] = useState(false);
  useEffect(() => setCanGoBack(window.history.length > 1), []);
  return (
    canGoBack && (
      <button className="button not-found-back" type="button" onClick={() => window.history.back()}>
        {t("site:notFound.back")}
      </button>
    )
  );
}
