import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import { act, cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import type { ContactDraft } from "#contract/site/contact.ts";
import type { PageRequest } from "#contract/site/pages.ts";
import { HttpError } from "#providers/http/http.ts";
import { setUpDrawnUser } from "#test/drawn-user.ts";
import { SITE_INFO } from "#test/site-info.ts";
import { toRequest } from "../../head/test-request.ts";
import { texts as en } from "../../public-texts-en.ts";
import { texts as tr } from "../../public-texts-tr.ts";
import { PublicApp, toPage } from "../../ui/site-layout.tsx";
import { ContactPage } from "./contact-page.tsx";
import type { ContactSender } from "./contact-sender.ts";

const VALUES = { name: "Ada", email: "ada@example.org", subject: "Hello", message: "A message." };
const DRAFT: ContactDraft = { values: VALUES, errors: {}, error: null, challenge: null, isSent: false };
const SENT = { success: true, error: null, details: null };

const prepare = jest.fn<ContactSender["prepare"]>();
const send = jest.fn<ContactSender["send"]>();
let canWork = true;

beforeEach(() => {
  prepare.mockReset();
  send.mockReset();
  send.mockResolvedValue(SENT);
  canWork = true;
  sessionStorage.clear();
});

const REQUEST = toRequest("contact", { prefix: "/en" });

type Fill = Partial<typeof VALUES>;

function open({ draft = null, ...request }: Partial<PageRequest> & { draft?: ContactDraft | null } = {}) {
  const page = { ...REQUEST, ...request };
  const services = { getSender: () => ({ prepare, send }), canWork: () => canWork };
  render(
    <MemoryRouter basename={page.prefix} initialEntries={[`${page.prefix}/contact`]}>
      <PublicApp
        page={toPage(page, page.lang === "tr" ? tr : en)}
        screen={<ContactPage draft={draft} services={services} />}
      />
    </MemoryRouter>,
  );
  const user = setUpDrawnUser();
  const form = document.querySelector("form");
  const fields = {
    name: screen.queryByLabelText<HTMLInputElement>(/^(Name|Ad)$/),
    email: screen.queryByRole<HTMLInputElement>("textbox", { name: /^(Email|E-posta)$/ }),
    subject: screen.queryByLabelText<HTMLInputElement>(/^(Subject|Konu)$/),
    message: screen.queryByLabelText<HTMLTextAreaElement>(/^(Message|Mesaj)$/),
  };
  const get = (field: keyof Fill) => {
    const found = fields[field];
    if (!found) throw new Error(`the page has no field ${field}`);
    return found;
  };
  /** As pasting does: at once. */
  const type = (values: Fill) => {
    for (const [field, value] of Object.entries(values))
      fireEvent.input(get(field as keyof Fill), { target: { value } });
  };
  const readForm = () =>
    Object.fromEntries((Object.keys(VALUES) as (keyof Fill)[]).map((f) => [f, get(f).value]));
  const getButton = () =>
    screen.getByRole<HTMLButtonElement>("button", { name: /Send|Sending|gönder|Gönder/ });
  return { user, form, get, type, readForm, getButton };
}

const errorOf = (field: HTMLElement) => {
  const ids = field.getAttribute("aria-describedby")?.split(" ") ?? [];
  const error = ids
    .map((id) => document.getElementById(id))
    .find((part) => part?.className === "field-error");
  return error?.textContent ?? null;
};

describe("a field that is left", () => {
  test.each([
    ["name", "", "Name is required", "Ad gerekli"],
    ["name", "   ", "Name is required", "Ad gerekli"],
    ["name", " A ", "Name must be at least 2 characters", "Ad en az 2 karakter olmalı"],
    ["name", "x".repeat(101), "Name must be at most 100 characters", "Ad en fazla 100 karakter olabilir"],
    ["email", "", "Email is required", "E-posta gerekli"],
    ["email", "ada@example", "Please enter a valid email address", "Lütfen geçerli bir e-posta adresi girin"],
    ["subject", "", "Subject is required", "Konu gerekli"],
    ["subject", "Hey! ", "Subject must be at least 5 characters", "Konu en az 5 karakter olmalı"],
    [
      "subject",
      "x".repeat(201),
      "Subject must be at most 200 characters",
      "Konu en fazla 200 karakter olabilir",
    ],
    ["message", "\n", "Message is required", "Mesaj gerekli"],
    ["message", "123456789 ", "Message must be at least 10 characters", "Mesaj en az 10 karakter olmalı"],
    [
      "message",
      "x".repeat(501),
      "Message must be less than 500 characters",
      "Mesaj en fazla 500 karakter olabilir",
    ],
  ] as const)("%s with %j says what is wrong, tied to it", (field, value, english, turkish) => {
    for (const [lang, text] of [
      ["en", english],
      ["tr", turkish],
    ] as const) {
      const { get, type } = open({ lang });
      type({ [field]: value });
      expect(errorOf(get(field))).toBeNull();
      fireEvent.blur(get(field));
      expect(errorOf(get(field))).toBe(text);
      expect(get(field).getAttribute("aria-invalid")).toBe("true");
      cleanup();
    }
  });

  test.each([
    ["name", "Al"],
    ["email", " ışıl@örnek.com.tr "],
    ["subject", "12345"],
    ["message", "x".repeat(500)],
    ["message", "1234567890"],
  ] as const)("%s with %j has nothing to say", (field, value) => {
    const { get, type } = open();
    type({ [field]: value });
    fireEvent.blur(get(field));
    expect(errorOf(get(field))).toBeNull();
  });

  test("loses its message as soon as the text is right, not before", () => {
    const { get, type } = open();
    fireEvent.blur(get("name"));
    type({ name: "A" });
    expect(errorOf(get("name"))).toBe("Name must be at least 2 characters");
    type({ name: "Al" });
    expect(errorOf(get("name"))).toBeNull();
    expect(get("name").getAttribute("aria-invalid")).toBeNull();
  });
});

describe("the counter", () => {
  test.each([
    ["", "0/500", ""],
    [" a b ", "3/500", ""],
    ["👋👋", "2/500", ""],
    ["x".repeat(400), "400/500", ""],
    ["x".repeat(401), "401/500", "Close to the limit"],
    ["x".repeat(500), "500/500", "Close to the limit"],
    ["x".repeat(501), "501/500", "Over the limit"],
  ])("after %j reads %s, and says %j", (message, number, words) => {
    const { get, type } = open();
    type({ message });
    const counter = screen.getByText(number).parentElement as HTMLElement; // the number stands in it
    expect(within(counter).getByRole("status").textContent).toBe(words);
    expect(counter.dataset.level).toBe(
      { "Close to the limit": "near", "Over the limit": "over" }[words] as string | undefined,
    );
    expect(get("message").getAttribute("aria-describedby")).toContain(counter.parentElement?.id);
  });
});

describe("the button", () => {
  test.each<[Fill, boolean]>([
    [{}, true],
    [{ ...VALUES, name: " " }, true],
    [{ ...VALUES, email: "" }, true],
    [{ ...VALUES, subject: "" }, true],
    [{ ...VALUES, message: "\n " }, true],
    [VALUES, false],
    // Not left yet: no message stands there, so it may be tried.
    [{ ...VALUES, email: "ada" }, false],
  ])("with %j is disabled: %j", (values, isDisabled) => {
    const { type, getButton } = open();
    type(values);
    expect(getButton().disabled).toBe(isDisabled);
  });

  test("is disabled while a message stands at a field", () => {
    const { type, get, getButton } = open();
    type({ ...VALUES, subject: "Hey" });
    fireEvent.blur(get("subject"));
    expect(getButton().disabled).toBe(true);
    type({ subject: "Hello" });
    expect(getButton().disabled).toBe(false);
  });

  test("checks every field first, goes to the first wrong one, and sends nothing", async () => {
    const { type, get, getButton, user } = open();
    type({ name: "Ada", email: "ada", subject: "Hey", message: "Short" });
    await user.click(getButton());
    expect(send).not.toHaveBeenCalled();
    expect([get("email"), get("subject"), get("message")].map(errorOf)).toEqual([
      "Please enter a valid email address",
      "Subject must be at least 5 characters",
      "Message must be at least 10 characters",
    ]);
    expect(document.activeElement).toBe(get("email"));
  });

  test("says that the message is on its way, and sends it once", async () => {
    send.mockReturnValue(new Promise(() => {}));
    const { form, type, get, getButton, user } = open();
    type(VALUES);
    await user.dblClick(getButton());
    if (form) fireEvent.submit(form);
    expect(getButton().disabled).toBe(true);
    expect(getButton().textContent).toBe("Sending…");
    expect(send).toHaveBeenCalledTimes(1);
    expect(get("message").readOnly).toBe(true);
  });
});

test("what is sent is trimmed", async () => {
  const { type, getButton, user } = open();
  type({ ...VALUES, name: "  Ada \t L. ", message: "\n A message. \n" });
  await user.click(getButton());
  expect(send.mock.calls).toEqual([[{ ...VALUES, name: "Ada L." }, ""]]);
});

describe("success", () => {
  test.each([
    ["en", "Message sent successfully! I'll get back to you soon."],
    ["tr", "Mesajınız gönderildi! En kısa sürede size dönüş yapacağım."],
  ] as const)("in %s is shown; form, counter and errors are empty", async (lang, text) => {
    const { type, get, getButton, user, readForm } = open({ lang });
    type(VALUES);
    await user.click(getButton());
    expect(screen.getByText(text).closest("[role]")?.getAttribute("role")).toBe("status");
    expect(readForm()).toEqual({ name: "", email: "", subject: "", message: "" });
    expect(screen.getByText("0/500")).toBeTruthy();
    expect(getButton().disabled).toBe(true);
    expect(Object.keys(VALUES).map((field) => errorOf(get(field as keyof Fill)))).toEqual(
      Array(4).fill(null),
    );
  });

  test("leaves no fault at the field that the person was in", async () => {
    const { type, get, user } = open();
    type(VALUES);
    await user.type(get("subject"), "{Enter}");
    expect(send).toHaveBeenCalledTimes(1);
    await user.click(screen.getByRole("heading", { level: 1 }));
    expect(errorOf(get("subject"))).toBeNull();
    await user.click(get("subject"));
    await user.tab();
    expect(errorOf(get("subject"))).toBe("Subject is required");
  });

  test("is forgotten by the browser too", async () => {
    const { type, getButton, user } = open();
    type(VALUES);
    expect(sessionStorage).toHaveLength(1);
    await user.click(getButton());
    expect(sessionStorage).toHaveLength(0);
  });

  test("the owner's thanks stand in place of the product's", () => {
    open({ draft: { ...DRAFT, isSent: true }, site: { ...SITE_INFO, words: { thanks: "Got it." } } });
    expect(screen.getByRole("status").textContent).toBe("Got it.");
  });
});

describe("a failure is shown and keeps everything:", () => {
  const refuse = (message: string, code: string, status: number) => new HttpError(message, code, status);
  test.each<[string, () => void, string]>([
    ["error", () => send.mockResolvedValue({ success: false, error: "E", details: "D" }), "E"],
    ["details", () => send.mockResolvedValue({ success: false, error: "", details: "D" }), "D"],
    ["neither", () => send.mockResolvedValue({ success: false }), "Failed to send message"],
    ["a refusal", () => send.mockRejectedValue(refuse("Too many", "too_many_messages", 429)), "Too many"],
    [
      "no connection",
      () => send.mockRejectedValue(refuse("Failed to fetch", "network_error", 500)),
      "Sorry, there was an error sending your message. Please try again.",
    ],
    [
      "a failure without words",
      () => send.mockRejectedValue(refuse("Unknown error occurred", "unknown", 502)),
      "Sorry, there was an error sending your message. Please try again.",
    ],
    [
      "an answer that nobody understands",
      () => send.mockRejectedValue(refuse("Unknown error occurred", "unexpected_answer", 500)),
      "An error occurred. Please try again.",
    ],
  ])("%s", async (_what, prepareAnswer, text) => {
    prepareAnswer();
    const { type, getButton, user, readForm } = open();
    type(VALUES);
    await user.click(getButton());
    expect(screen.getByText(text).closest("[role]")?.getAttribute("role")).toBe("alert");
    expect(readForm()).toEqual(VALUES);
    expect(getButton().disabled).toBe(false);
    expect(getButton().textContent).toBe("Send message");
    expect(document.activeElement).toBe(getButton());
    send.mockResolvedValue(SENT);
    await user.click(getButton());
    expect(screen.queryByText(text)).toBeNull();
    expect(readForm()).toMatchObject({ message: "" });
  });

  test("a fault in the page itself is shown, and logged", async () => {
    const log = jest.spyOn(console, "error").mockImplementation(() => {});
    send.mockRejectedValue(new TypeError("x is undefined"));
    const { type, getButton, user } = open();
    type(VALUES);
    await user.click(getButton());
    expect(screen.getByRole("alert").textContent).toContain("An error occurred. Please try again.");
    expect(log).toHaveBeenCalled();
    log.mockRestore();
  });

  test("what the server says of a field stands there and has the focus", async () => {
    const errors = [
      { field: "email", code: "x", message: "Nobody lives there" },
      { field: "captcha", code: "x", message: "Unknown" },
    ];
    send.mockRejectedValue(new HttpError("Validation failed", "validation_failed", 400, errors));
    const { type, get, getButton, user } = open();
    type(VALUES);
    await user.click(getButton());
    expect(errorOf(get("email"))).toBe("Nobody lives there");
    expect(document.activeElement).toBe(get("email"));
    expect(getButton().disabled).toBe(true);
    type({ email: "ada@example.com" });
    expect(getButton().disabled).toBe(false);
  });

  test("a trap that something filled in is sent, and emptied for the next attempt", async () => {
    send.mockRejectedValueOnce(refuse("Trapped", "contact_trap_filled", 400));
    const { form, type, getButton, user } = open();
    const trap = form?.elements.namedItem("website") as HTMLInputElement; // the form has one
    type(VALUES);
    fireEvent.input(trap, { target: { value: "https://spam.test" } });
    await user.click(getButton());
    await user.click(getButton());
    expect(send.mock.calls.map(([, value]) => value)).toEqual(["https://spam.test", ""]);
  });
});

test("the toast goes when it is clicked", async () => {
  const { type, getButton, user } = open();
  type(VALUES);
  await user.click(getButton());
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByText(/Message sent/)).toBeNull();
});

describe("the work", () => {
  test("begins at the first touch, by focus or by typing", async () => {
    const { user, get } = open();
    expect(prepare).not.toHaveBeenCalled();
    await user.click(get("name"));
    expect(prepare).toHaveBeenCalled();
    prepare.mockReset();
    fireEvent.input(get("message"), { target: { value: "x" } });
    expect(prepare).toHaveBeenCalled();
  });

  test("doesn't begin when the form itself has the focus, as after sending", () => {
    const { form } = open();
    form?.focus();
    expect(document.activeElement).toBe(form);
    expect(prepare).not.toHaveBeenCalled();
  });

  test("where it can't be done, a right form is posted natively and a wrong one is not", () => {
    canWork = false;
    const { form, type, get } = open();
    if (!form) throw new Error("no form");
    type({ ...VALUES, subject: "Hey" });
    // `fireEvent` answers false when the default was prevented; jsdom can't post.
    const post = () => {
      let isPosted = false;
      const listen = (event: Event) => {
        isPosted = !event.defaultPrevented;
        event.preventDefault();
      };
      window.addEventListener("submit", listen);
      fireEvent.submit(form);
      window.removeEventListener("submit", listen);
      return isPosted;
    };
    expect(post()).toBe(false);
    expect(errorOf(get("subject"))).toBe("Subject must be at least 5 characters");
    type({ subject: "Hello" });
    expect(post()).toBe(true);
    expect([form.method, form.getAttribute("action")]).toEqual(["post", "/en/contact"]);
    expect(prepare).not.toHaveBeenCalled();
    expect(send).not.toHaveBeenCalled();
  });
});

describe("typed text", () => {
  test("comes back after a reload, in either language", () => {
    open().type(VALUES);
    cleanup();
    const { readForm, getButton } = open({ lang: "tr", prefix: "/tr" });
    expect(readForm()).toEqual(VALUES);
    expect(getButton().disabled).toBe(false);
    expect(screen.getByText("10/500")).toBeTruthy();
  });

  test("does not replace what a post left in the form", () => {
    open().type(VALUES);
    cleanup();
    const { readForm } = open({ draft: { ...DRAFT, values: { ...VALUES, subject: "Another" } } });
    expect(readForm()).toEqual({ ...VALUES, subject: "Another" });
  });

  test.each(["{", "null", '"text"', '{"name":5}'])("%s in the storage is nothing", (stored) => {
    sessionStorage.setItem("contact-text", stored);
    expect(open().readForm()).toEqual({ name: "", email: "", subject: "", message: "" });
  });

  test("that the browser brought back by itself counts", () => {
    const { get, getButton } = open();
    for (const [field, value] of Object.entries(VALUES)) get(field as keyof Fill).value = value;
    expect(getButton().disabled).toBe(true);
    act(() => void window.dispatchEvent(new Event("pageshow")));
    expect(getButton().disabled).toBe(false);
  });
});

describe("after a post without scripts", () => {
  test("faults stand at their fields, with a word above, until the text is right", () => {
    const { type, get, getButton } = open({
      draft: { ...DRAFT, values: { ...VALUES, subject: "Hey" }, errors: { subject: "Too short for us" } },
    });
    expect(errorOf(get("subject"))).toBe("Too short for us");
    expect(get("subject").value).toBe("Hey");
    const words = "Nothing has been sent yet. Please correct the marked fields.";
    expect(screen.getByText(words)).toBeTruthy();
    expect(getButton().disabled).toBe(true);
    type({ subject: "Hello" });
    expect(screen.queryByText(words)).toBeNull();
    expect(getButton().disabled).toBe(false);
  });

  test("a refusal stands above the form until something is sent from it", async () => {
    const { user, getButton } = open({ draft: { ...DRAFT, error: "Refused" } });
    expect(screen.getByText("Refused")).toBeTruthy();
    await user.click(getButton());
    await user.click(screen.getByRole("button", { name: "Close" }));
    expect(screen.queryByText("Refused")).toBeNull();
  });

  test("the message is shown as it will be sent, to be confirmed or changed", () => {
    const { form } = open({ draft: { ...DRAFT, challenge: "confirm.x" } });
    if (!form) throw new Error("no form");
    expect(screen.getByRole("heading", { name: "Check your message" })).toBeTruthy();
    for (const value of Object.values(VALUES)) expect(within(form).getByText(value)).toBeTruthy();
    expect(Object.fromEntries(new FormData(form))).toEqual({
      ...VALUES,
      challenge: "confirm.x",
      website: "",
    });
    expect([form.method, form.getAttribute("action")]).toEqual(["post", "/en/contact"]);
    const buttons = within(form).getAllByRole<HTMLButtonElement>("button");
    expect(
      buttons.map(({ textContent, name, value, disabled }) => [textContent, name, value, disabled]),
    ).toEqual([
      ["Send this message", "action", "send", false],
      ["Change it", "action", "change", false],
    ]);
  });

  test("why it could not be confirmed is said, and it can be tried again", () => {
    open({ draft: { ...DRAFT, challenge: "confirm.x", error: "That was very quick." } });
    expect(screen.getByRole("alert").textContent).toBe("That was very quick.");
    expect(screen.getByRole("button", { name: "Send this message" })).toBeTruthy();
  });

  test("a stored message is shown, and the browser forgets the text", () => {
    open().type(VALUES);
    cleanup();
    open({ draft: { ...DRAFT, isSent: true } });
    expect(screen.getByRole("status").textContent).toBe(
      "Message sent successfully! I'll get back to you soon.",
    );
    expect(screen.getByRole("link", { name: "Write another message" }).getAttribute("href")).toBe(
      "/en/contact",
    );
    expect(sessionStorage).toHaveLength(0);
  });
});

describe("the side panel", () => {
  const linksOf = (name: string | RegExp) =>
    within(screen.getByRole("complementary"))
      .queryAllByRole("link", { name })
      .map((link) => link.getAttribute("href"));

  test("has every way that the site has, and says when a reply comes", () => {
    open({ site: { ...SITE_INFO, steam: "https://steamcommunity.com/id/ada" } });
    // The library that computes names reads a place where a line may break as a space; browsers do not.
    expect(linksOf(/^ada ?@foyer/)).toEqual(["mailto:ada@foyer.example"]);
    expect(linksOf(/linkedin/i)).toEqual([SITE_INFO.linkedin, SITE_INFO.linkedin]);
    expect(linksOf(/github/i)).toEqual([SITE_INFO.github, SITE_INFO.github]);
    expect(linksOf(/Steam/)).toEqual(["https://steamcommunity.com/id/ada"]);
    expect(screen.getByRole("heading", { name: "Follow me" })).toBeTruthy();
    expect(screen.getByText("I usually reply within 24 hours.")).toBeTruthy();
  });

  const NOWHERE = { ...SITE_INFO, email: null, github: null, linkedin: null, steam: null };

  test("without any has the note alone", () => {
    open({ site: NOWHERE });
    const panel = screen.getByRole("complementary");
    expect(panel.textContent).toBe("I usually reply within 24 hours.");
  });

  test("says what the owner says, in place of the product's words", () => {
    const words = {
      intro: "Ask me anything.",
      ways: "Elsewhere",
      follow: "More of me",
      reply: "Give me <a> week.",
    };
    open({ site: { ...SITE_INFO, words } });
    for (const text of Object.values(words)) expect(screen.getByText(text)).toBeTruthy();
    expect(screen.queryByText(/24 hours|reaches me directly|Follow me/)).toBeNull();
  });

  test("promises no time where the owner wants none, and is away when nothing is left in it", () => {
    open({ site: { ...SITE_INFO, words: { reply: "" } } });
    expect(screen.getByRole("complementary").querySelector(".contact-reply")).toBeNull();
    cleanup();
    open({ site: { ...NOWHERE, words: { reply: "" } } });
    expect(screen.queryByRole("complementary")).toBeNull();
  });

  test("leaves out what is no web address", () => {
    open({ site: { ...SITE_INFO, github: "javascript:alert(1)" } });
    expect(linksOf(/github/i)).toEqual([]);
  });
});
