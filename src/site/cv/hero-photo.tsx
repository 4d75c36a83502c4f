import { useEffect, useRef, useState } from "react";
import type { Cv } from "#contract/site/cv.ts";
import { usePage } from "../../ui/page-context.tsx";
import { toSrcSet } from "./src-set.ts";

/** The widths that hero.css gives the picture. */
const SIZES = "(width < 44rem) 128px, 192px";

/** The portrait. Until it is there, its place is held by a skeleton (hero.css), which then ends: a portrait may be see-through. */
export function HeroPhoto({ photo, photo_sizes, name }: Pick<Cv, "photo" | "photo_sizes" | "name">) {
  const { t } = usePage();
  const imageRef = useRef<HTMLImageElement>(null);
  const [isSettled, setIsSettled] = useState(false);
  const [hasCopies, setHasCopies] = useState(photo_sizes.length > 0);
  const settle = () => setIsSettled(true);
  // Where the server can't make a smaller copy, the picture itself is still there.
  const fail = () => (hasCopies ? setHasCopies(false) : settle());
  // Most often it came, or failed, before the page was hydrated, and nobody heard its event.
  useEffect(() => {
    const image = imageRef.current;
    if (!image?.complete) return;
    if (image.naturalWidth > 0) setIsSettled(true);
    else setHasCopies(false);
  }, []);
  if (!photo) return null;
  return (
    <div className={`hero-photo${isSettled ? " is-settled" : ""}`}>
      <img
        ref={imageRef}
        src={photo}
        srcSet={hasCopies ? toSrcSet(photo_sizes) : undefined}
        sizes={hasCopies ? SIZES : undefined}
        alt={t("site:cv.photoOf", { name })}
        width="192"
        height="192"
        fetchPriority="high"
        onLoad={settle}
        onError={fail}
      />
    </div>
  );
}
