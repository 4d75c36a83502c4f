import { toSrcSet } from "../src-set.ts";
import type { FiledCertificate } from "./certificate.tsx";
import { getFileEnding } from "./file-kind.ts";

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
