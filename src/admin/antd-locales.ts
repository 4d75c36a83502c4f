import type { ConfigProviderProps } from "antd";
import enUS from "antd/locale/en_US.js";
import trTR from "antd/locale/tr_TR.js";
import type { Language } from "#contract/languages.ts";

type Locale = NonNullable<ConfigProviderProps["locale"]>;

/** These files are CommonJS: whether the default import is the locale or the module around it differs by loader. */
function unwrap(module: Locale | { default: Locale }): Locale {
  return "default" in module ? module.default : module;
}

export const ANTD_LOCALES: Readonly<Record<Language, Locale>> = { en: unwrap(enUS), tr: unwrap(trTR) };
