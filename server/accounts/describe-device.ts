import Bowser from "bowser";

/** Browser and system as the browser named them: "Firefox · Windows". Empty where it named none. */
export function describeDevice(userAgent: string | null): string {
  if (!userAgent) return "";
  const { browser, os } = Bowser.parse(userAgent);
  return [browser.name, os.name].filter(Boolean).join(" · ");
}
