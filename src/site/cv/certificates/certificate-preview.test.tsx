import { describe, expect, jest, test } from "@jest/globals";
import { act, fireEvent, screen } from "@testing-library/react";
import { makeCertificates, show } from "../test-page.tsx";
import type { Certificate, FiledCertificate } from "./certificate.tsx";
import { CertificatePreview, isLimitedDevice } from "./certificate-preview.tsx";
import type { DrawRequest } from "./pdf-first-page.ts";

describe("certificate preview", () => {
  const [PNG, PDF, ODD] = makeCertificates("png", "pdf", "odt") as [
    FiledCertificate,
    FiledCertificate,
    FiledCertificate,
  ];
  const FAILED = /^The preview is limited: the document could not be shown here/;
  const LIMITED = /^The preview is limited on this device/;

  /** A drawing that ends when the test says so. */
  function open(certificate: FiledCertificate, isLimited = false) {
    const drawing = Promise.withResolvers<void>();
    const draw = jest.fn((_request: DrawRequest) => drawing.promise);
    const page = show(<CertificatePreview certificate={certificate} isLimited={isLimited} draw={draw} />);
    return {
      ...page,
      draw,
      finish: () => act(async () => drawing.resolve()),
      fail: () => act(async () => drawing.reject(new Error("worker missing"))),
      getThumbnail: () => page.container.querySelector('img[src^="/pictures/"]'),
      getNote: () => screen.getByRole("status").textContent,
    };
  }

  test("a picture covers its small copy as soon as it is there", () => {
    const { draw, getThumbnail, getNote } = open(PNG);
    const picture = screen.getByRole("img", { name: "Certificate: Certificate 1" });
    expect(picture.getAttribute("src")).toBe("/files/1.png");
    expect(getThumbnail()).not.toBeNull();
    fireEvent.load(picture);
    expect(getThumbnail()).toBeNull();
    expect(getNote()).toBe("");
    expect(draw).not.toHaveBeenCalled();
  });

  test("a picture that can't be loaded leaves its small copy and a note", () => {
    const { getThumbnail, getNote } = open(PNG);
    fireEvent.error(screen.getByRole("img", { name: "Certificate: Certificate 1" }));
    expect(getThumbnail()).not.toBeNull();
    expect(getNote()).toMatch(FAILED);
  });

  test("a PDF says that it is loading, over its small picture, until its first page is drawn", async () => {
    const { finish, getThumbnail, getNote } = open(PDF);
    expect(getNote()).toBe("Loading the document…");
    expect(getThumbnail()?.getAttribute("srcset")).toContain("/pictures/2.pdf/384.webp 384w");
    expect(screen.queryByRole("img", { name: /First page/ })).toBeNull();
    await finish();
    expect(screen.getByRole("img", { name: "First page of the certificate: Certificate 2" }).tagName).toBe(
      "CANVAS",
    );
    expect(getThumbnail()).toBeNull();
    expect(getNote()).toBe("");
  });

  test("a PDF that can't be drawn leaves its small picture and a note", async () => {
    const warn = jest.spyOn(console, "warn").mockReturnValue();
    const { fail, getThumbnail, getNote } = open(PDF);
    await fail();
    expect(getThumbnail()?.getAttribute("alt")).toBe("First page of the certificate: Certificate 2");
    expect(getNote()).toMatch(FAILED);
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });

  test("on a limited device a PDF isn't tried", () => {
    const { draw, getThumbnail, getNote } = open(PDF, true);
    expect(draw).not.toHaveBeenCalled();
    expect(getThumbnail()).not.toBeNull();
    expect(getNote()).toMatch(LIMITED);
  });

  test("on a limited device a picture is shown all the same", () => {
    open(PNG, true);
    expect(screen.getByRole("img", { name: "Certificate: Certificate 1" })).toBeTruthy();
  });

  test("a kind of file that no page can show has the note at once", () => {
    expect(open(ODD).getNote()).toMatch(FAILED);
  });

  test("leaving ends the drawing, and its failure then is no news", async () => {
    const warn = jest.spyOn(console, "warn").mockReturnValue();
    const { draw, fail, unmount } = open(PDF);
    unmount();
    expect(draw.mock.calls[0]?.[0].signal.aborted).toBe(true);
    await fail();
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  test("without a file there is a drawing and a note at once, and nothing is tried", () => {
    const page = show(
      <CertificatePreview certificate={{ ...PNG, file: null, thumbnails: [] } as Certificate} />,
    );
    expect(screen.getByRole("status").textContent).toBe("There is no file of this certificate here.");
    expect(page.container.querySelector("svg")).not.toBeNull();
    expect(page.container.querySelector("img, canvas")).toBeNull();
  });
});

describe("limited device", () => {
  test.each([
    ["2 GB of memory", { deviceMemory: 2 }, true, true],
    ["4 GB of memory", { deviceMemory: 4 }, true, false],
    ["a wish to save data", { deviceMemory: 8, connection: { saveData: true } }, true, true],
    ["no such wish", { connection: { saveData: false } }, true, false],
    ["no workers", { deviceMemory: 8 }, false, true],
    ["no hints at all", {}, true, false],
  ])("a device with %s", (_what, hints, hasWorkers, isLimited) => {
    expect(isLimitedDevice(hints, hasWorkers)).toBe(isLimited);
  });
});
