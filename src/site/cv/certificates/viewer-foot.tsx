import { usePage } from "../../../ui/page-context.tsx";
import { StepButton } from "../step-button.tsx";
import { type Certificate, getDocument, hasFile } from "./certificate.ts";
import { CopyLink } from "./copy-link.tsx";
import type { Direction } from "./swipe.ts";

interface ViewerFootProps {
  certificate: Certificate;
  /** From 0 on. */
  index: number;
  count: number;
  onMove: (direction: Direction) => void;
}

/** The ways on from a certificate: to the ones beside it, to others by its link, to the document itself. */
export function ViewerFoot({ certificate, index, count, onMove }: ViewerFootProps) {
  const { t } = usePage();
  const address = getDocument(certificate);
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
        {address && (
          <a className="viewer-link" href={address} target="_blank" rel="noreferrer">
            {t(hasFile(certificate) ? "site:cv.viewer.open" : "site:cv.viewer.openPage")}
            <span aria-hidden="true"> ↗</span>
          </a>
        )}
      </div>
    </footer>
  );
}
