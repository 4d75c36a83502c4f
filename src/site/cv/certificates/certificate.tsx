import type { KeyboardEvent, MouseEvent } from "react";
import type { Cv } from "#contract/site/cv.ts";
import { toWebAddress } from "../../../ui/links.tsx";
import { PartialDate, toSrcSet } from "../cv-section.tsx";

export type Certificate = Cv["certificates"][number];

/** A certificate that the dialog can draw. */
export type FiledCertificate = Certificate & { file: string };

export function hasFile(certificate: Certificate): certificate is FiledCertificate {
  return certificate.file !== null;
}

/** Where a certificate can be seen whole: its file, else its page on the web. */
function getDocument({ file, url }: Certificate): string | null {
  return file ?? toWebAddress(url);
}

/** The `id` of a certificate's card, and the part after `#` of the address at which its dialog is open. */
export function toCardId(id: number): string {
  return `certificate-${id}`;
}

/** How a certificate's file can be shown here; `none` where there is no file. */
export type FileKind = "picture" | "pdf" | "other" | "none";

export function getFileKind(file: string | null): FileKind {
  if (file === null) return "none";
  if (/\.(png|jpe?g|svg|webp)$/i.test(file)) return "picture";
  return /\.pdf$/i.test(file) ? "pdf" : "other";
}

/** What stands on the drawn sheet: `PDF`, `PNG`. */
function getFileEnding(file: string): string {
  return /\.(\w{2,4})$/.exec(file)?.[1]?.toUpperCase() ?? "";
}

/** Stands for a certificate that has no file to picture. */
export function Medal() {
  return (
    <svg className="certificate-medal" viewBox="0 0 48 48" aria-hidden="true">
      <circle cx="24" cy="18" r="12" />
      <path d="m18.5 18.5 4 4 7-8M16.5 28 13 44l11-5 11 5-3.5-16" />
    </svg>
  );
}

/** Who issued a certificate, and when. */
export function SourceLine({ issuer, date }: Pick<Certificate, "issuer" | "date">) {
  return (
    <>
      {issuer}
      {issuer && date && " · "}
      {date && <PartialDate date={date} />}
    </>
  );
}

interface ThumbnailProps {
  certificate: FiledCertificate;
  /** How wide the picture stands on the page, as in `<img sizes>`. */
  sizes: string;
  /** Empty where the label stands beside the picture. */
  alt: string;
  loading: "lazy" | "eager";
}

/** A file's small picture over a drawn sheet: where the picture is missing, the sheet stays and names the kind of file. */
export function Thumbnail({ certificate: { file, thumbnails }, sizes, alt, loading }: ThumbnailProps) {
  return (
    <>
      <span className="certificate-sheet" aria-hidden="true">
        {getFileEnding(file)}
      </span>
      {thumbnails.length > 0 && (
        <img
          className="thumbnail"
          src={thumbnails[0]?.src}
          srcSet={toSrcSet(thumbnails)}
          sizes={sizes}
          alt={alt}
          loading={loading}
          decoding="async"
          draggable="false"
        />
      )}
    </>
  );
}

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
