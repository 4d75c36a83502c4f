import type { Language } from "#contract/languages.ts";
import { buildResume } from "./build-resume.ts";
import type { Fault } from "./faults.ts";
import { type FileFacts, findFileKeys } from "./file-address.ts";
import type { CvState, Resume } from "./item.ts";
import type { JsonValue } from "./json.ts";
import { pickResume } from "./pick-resume.ts";
import { readResume } from "./read-resume.ts";
import { removeAt } from "./remove-at.ts";

/** Each round leaves out or moves what the one before uncovered; real states need two. */
const MAX_ROUNDS = 100;

const toPath = (fault: Fault) => fault.path;

/** Keys of stored files that the CV of a language may speak of: what `FileFacts` must cover. */
export function findExportedKeys(state: CvState, lang: Language): string[] {
  const files: FileFacts = { origin: undefined, mediaTypes: new Map() };
  return findFileKeys(JSON.stringify(buildResume(pickResume(state, lang), files)));
}

/**
 * The CV of a language as an import would read it. What the importer refuses is left out: the admin takes a year 3000,
 * an `extra` of any shape and an e-mail address that the official schema doesn't know. Reading and building go on until
 * neither changes anything: that is what makes export → import → export the same bytes, whatever the rows hold.
 */
export function toExportedResume(state: CvState, lang: Language, files: FileFacts): Resume {
  let document: JsonValue = buildResume(pickResume(state, lang), files);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { resume, faults } = readResume(document, files);
    const next: JsonValue =
      faults.length === 0 ? buildResume(resume, files) : removeAt(document, faults.map(toPath));
    if (faults.length === 0 && JSON.stringify(next) === JSON.stringify(document)) return resume;
    document = next;
  }
  throw new Error("the CV can't be written as a valid file");
}

/** A JSON Resume 1.x file of the CV in a language. */
export function toResume(state: CvState, lang: Language, files: FileFacts): string {
  return `${JSON.stringify(buildResume(toExportedResume(state, lang, files), files), null, 2)}\n`;
}
