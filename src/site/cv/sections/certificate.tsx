import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from "react";
import { useLocation, useNavigate, useNavigationType } from "react-router";
import { Carousel } from "../carousel/carousel.tsx";
import { type Certificate, CertificateCard, toCardId } from "../certificates/certificate.tsx";
import { CertificateDialog } from "../certificates/certificate-dialog.tsx";
import type { Direction } from "../certificates/swipe.ts";
import type { SectionProps } from "../section-components.ts";

/**
 * Takes away the second half of a double click, whose first half opens or closes something: another thing stands under the
 * pointer by then. Over with the next first click.
 */
function dropSecondClick(): void {
  const drop = (event: MouseEvent) => {
    if (event.detail > 1) {
      event.preventDefault();
      event.stopPropagation();
    } else document.removeEventListener("click", drop, true);
  };
  document.addEventListener("click", drop, true);
}

/** The entry of the browser's history was made by opening the dialog: closing goes back over it. */
const OPENED_HERE = "certificate";

/** The certificate that an address names by what stands after `#`. */
const findByHash = (certificates: readonly Certificate[], hash: string) =>
  certificates.find(({ id }) => hash === `#${toCardId(id)}`);

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
function useOpenCertificate(certificates: readonly Certificate[]) {
  const location = useLocation();
  const { hash, search } = location;
  const navigate = useNavigate();
  const isHydrated = useIsHydrated();
  const opened = isHydrated ? findByHash(certificates, hash) : undefined;
  const openId = opened?.id;

  /**
   * Where the last command leads. The router draws late, so the next command may come before that, and a drawing may show an
   * earlier one: only the browser's own Back and Forward replace it, also before they are drawn.
   */
  const goal = useRef<{ id: number | undefined; state: unknown }>({ id: openId, state: location.state });
  const kind = useNavigationType();
  useLayoutEffect(() => {
    if (kind === "POP") goal.current = { id: openId, state: location.state };
  }, [kind, openId, location]);
  useEffect(() => {
    const follow = () => {
      const id = findByHash(certificates, window.location.hash)?.id;
      // React Router keeps an entry's state under this name.
      goal.current = { id, state: window.history.state?.usr ?? null };
    };
    window.addEventListener("popstate", follow);
    return () => window.removeEventListener("popstate", follow);
  }, [certificates]);

  const shownId = useRef<number>(undefined);
  useEffect(() => {
    if (openId === undefined && shownId.current !== undefined)
      document.getElementById(toCardId(shownId.current))?.focus();
    shownId.current = openId;
  }, [openId]);

  const show = (id: number) => {
    goal.current.id = id;
    navigate({ search, hash: toCardId(id) }, { replace: true, state: goal.current.state });
  };
  return {
    index: opened ? certificates.indexOf(opened) : -1,
    open(id: number) {
      if (goal.current.id === id) return;
      dropSecondClick();
      // One certificate, one entry: a second one would be left open by going back.
      if (goal.current.id !== undefined) return show(id);
      goal.current = { id, state: OPENED_HERE };
      navigate({ search, hash: toCardId(id) }, { state: OPENED_HERE });
    },
    move(direction: Direction) {
      const from = certificates.findIndex(({ id }) => id === goal.current.id);
      const next = certificates[from + (direction === "next" ? 1 : -1)];
      if (from >= 0 && next) show(next.id);
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

/** Certificates, two or one a slide, and the dialog that shows one with its file. */
export function Section({ section, cv: { certificates } }: SectionProps) {
  const { index, open, move, close } = useOpenCertificate(certificates);
  return (
    <>
      <Carousel title={section.heading} perSlide={{ wide: 2, narrow: 1 }}>
        {certificates.map((certificate) => (
          <li key={certificate.id}>
            <CertificateCard certificate={certificate} onOpen={open} />
          </li>
        ))}
      </Carousel>
      {index >= 0 && (
        <CertificateDialog certificates={certificates} index={index} onMove={move} onClose={close} />
      )}
    </>
  );
}
