import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { MemoryRouter, useLocation } from "react-router";
import { setUpDrawnUser } from "#test/drawn-user.ts";
import { toRequest } from "../../head/test-request.ts";
import { texts } from "../../public-texts-en.ts";
import { PageContext } from "../../ui/page-context.tsx";
import { toPage } from "../../ui/site-layout.tsx";
import type { FiledCertificate } from "./certificates/certificate.tsx";

const REQUEST = toRequest("not-found", { path: "/cv" });

function Address({ onAddress }: { onAddress: (address: string) => void }) {
  const { pathname, search, hash } = useLocation();
  onAddress(pathname + search + hash);
  return null;
}

/** Draws parts of the CV as on a page. `entries` are the browser's history, the last one its present address. */
export function show(parts: ReactNode, entries: string[] = ["/cv"]) {
  // jsdom has no modal dialogs; `open` is what tests see of one.
  HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
    this.open = true;
  };
  let address = "";
  const drawn = render(
    <MemoryRouter initialEntries={entries}>
      <PageContext value={toPage(REQUEST, texts)}>{parts}</PageContext>
      <Address
        onAddress={(now) => {
          address = now;
        }}
      />
    </MemoryRouter>,
  );
  return { ...drawn, user: setUpDrawnUser(), getAddress: () => address };
}

/** Certificates 1, 2, 3 … with files of the given endings. */
export function makeCertificates(...endings: string[]): FiledCertificate[] {
  return endings.map((ending, index) => {
    const id = index + 1;
    const file = `/files/${id}.${ending}`;
    const thumbnails = [192, 384].map((width) => ({ src: `/pictures/${id}.${ending}/${width}.webp`, width }));
    return {
      id,
      label: `Certificate ${id}`,
      issuer: "Academy",
      date: "2024-11",
      file,
      thumbnails,
      url: null,
    };
  });
}
