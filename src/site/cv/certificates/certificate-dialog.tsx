import { type MouseEvent, type PointerEvent, useEffectEvent, useId, useLayoutEffect, useRef } from "react";
import { Modal } from "../../../ui/dialog.tsx";
import { toWebAddress } from "../../../ui/links.tsx";
import { usePage } from "../../../ui/page-context.tsx";
import { StepButton } from "../carousel/carousel.tsx";
import { type Certificate, SourceLine } from "./certificate.tsx";
import { CertificatePreview } from "./certificate-preview.tsx";
import { CopyLink } from "./copy-link.tsx";
import { type Direction, useIsEnlarged, useSwipe } from "./swipe.ts";

const KEYS: Readonly<Record<string, Direction>> = { ArrowLeft: "previous", ArrowRight: "next" };

/** Left and right, wherever the focus is but in a text: a click into the dialog may leave it on nothing. */
function useArrowKeys(onMove: (direction: Direction) => void): void {
  const press = useEffectEvent(({ key, target, altKey, ctrlKey, metaKey, shiftKey }: KeyboardEvent) => {
    const direction = target instanceof HTMLInputElement ? undefined : KEYS[key];
    if (direction && !altKey && !ctrlKey && !metaKey && !shiftKey) onMove(direction);
  });
  // As early as the dialog is shown: a key that is pressed before an effect of `useEffect` has run would be lost.
  useLayoutEffect(() => {
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
}

/** Handlers for a dialog: a click beside it closes it; one that began inside, to select or to swipe, does not. */
function useBackdrop(onClose: () => void) {
  const isFromInside = useRef(false);
  return {
    onPointerDown: ({ target, currentTarget }: PointerEvent) => {
      isFromInside.current = target !== currentTarget;
    },
    onClick: ({ target, currentTarget }: MouseEvent) => {
      if (target === currentTarget && !isFromInside.current) onClose();
      isFromInside.current = false;
    },
  };
}

interface ViewerFootProps {
  certificate: Certificate;
  /** From 0 on. */
  index: number;
  count: number;
  onMove: (direction: Direction) => void;
}

function OutLink({ address, text }: { address: string | null; text: string }) {
  if (!address) return null;
  return (
    <a className="viewer-link" href={address} target="_blank" rel="noreferrer">
      {text}
      <span aria-hidden="true"> ↗</span>
    </a>
  );
}

/** The ways on from a certificate: to the ones beside it, to others by its link, to the document, and to where its issuer confirms it. */
function ViewerFoot({ certificate, index, count, onMove }: ViewerFootProps) {
  const { t } = usePage();
  return (
    <footer className="viewer-foot">
      <StepButton
        to="previous"
        label={t("site:cv.viewer.previous")}
        isAtEnd={index === 0}
        onStep={() => onMove("previous")}
      />
      <p className="viewer-position">{t("site:cv.viewer.position", { number: index + 1, count })}</p>
      <StepButton
        to="next"
        label={t("site:cv.viewer.next")}
        isAtEnd={index === count - 1}
        onStep={() => onMove("next")}
      />
      <div className="viewer-links">
        <CopyLink certificate={certificate} />
        <OutLink address={certificate.file} text={t("site:cv.viewer.open")} />
        <OutLink address={toWebAddress(certificate.url)} text={t("site:cv.viewer.openPage")} />
      </div>
    </footer>
  );
}

interface CertificateDialogProps {
  certificates: readonly Certificate[];
  index: number;
  onMove: (direction: Direction) => void;
  onClose: () => void;
}

/** A certificate with its file, if it has one, over the page; arrows, arrow keys and swipes lead to the one before and after. */
export function CertificateDialog({ certificates, index, onMove, onClose }: CertificateDialogProps) {
  const { t } = usePage();
  const titleId = useId();
  useArrowKeys(onMove);
  const swipe = useSwipe(onMove);
  const backdrop = useBackdrop(onClose);
  const isEnlarged = useIsEnlarged();

  const certificate = certificates[index];
  if (!certificate) return null;
  return (
    <Modal
      className={isEnlarged ? "viewer is-enlarged" : "viewer"}
      aria-labelledby={titleId}
      onCancel={onClose}
      {...backdrop}
    >
      <div className="viewer-frame">
        <header className="viewer-head">
          <div aria-live="polite">
            <h2 id={titleId}>{certificate.label}</h2>
            <p className="certificate-source">
              <SourceLine {...certificate} />
            </p>
          </div>
          <button
            type="button"
            className="viewer-close"
            aria-label={t("site:cv.viewer.close")}
            onClick={onClose}
          >
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="M6 6l12 12M18 6 6 18" />
            </svg>
          </button>
        </header>
        <div className="viewer-stage" {...swipe}>
          <CertificatePreview key={certificate.id} certificate={certificate} />
        </div>
        <ViewerFoot certificate={certificate} index={index} count={certificates.length} onMove={onMove} />
      </div>
    </Modal>
  );
}
