import { screen } from "@testing-library/react";
import type { ModelInfo } from "#contract/content/models.ts";
import { renderAdmin } from "../../test-admin.tsx";
import { buildField, buildModel } from "../test-model.ts";

const FIELDS = ["label", "issuer", "place", "note", "grade", "kind", "extra"].map((name) =>
  buildField({ name, verbose_name: `The ${name}` }),
);
/** Seven fields, of which five are columns. */
export const MODEL = buildModel({ fields: FIELDS, description: "Papers with a stamp.", count: 1234 });

export const ROWS = ["Ada", "Bob", "Cem", "Deniz"].map((label, at) => ({
  id: at + 1,
  repr: label,
  label,
  issuer: "ACME",
  extra: `e${at}`,
}));

interface ListSetup {
  address?: string;
  models?: ModelInfo[];
  rows?: readonly { id: number; repr: string }[];
  pagination?: object;
  /** What a list answers in place of rows. */
  refusal?: { status: number; message: string };
  lang?: "en" | "tr";
}

/** A list of four rows in the console; `calls` are the addresses asked for, `bodies` what was sent there. */
export async function openList(setup: ListSetup = {}) {
  const { rows = ROWS, refusal } = setup;
  const calls: URL[] = [];
  const bodies: unknown[] = [];
  const { router } = await renderAdmin({
    address: setup.address ?? "/admin/models/7",
    models: setup.models ?? [MODEL],
    lang: setup.lang ?? "en",
    server({ url, body }) {
      calls.push(url);
      if (body) bodies.push(body);
      if (refusal) return { status: refusal.status, body: { message: refusal.message } };
      const isExact = url.searchParams.get("count") === "exact";
      const counted = { total_count: rows.length, total_pages: 1, count_is_estimate: false };
      const pagination = { page: 1, page_size: 20, ...counted, ...(isExact ? {} : setup.pagination) };
      return { body: { objects: rows, pagination } };
    },
  });
  return {
    calls,
    bodies,
    router,
    query: () => new URLSearchParams(router.state.location.search),
    ready: () => screen.findByRole("link", { name: "Ada" }),
  };
}
