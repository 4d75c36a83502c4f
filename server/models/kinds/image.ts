import type { FieldKind } from "../model.ts";
import { kind as file } from "./file.ts";

/** A stored file that is a picture. */
export const kind: FieldKind = {
  ...file,
  name: "image",
  wireType: "ImageField",
  control: "image",
  findFault: ({ accept = [] }) =>
    accept.every((type) => type.startsWith("image/")) ? undefined : "an image accepts pictures alone",
};
