import { usePage } from "../../../ui/page-context.tsx";
import { Carousel } from "../carousel/carousel.tsx";
import type { Certificate } from "./certificate.tsx";
import { CertificateCard } from "./certificate-card.tsx";
import { CertificateDialog } from "./certificate-dialog.tsx";
import { useOpenCertificate } from "./use-open-certificate.ts";

/** Certificates, two or one a slide, and the dialog that shows one with its file. */
export function Certificates({ certificates }: { certificates: readonly Certificate[] }) {
  const { t } = usePage();
  const { index, open, move, close } = useOpenCertificate(certificates);
  return (
    <>
      <Carousel title={t("site:cv.certificates")} perSlide={{ wide: 2, narrow: 1 }}>
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
