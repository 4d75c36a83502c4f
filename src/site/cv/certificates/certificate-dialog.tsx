import { useEffect, useId, useRef } from "react";
import { usePage } from "../../../ui/page-context.tsx";
import type { Certificate } from "./certificate.tsx";
import { CertificatePreview } from "./certificate-preview.tsx";
import { SourceLine } from "./source-line.tsx";
import { type Direction, useSwipe } from "./swipe.ts";
import { useArrowKeys } from "./use-arrow-keys.ts";
import { useBackdrop } from "./use-backdrop.ts";
import { useIsEnlarged } from "./use-is-enlarged.ts";
import { ViewerFoot } from "./viewer-foot.tsx";

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
  const dialogRef = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (!dialogRef.current?.open) dialogRef.current?.showModal();
  }, []);

  useArrowKeys(onMove);
  const swipe = useSwipe(onMove);
  const backdrop = useBackdrop(onClose);
  const isEnlarged = useIsEnlarged();

  const certificate = certificates[index];
  if (!certificate) return null;
  return (
    <dialog
      ref={dialogRef}
      className={isEnlarged ? "viewer is-enlarged" : "viewer"}
      aria-labelledby={titleId}
      {...backdrop}
      onCancel={(event) => {
        // The address closes the dialog, as for every other way.
        event.preventDefault();
        onClose();
      }}
      onClose={onClose}
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
    </dialog>
  );
}
