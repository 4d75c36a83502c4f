import { PartialDate } from "../date-range.tsx";
import type { Certificate } from "./certificate.tsx";

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
