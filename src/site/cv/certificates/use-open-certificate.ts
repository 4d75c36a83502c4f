import { useEffect, useRef, useSyncExternalStore } from "react";
import { useLocation, useNavigate } from "react-router";
import { type FiledCertificate, toCardId } from "./certificate.ts";

/** The entry of the browser's history was made by opening the dialog: closing goes back over it. */
const OPENED_HERE = "certificate";

const neverChanges = () => () => {};

/** False on the server and for the drawing that takes over its page: neither knows what stands after `#`. */
function useIsHydrated(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => true,
    () => false,
  );
}

/**
 * Which certificate is open. The address says it (`#certificate-7`), so that a link leads there, a reload stays there,
 * and Back closes the dialog. When it closes, the focus goes to the card of the certificate that was shown last.
 */
export function useOpenCertificate(certificates: readonly FiledCertificate[]) {
  const { hash, search, state } = useLocation();
  const navigate = useNavigate();
  const isHydrated = useIsHydrated();
  const index = isHydrated ? certificates.findIndex(({ id }) => hash === `#${toCardId(id)}`) : -1;
  const openId = certificates[index]?.id;

  const shownId = useRef<number>(undefined);
  /** Going back takes a moment; a second Escape meanwhile must not leave the page. */
  const isClosing = useRef(false);
  useEffect(() => {
    isClosing.current = false;
    if (openId === undefined && shownId.current !== undefined)
      document.getElementById(toCardId(shownId.current))?.focus();
    shownId.current = openId;
  }, [openId]);

  return {
    index,
    open: (id: number) => navigate({ search, hash: toCardId(id) }, { state: OPENED_HERE }),
    moveTo: (next: number) => {
      const certificate = certificates[next];
      if (certificate) navigate({ search, hash: toCardId(certificate.id) }, { replace: true, state });
    },
    close: () => {
      if (isClosing.current) return;
      isClosing.current = true;
      if (state === OPENED_HERE) navigate(-1);
      else navigate({ search, hash: "" }, { replace: true });
    },
  };
}
