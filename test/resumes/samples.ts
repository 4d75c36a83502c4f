import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const PACKAGE = dirname(createRequire(import.meta.url).resolve("@jsonresume/schema/package.json"));
const HERE = import.meta.dirname;

/** Valid JSON Resume files by name, as absolute paths: the public ones of the schema's own package, and ours. */
export const RESUMES = {
  sample: join(PACKAGE, "sample.resume.json"),
  careerChanger: join(PACKAGE, "examples", "career-changer.resume.json"),
  newGrad: join(PACKAGE, "examples", "new-grad.resume.json"),
  seniorEngineer: join(PACKAGE, "examples", "senior-engineer.resume.json"),
  olderKeys: join(HERE, "older-keys.json"),
  researcher: join(HERE, "researcher.json"),
  everything: join(HERE, "everything.json"),
  oddShapes: join(HERE, "odd-shapes.json"),
  minimal: join(HERE, "minimal.json"),
  engineerEn: join(HERE, "engineer.en.json"),
  engineerTr: join(HERE, "engineer.tr.json"),
} as const;

/** Files that an import must refuse. */
export const INVALID_RESUMES = {
  trailingComma: join(HERE, "invalid", "trailing-comma.txt"),
  manyFaults: join(HERE, "invalid", "many-faults.json"),
} as const;
