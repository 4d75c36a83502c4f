import { ERRORS, type ErrorCode, type FieldError } from "#contract/errors.ts";
import type { Language } from "#contract/languages.ts";
import contactEn from "#locales/en/contact.json" with { type: "json" };
import en from "#locales/en/errors.json" with { type: "json" };
import contactTr from "#locales/tr/contact.json" with { type: "json" };
import tr from "#locales/tr/errors.json" with { type: "json" };

/** The faults of the contact form stand in its own file, because its page says them too. */
const TEXTS: Record<Language, Record<string, string>> = {
  en: { ...en, ...contactEn.errors },
  tr: { ...tr, ...contactTr.errors },
};

/** Numbers and names that an error's text speaks of (`{{max}}`); words are given in both languages. */
export type ErrorVars = Record<string, string | number | Readonly<Record<Language, string>>>;

/** A fault in one field of a request, its text still to be chosen by language. */
export interface FieldFault {
  field: string;
  code: string;
  vars?: ErrorVars;
}

/** An expected failure: thrown anywhere, turned into the documented envelope in one place (`error-handler.ts`). */
export class AppError extends Error {
  override name = "AppError";
  readonly code: ErrorCode;
  readonly fields: readonly FieldFault[];
  readonly vars: ErrorVars;
  /** Seconds for `Retry-After`, where waiting helps. */
  readonly retryAfterS: number | undefined;
  /** What the envelope holds beside the documented names, where the contract says so. */
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    details: {
      fields?: readonly FieldFault[];
      vars?: ErrorVars;
      retryAfterS?: number;
      extra?: Readonly<Record<string, unknown>>;
      cause?: unknown;
    } = {},
  ) {
    super(code, { cause: details.cause });
    this.code = code;
    this.fields = details.fields ?? [];
    this.vars = details.vars ?? {};
    this.retryAfterS = details.retryAfterS;
    this.extra = details.extra ?? {};
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** The text of an error or field fault in a language; an unknown code falls back to the plain "invalid value". */
export function toErrorText(code: string, lang: Language, vars: ErrorVars = {}): string {
  const text = TEXTS[lang][code] ?? TEXTS[lang].invalid_value ?? code;
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = vars[name] ?? "";
    return typeof value === "object" ? value[lang] : String(value);
  });
}

/** Field faults with their texts. */
export function toFieldErrors(faults: readonly FieldFault[], lang: Language): FieldError[] {
  return faults.map((fault) => ({
    field: fault.field,
    code: fault.code,
    message: toErrorText(fault.code, lang, fault.vars),
  }));
}
