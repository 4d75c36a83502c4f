import { expect, test } from "@jest/globals";
import { fireEvent, screen } from "@testing-library/react";
import { HeroPhoto } from "./hero.tsx";
import { show } from "./test-page.tsx";

const SIZES = [{ src: "/pictures/a.jpg/192.webp", width: 192 }];

function open(photo_sizes = SIZES) {
  const { container } = show(<HeroPhoto photo="/files/a.jpg" photo_sizes={photo_sizes} name="Ada" />);
  const image = screen.getByRole("img", { name: "Photo of Ada" });
  return { image, isAwaited: () => container.querySelector(".hero-photo.is-settled") === null };
}

test("the skeleton ends when the picture is there", () => {
  const { image, isAwaited } = open();
  expect(isAwaited()).toBe(true);
  fireEvent.load(image);
  expect(isAwaited()).toBe(false);
});

test("a smaller copy that fails gives way to the picture itself, and that failing ends the skeleton", () => {
  const { image, isAwaited } = open();
  expect(image.getAttribute("srcset")).toBe("/pictures/a.jpg/192.webp 192w");
  fireEvent.error(image);
  expect(image.hasAttribute("srcset")).toBe(false);
  expect(image.getAttribute("src")).toBe("/files/a.jpg");
  expect(isAwaited()).toBe(true);
  fireEvent.error(image);
  expect(isAwaited()).toBe(false);
});

test("without copies the picture itself is asked for", () => {
  const { image } = open([]);
  expect(image.hasAttribute("srcset")).toBe(false);
  expect(image.hasAttribute("sizes")).toBe(false);
});
