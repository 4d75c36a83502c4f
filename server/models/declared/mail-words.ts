import enEmail from "#locales/en/admin-email.json" with { type: "json" };
import enTimeline from "#locales/en/admin-email-timeline.json" with { type: "json" };
import trEmail from "#locales/tr/admin-email.json" with { type: "json" };
import trTimeline from "#locales/tr/admin-email-timeline.json" with { type: "json" };
import type { Choice, Labels } from "../declare.ts";

type Files = [email: typeof enEmail, timeline: typeof enTimeline];

/** What the console's own screens call fields and values of mail, by groups. */
const toWords = ([{ emailLists, suppressions }, { emailTimeline }]: Files) => {
  const { fields, bounceTypes, feedbackTypes, verdicts, sources } = emailLists;
  const { scopes } = suppressions;
  const { kinds } = emailTimeline;
  return { fields, bounceTypes, feedbackTypes, verdicts, sources, scopes, kinds };
};
const EN = toWords([enEmail, enTimeline]);
const TR = toWords([trEmail, trTimeline]);
type Words = typeof EN;

/** The name that the screens have: one thing is called the same in the whole console. */
export function toMailLabels<Group extends keyof Words>(
  group: Group,
  name: keyof Words[Group] & string,
): Labels {
  return { en: String(EN[group][name]), tr: String(TR[group][name]) };
}

/** The same of all values of a field. */
export function toMailChoices<Group extends keyof Words>(
  group: Group,
  values: readonly (keyof Words[Group] & string)[],
): readonly Choice[] {
  return values.map((value) => ({ value, labels: toMailLabels(group, value) }));
}
