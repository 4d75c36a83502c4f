import type { TFunction } from "i18next";
import type { FieldInfo } from "#contract/content/models.ts";
import { LIMITS } from "#contract/limits.ts";
import { buildField, OPERATORS_OF } from "./field.ts";

function buildNames(t: TFunction): FieldInfo[] {
  const text = { type: "CharField", control: "text", operators: OPERATORS_OF.text } as const;
  return [
    buildField({
      ...text,
      name: "username",
      verbose_name: t("users.fields.username"),
      help_text: t("users.help.username"),
      required: true,
      max_length: LIMITS.usernameMaxChars,
    }),
    buildField({
      ...text,
      name: "email",
      verbose_name: t("users.fields.email"),
      help_text: t("users.help.email"),
      type: "EmailField",
      control: "email",
      required: true,
      max_length: LIMITS.emailMaxChars,
    }),
    buildField({
      ...text,
      name: "first_name",
      verbose_name: t("users.fields.firstName"),
      max_length: LIMITS.personNameMaxChars,
    }),
    buildField({
      ...text,
      name: "last_name",
      verbose_name: t("users.fields.lastName"),
      max_length: LIMITS.personNameMaxChars,
    }),
  ];
}

function buildSwitches(t: TFunction): FieldInfo[] {
  const toggle = { type: "BooleanField", control: "switch", operators: OPERATORS_OF.switch } as const;
  return [
    buildField({
      ...toggle,
      name: "is_staff",
      verbose_name: t("users.fields.status"),
      help_text: t("users.help.status"),
      read_only: true,
    }),
    buildField({
      ...toggle,
      name: "is_active",
      verbose_name: t("users.fields.isActive"),
      help_text: t("users.help.isActive"),
    }),
    buildField({
      ...toggle,
      name: "is_email_verified",
      verbose_name: t("users.fields.isEmailVerified"),
      help_text: t("users.help.isEmailVerified"),
    }),
  ];
}

function buildMoments(t: TFunction): FieldInfo[] {
  const moment = {
    type: "DateTimeField",
    control: "datetime",
    operators: OPERATORS_OF.moment,
    read_only: true,
  } as const;
  return [
    buildField({ ...moment, name: "date_joined", verbose_name: t("users.fields.dateJoined") }),
    buildField({
      ...moment,
      name: "last_login",
      verbose_name: t("users.fields.lastLogin"),
      operators: [...OPERATORS_OF.moment, "isnull"],
    }),
  ];
}

/** The documented fields of a user in the order of the form; the level is chosen by name and travels as its number. */
export function buildUserFields(t: TFunction, levels: FieldInfo["choices"]): FieldInfo[] {
  const accessLevel = buildField({
    name: "access_level",
    verbose_name: t("users.fields.accessLevel"),
    help_text: t("users.help.accessLevel"),
    type: "IntegerField",
    control: "choice",
    required: true,
    operators: OPERATORS_OF.number,
    choices: [...levels],
  });
  return [...buildNames(t), accessLevel, ...buildSwitches(t), ...buildMoments(t)];
}
