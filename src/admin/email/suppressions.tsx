import { useTranslation } from "react-i18next";
import { FORGOTTEN_MARK } from "#contract/mail-suppressions.ts";
import { EmailText } from "../parts/email-text.tsx";
import type { RowCells } from "../views/list/columns/columns.ts";

/** Enough of a hash to tell two rows apart. */
const HASH_CHARS_SHOWN = 9;

/** The address, or that it was a deleted account's, which nobody can read any more. */
function AddressCell({ value }: { value: unknown }) {
  const { t } = useTranslation();
  const address = typeof value === "string" ? value : "";
  if (!address.startsWith(FORGOTTEN_MARK)) return <EmailText email={address} />;
  const mark = address.slice(0, HASH_CHARS_SHOWN);
  return <span title={t("suppressions.forgotten.help")}>{t("suppressions.forgotten.label", { mark })}</span>;
}

export const SUPPRESSION_CELLS: RowCells = { address: AddressCell };
