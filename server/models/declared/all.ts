import type { ModelDeclaration } from "../declare.ts";
import { accessLevel } from "./access-level.ts";
import { auditEntry } from "./audit-entry.ts";
import { certificate } from "./certificate.ts";
import { confidence } from "./confidence.ts";
import { contactMessage } from "./contact-message.ts";
import { education } from "./education.ts";
import { experience } from "./experience.ts";
import { link } from "./link.ts";
import { mailAlarm } from "./mail-alarm.ts";
import { mailBounce } from "./mail-bounce.ts";
import { mailComplaint } from "./mail-complaint.ts";
import { mailEvent } from "./mail-event.ts";
import { mailMessage } from "./mail-message.ts";
import { mailRules } from "./mail-rules.ts";
import { mailSuppression } from "./mail-suppression.ts";
import { profile } from "./profile.ts";
import { sitePage } from "./site-page.ts";
import { siteSettings } from "./site-settings.ts";
import { storedFile } from "./stored-file.ts";
import { user } from "./user.ts";
import { voiceReport } from "./voice-report.ts";
import { voiceRestriction } from "./voice-restriction.ts";
import { voiceRoom } from "./voice-room.ts";

/** Every content model of the product, in the order that the console shows. */
export const DECLARED: readonly ModelDeclaration[] = [
  profile,
  experience,
  education,
  confidence,
  certificate,
  link,
  siteSettings,
  sitePage,
  contactMessage,
  mailMessage,
  mailEvent,
  mailBounce,
  mailComplaint,
  mailSuppression,
  mailAlarm,
  mailRules,
  storedFile,
  voiceRoom,
  voiceRestriction,
  voiceReport,
  user,
  accessLevel,
  auditEntry,
];
