import { expect, test } from "@jest/globals";
import { findForeignFormat, nameFormats } from "./file-formats.ts";

test("accepted types are named in words of the language", () => {
  const types = ["image/png", "image/jpeg", "application/pdf"];
  expect(nameFormats(types, "en")).toBe("PNG, JPEG, or PDF");
  expect(nameFormats(types, "tr")).toBe("PNG, JPEG veya PDF");
});

test.each([
  [{ type: "image/heic" }, "HEIC"],
  [{ type: "", name: "IMG_0001.HEIC" }, "HEIC"],
  [{ name: "scan.tiff" }, "TIFF"],
  [{ type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document" }, "Word"],
  [{ type: "video/quicktime", name: "film.mov" }, "MP4"],
  [{ name: "photo.jpg" }, undefined],
  [{ name: "no ending" }, undefined],
])("%j is %s", (file, format) => {
  expect(findForeignFormat(file)).toBe(format);
});
