import type { KeyboardEvent, MouseEvent } from "react";
import { type Certificate, getDocument, hasFile, toCardId } from "./certificate.tsx";
import { Medal } from "./medal.tsx";
import { SourceLine } from "./source-line.tsx";
import { Thumbnail } from "./thumbnail.tsx";

/** Two cards a slide beside the heading, two on the whole width, one on a narrow screen; less frame and gap. */
const SIZES = "(width >= 60rem) 278px, (width >= 600px) calc(50vw - 70px), calc(100vw - 66px)";

interface CertificateCardProps {
  certificate: Certificate;
  onOpen: (id: number) => void;
}

function CardContent({ certificate }: { certificate: Certificate }) {
  return (
    <>
      <span className="certificate-picture">
        {hasFile(certificate) ? (
          <Thumbnail certificate={certificate} sizes={SIZES} alt="" loading="lazy" />
        ) : (
          <Medal />
        )}
      </span>
      <span className="certificate-label">{certificate.label}</span>
      <span className="certificate-source">
        <SourceLine {...certificate} />
      </span>
    </>
  );
}

/** A click that asks for nothing special, such as a new tab. */
function isPlain({ button, ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !ctrlKey && !metaKey && !shiftKey && !altKey;
}

/** A certificate: a link to where it can be seen, which click, Enter and Space open in the dialog. */
export function CertificateCard({ certificate, onOpen }: CertificateCardProps) {
  const { id } = certificate;
  const cardId = toCardId(id);
  const open = (event: KeyboardEvent | MouseEvent) => {
    event.preventDefault();
    onOpen(id);
  };
  return (
    <a
      id={cardId}
      className="certificate"
      href={getDocument(certificate) ?? `#${cardId}`}
      aria-haspopup="dialog"
      data-replay=""
      onClick={(event) => isPlain(event) && open(event)}
      onKeyDown={(event) => event.key === " " && open(event)}
    >
      <CardContent certificate={certificate} />
    </a>
  );
}
