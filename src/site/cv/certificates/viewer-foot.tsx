import { toWebAddress } from "../../../ui/links.tsx";
import { usePage } from "../../../ui/page-context.tsx";
import { StepButton } from "../step-button.tsx";
import type { Certificate } from "./certificate.tsx";
import { CopyLink } from "./copy-link.tsx";
import type { Direction } from "./swipe.ts";

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
export function ViewerFoot({ certificate, index, count, onMove }: ViewerFootProps) {
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
