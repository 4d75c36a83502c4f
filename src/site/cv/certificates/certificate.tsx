import type { Cv } from "#contract/site/cv.ts";
import { toWebAddress } from "../../../ui/links.tsx";

export type Certificate = Cv["certificates"][number];

/** A certificate that the dialog can draw. */
export type FiledCertificate = Certificate & { file: string };

export function hasFile(certificate: Certificate): certificate is FiledCertificate {
  return certificate.file !== null;
}

/** Where a certificate can be seen whole: its file, else its page on the web. */
export function getDocument({ file, url }: Certificate): string | null {
  return file ?? toWebAddress(url);
}

/** The `id` of a certificate's card, and the part after `#` of the address at which its dialog is open. */
export function toCardId(id: number): string {
  return `certificate-${id}`;
}
