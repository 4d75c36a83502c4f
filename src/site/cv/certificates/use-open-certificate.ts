import { useEffect, useRef, useSyncExternalStore } from "react";
import { useLocation, useNavigate } from "react-router";
import { type Certificate, toCardId } from "./certificate.ts";
import { dropSecondClick } from "./drop-second-click.ts";

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
export function useOpenCertificate(certificates: readonly Certificate[]) {
  const location = useLocation();
  const { hash, search, state } = location;
  const navigate = useNavigate();
  const isHydrated = useIsHydrated();
  const index = isHydrated ? certificates.findIndex(({ id }) => hash === `#${toCardId(id)}`) : -1;
  const openId = certificates[index]?.id;

  /** Where the last command leads: the next one may come before that is drawn, on a slow device a good while before. */
  const goal = useRef<{ id: number | undefined; state: unknown }>({ id: openId, state });
  const shownId = useRef<number>(undefined);
  useEffect(() => {
    goal.current = { id: openId, state: location.state };
    if (openId === undefined && shownId.current !== undefined)
      document.getElementById(toCardId(shownId.current))?.focus();
    shownId.current = openId;
  }, [openId, location]);

  const show = (id: number) => {
    goal.current.id = id;
    navigate({ search, hash: toCardId(id) }, { replace: true, state: goal.current.state });
  };
  return {
    index,
    open(id: number) {
      if (goal.current.id === id) return;
      dropSecondClick();
      // One certificate, one entry: a second one would be left open by going back.
      if (goal.current.id !== undefined) return show(id);
      goal.current = { id, state: OPENED_HERE };
      navigate({ search, hash: toCardId(id) }, { state: OPENED_HERE });
    },
    moveTo(next: number) {
      const certificate = certificates[next];
      if (certificate && goal.current.id !== undefined) show(certificate.id);
    },
    close() {
      // Going back takes a moment; a second Escape meanwhile must not leave the page.
      if (goal.current.id === undefined) return;
      dropSecondClick();
      goal.current.id = undefined;
      if (goal.current.state === OPENED_HERE) navigate(-1);
      else navigate({ search, hash: "" }, { replace: true });
    },
  };
}
