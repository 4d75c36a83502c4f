import { useEffect, useRef } from "react";
import { usePage } from "../../../ui/page-context.tsx";
import type { Certificate } from "./certificate.tsx";
import { useCopyLink } from "./use-copy-link.ts";

/** The link to copy by hand, selected. */
function LinkField({ address }: { address: string }) {
  const { t } = usePage();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  return (
    <div className="viewer-link-field field">
      <label htmlFor="viewer-link">{t("site:cv.viewer.copyRefused")}</label>
      <input ref={field} id="viewer-link" type="text" readOnly value={address} />
    </div>
  );
}

/** Copies the link to a certificate; where the browser doesn't let it, the link stands there to be copied by hand. */
export function CopyLink({ certificate }: { certificate: Certificate }) {
  const { t } = usePage();
  const { state, address, copy } = useCopyLink(certificate);
  const isCopied = state === "copied";
  return (
    <>
      <button className="viewer-link viewer-copy" type="button" onClick={copy}>
        <span className={isCopied ? "is-away" : undefined}>{t("site:cv.viewer.copyLink")}</span>
        <span className={isCopied ? undefined : "is-away"} aria-hidden="true">
          ✓ {t("site:cv.viewer.copied")}
        </span>
      </button>
      <p className="visually-hidden" role="status">
        {isCopied && t("site:cv.viewer.linkCopied")}
      </p>
      {state === "refused" && <LinkField address={address} />}
    </>
  );
}
