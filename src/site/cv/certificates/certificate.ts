import type { Cv } from "#contract/cv.ts";

export type Certificate = Cv["certificates"][number];

/** A certificate that the dialog can show. */
export type FiledCertificate = Certificate & { file: string };

export function hasFile(certificate: Certificate): certificate is FiledCertificate {
  return certificate.file !== null;
}

/** The `id` of a certificate's card, and the part after `#` of the address at which its dialog is open. */
export function toCardId(id: number): string {
  return `certificate-${id}`;
}
