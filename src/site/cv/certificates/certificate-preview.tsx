import { useEffect, useRef, useState } from "react";
import { usePage } from "../../../ui/page-context.tsx";
import {
  type Certificate,
  type FiledCertificate,
  type FileKind,
  getFileKind,
  hasFile,
  Medal,
  Thumbnail,
} from "./certificate.tsx";
import { type DrawRequest, drawFirstPage } from "./pdf-first-page.ts";

/** What some browsers say of their device. */
interface DeviceHints {
  /** In GB, rounded to a power of two. */
  deviceMemory?: number;
  connection?: { saveData?: boolean };
}

const TOO_LITTLE_MEMORY_GB = 2;

/** Whether drawing a PDF, half a megabyte of script and much memory, is too much to ask of this device. */
export function isLimitedDevice(
  // TypeScript's Navigator has neither hint: they are not in every browser.
  hints: DeviceHints = navigator as DeviceHints,
  hasWorkers = "Worker" in globalThis,
): boolean {
  const hasLittleMemory = hints.deviceMemory !== undefined && hints.deviceMemory <= TOO_LITTLE_MEMORY_GB;
  return !hasWorkers || hasLittleMemory || hints.connection?.saveData === true;
}

/** `failed`: the file couldn't be loaded or drawn. `limited`: it wasn't tried, to spare the device. `missing`: there is none. */
type Status = "loading" | "shown" | "failed" | "limited" | "missing";

interface PartProps {
  certificate: FiledCertificate;
  status: Status;
  onStatus: (status: Status) => void;
}

/** The whole file, where it is a picture. */
function Picture({ certificate: { file, label }, onStatus }: PartProps) {
  const { t } = usePage();
  return (
    <img
      src={file}
      alt={t("site:cv.viewer.picture", { label })}
      draggable="false"
      onLoad={() => onStatus("shown")}
      onError={() => onStatus("failed")}
    />
  );
}

/** A PDF's first page, as soon as it is drawn. */
function FirstPage({
  certificate: { file, label },
  status,
  onStatus,
  draw,
}: PartProps & { draw: (request: DrawRequest) => Promise<void> }) {
  const { t } = usePage();
  const canvasRef = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = canvasRef.current;
    if (!canvas) return;
    const leaving = new AbortController();
    draw({ file, canvas, signal: leaving.signal }).then(
      () => !leaving.signal.aborted && onStatus("shown"),
      (error: unknown) => {
        if (leaving.signal.aborted) return;
        console.warn("The PDF could not be shown.", error);
        onStatus("failed");
      },
    );
    return () => leaving.abort();
  }, [file, draw, onStatus]);
  return (
    <canvas
      ref={canvasRef}
      role="img"
      aria-label={t("site:cv.viewer.firstPage", { label })}
      hidden={status !== "shown"}
    />
  );
}

function getFirstStatus(kind: FileKind, isLimited: boolean): Status {
  if (kind === "none") return "missing";
  if (kind === "other") return "failed";
  return kind === "pdf" && isLimited ? "limited" : "loading";
}

/** What stands there until the file is shown, or in its place. */
function StandIn({
  certificate,
  kind,
  isTried,
}: {
  certificate: Certificate;
  kind: FileKind;
  isTried: boolean;
}) {
  const { t } = usePage();
  if (!hasFile(certificate)) return <Medal />;
  const { label } = certificate;
  const alt = t(kind === "picture" ? "site:cv.viewer.picture" : "site:cv.viewer.firstPage", { label });
  return (
    <Thumbnail
      certificate={certificate}
      sizes="(width >= 60rem) 768px, 90vw"
      alt={isTried ? "" : alt}
      loading="eager"
    />
  );
}

interface CertificatePreviewProps {
  certificate: Certificate;
  isLimited?: boolean;
  draw?: (request: DrawRequest) => Promise<void>;
}

/**
 * What a certificate's file looks like: its small picture at once, and over it the picture itself or the PDF's first page.
 * Where that can't be had, the small picture stays and a note says why. Another certificate needs another instance (`key`).
 */
export function CertificatePreview({
  certificate,
  isLimited = isLimitedDevice(),
  draw = drawFirstPage,
}: CertificatePreviewProps) {
  const { t } = usePage();
  const kind = getFileKind(certificate.file);
  const [status, setStatus] = useState(() => getFirstStatus(kind, isLimited));
  const isTried = status === "loading" || status === "shown";
  const part = isTried && hasFile(certificate) && { certificate, status, onStatus: setStatus };
  return (
    <div className={`preview${isTried ? "" : " is-limited"}`} aria-busy={status === "loading"}>
      {status !== "shown" && <StandIn certificate={certificate} kind={kind} isTried={isTried} />}
      {part && kind === "picture" && <Picture {...part} />}
      {part && kind === "pdf" && <FirstPage {...part} draw={draw} />}
      <p className="preview-note" role="status">
        {status === "loading" && kind === "pdf" && t("site:cv.viewer.loading")}
        {status === "failed" && t("site:cv.viewer.failed")}
        {status === "limited" && t("site:cv.viewer.limited")}
        {status === "missing" && t("site:cv.viewer.missing")}
      </p>
    </div>
  );
}
