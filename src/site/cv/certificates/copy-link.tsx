import { useEffect, useRef, useState } from "react";
import { useHref } from "react-router";
import { usePage } from "../../../ui/page-context.tsx";
import { type Certificate, toCardId } from "./certificate.tsx";

/** `refused`: the browser has no clipboard for this page (plain http), or its owner said no. */
export type CopyState = "idle" | "copied" | "refused";

async function copyText(text: string): Promise<"copied" | "refused"> {
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    return "refused";
  }
}

/** Copies the address at which a certificate is open. What came of it counts for that certificate alone. */
function useCopyLink({ id }: Certificate) {
  const path = useHref({ search: "", hash: toCardId(id) });
  const [last, setLast] = useState<{ address: string; state: CopyState }>();
  // The server knows no origin of the browser's, and draws no dialog.
  const address = new URL(path, window.location.href).href;
  return {
    address,
    state: last?.address === address ? last.state : ("idle" satisfies CopyState),
    async copy() {
      // Announced anew each time, also to people who only hear it.
      setLast(undefined);
      setLast({ address, state: await copyText(address) });
    },
  };
}

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
