import type { ImportFormat } from "#contract/site/cv-import.ts";
import type { Section } from "../resume/sections.ts";
import { LINKEDIN_KEYS } from "./linkedin.ts";

/** What the silence of a file means for one section of the CV. */
export interface FileScope {
  /**
   * Whether files of this format say everything of an item: what they are silent on isn't so. Else a silent field stays as it is, and
   * rows keep the order that they have.
   */
  isWhole: boolean;
  /** Whether rows that the file doesn't name are asked about. */
  isAsked: boolean;
  /** Columns that files of this format can fill: what an item is recognised by. */
  columns: ReadonlySet<string>;
}

/** Lists of which LinkedIn gives a part alone: of the links to profiles it knows one network. */
const PARTIAL_LISTS = ["basics.profiles"];

/** What files of a format can say of a section. JSON Resume has a place for all that a CV holds. */
export function findScope(format: ImportFormat, section: Section): FileScope {
  if (format === "json_resume")
    return { isWhole: true, isAsked: true, columns: new Set(section.fields.map(({ column }) => column)) };
  const list = section.listAt?.join(".") ?? "";
  const keys = LINKEDIN_KEYS.get(list);
  const fields = section.fields.filter(({ key }) => keys?.includes(key.join(".")));
  return {
    isWhole: false,
    isAsked: keys !== undefined && !PARTIAL_LISTS.includes(list),
    columns: new Set(fields.map(({ column }) => column)),
  };
}
