import type { Cv } from "#contract/cv.ts";
import { PartialDate } from "./date-range.tsx";
import { toWebAddress } from "./web-address.ts";

type Certificate = Cv["certificates"][number];

const IMAGE = /\.(png|jpe?g|svg|webp|avif|gif)$/i;

/** The file's own picture, or a sheet of paper that names what kind of file it is. */
function Thumbnail({ file }: { file: string }) {
  if (IMAGE.test(file)) return <img src={file} alt="" loading="lazy" decoding="async" />;
  const extension = /\.(\w{2,4})$/.exec(file)?.[1];
  return <span className="certificate-sheet">{extension?.toUpperCase()}</span>;
}

function CertificateCard({ label, issuer, date, file, url }: Certificate) {
  const href = toWebAddress(file) ?? toWebAddress(url);
  const card = (
    <>
      {file && (
        <span className="certificate-picture">
          <Thumbnail file={file} />
        </span>
      )}
      <span className="certificate-label">{label}</span>
      <span className="certificate-source">
        {issuer}
        {issuer && date && " · "}
        {date && <PartialDate date={date} />}
      </span>
    </>
  );
  return href ? (
    <a className="certificate" href={href}>
      {card}
    </a>
  ) : (
    <div className="certificate">{card}</div>
  );
}

export function Certificates({ certificates }: { certificates: readonly Certificate[] }) {
  return (
    <ul className="certificates">
      {certificates.map((certificate) => (
        <li key={certificate.id}>
          <CertificateCard {...certificate} />
        </li>
      ))}
    </ul>
  );
}
