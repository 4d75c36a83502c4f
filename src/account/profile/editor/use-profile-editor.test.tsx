import { describe, expect, jest, test } from "@jest/globals";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { type Answer, openProfile } from "../test-profile.tsx";

const SAVE = "PUT /api/users/profile/";
const save = () => screen.getByRole<HTMLButtonElement>("button", { name: "Save" });

async function edit(setup: Parameters<typeof openProfile>[0] = {}) {
  const opened = openProfile(setup);
  await opened.user.click(await screen.findByRole("button", { name: "Edit" }));
  return opened;
}

async function retype(user: Awaited<ReturnType<typeof edit>>["user"], label: string, text: string) {
  const field = screen.getByLabelText(label);
  await user.clear(field);
  if (text) await user.type(field, text);
}

describe("edit mode", () => {
  test("unlocks the fields of the About tab, whichever tab was open, and puts the focus there", async () => {
    const { user, getAddress } = openProfile({ path: "/profile?tab=settings" });
    await screen.findByRole("button", { name: "Edit" });
    expect(screen.getByLabelText<HTMLInputElement>("Username").readOnly).toBe(true);
    await user.click(screen.getByRole("button", { name: "Edit" }));
    expect(getAddress()).toBe("/profile?tab=about");
    const field = screen.getByLabelText<HTMLInputElement>("Username");
    expect(field.readOnly).toBe(false);
    expect(document.activeElement).toBe(field);
  });

  test("begins by a double click too: its second click falls on nothing that ends it", async () => {
    const { backEnd } = await edit();
    const cancel = screen.getByRole("button", { name: "Cancel" });
    for (const button of [save(), cancel]) fireEvent.click(button, { detail: 2 });
    expect(screen.getByLabelText<HTMLInputElement>("Username").readOnly).toBe(false);
    expect(screen.queryByText("Nothing was changed.")).toBeNull();
    expect(backEnd.sent(SAVE)).toEqual([]);
  });

  test("has one button to save, outside of the place where Edit stood", async () => {
    await edit();
    expect(screen.getAllByRole("button", { name: /^Save/ })).toHaveLength(1);
    expect(save().closest("header")).toBeNull();
  });

  test("ends by Cancel at once when nothing was changed, and gives the focus back to Edit", async () => {
    const { user, backEnd } = await edit();
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    expect(document.activeElement?.textContent).toBe("Edit");
    expect(backEnd.sent(SAVE)).toEqual([]);
  });

  test("asks at Cancel when something was changed, and keeps it or drops it", async () => {
    const { user } = await edit();
    await retype(user, "First name", "Ada");
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await user.click(screen.getByRole("button", { name: "Keep editing" }));
    expect(screen.getByLabelText<HTMLInputElement>("First name").value).toBe("Ada");
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await user.click(screen.getByRole("button", { name: "Discard changes" }));
    expect(screen.getByLabelText<HTMLInputElement>("First name").value).toBe("Işıl");
    expect(screen.getByRole("button", { name: "Edit" })).toBeTruthy();
  });
});

describe("saving", () => {
  test("sends only what was changed, shows it, and says so for 2.5 seconds", async () => {
    const { user, backEnd, storage } = await edit();
    await retype(user, "Bio", "Small tools");
    jest.useFakeTimers();
    try {
      await act(async () => {
        save().click();
        // The answer comes before time is counted.
        await jest.advanceTimersByTimeAsync(0);
      });
      await act(async () => {
        await jest.advanceTimersByTimeAsync(2_400);
      });
      expect(backEnd.sent(SAVE)).toEqual([{ bio: "Small tools" }]);
      expect(screen.getByText("Your profile was saved.").closest('[role="status"]')).toBeTruthy();
      await act(async () => {
        await jest.advanceTimersByTimeAsync(200);
      });
      expect(screen.queryByText("Your profile was saved.")).toBeNull();
    } finally {
      jest.useRealTimers();
    }
    expect(screen.getByLabelText<HTMLTextAreaElement>("Bio").value).toBe("Small tools");
    expect(document.activeElement?.textContent).toBe("Edit");
    await user.click(screen.getByRole("tab", { name: "Settings" }));
    expect(within(screen.getByRole("region", { name: "About" })).getByText("Small tools")).toBeTruthy();
    const state = JSON.parse(storage.getItem("auth_state") ?? "");
    expect(state.profile.bio).toBe("Small tools");
  });

  test("says Saving, can't be pressed twice, and leaves Cancel out", async () => {
    const { user, backEnd } = await edit({ routes: { [SAVE]: () => new Promise<Answer>(() => {}) } });
    await retype(user, "First name", "Ada");
    await user.click(save());
    const buttons = screen.getAllByRole<HTMLButtonElement>("button", { name: "Saving…" });
    expect(buttons.every(({ disabled }) => disabled)).toBe(true);
    expect(screen.queryByRole("button", { name: "Cancel" })).toBeNull();
    expect(screen.getByLabelText<HTMLInputElement>("First name").readOnly).toBe(true);
    expect(backEnd.sent(SAVE)).toHaveLength(1);
  });

  test("of nothing makes no call, and says that nothing was changed", async () => {
    const { user, backEnd } = await edit();
    await user.click(save());
    expect(screen.getByText("Nothing was changed.")).toBeTruthy();
    expect(backEnd.sent(SAVE)).toEqual([]);
  });

  test("a text that was emptied is sent empty", async () => {
    const { user, backEnd } = await edit({ profile: { bio: "Before" } });
    await retype(user, "Bio", "");
    await user.click(save());
    await screen.findByRole("button", { name: "Edit" });
    expect(backEnd.sent(SAVE)).toEqual([{ bio: "" }]);
  });

  test("a bio whose line ends come back as a form sends them is no change", async () => {
    const { user, backEnd } = await edit({ profile: { bio: "one\r\ntwo" } });
    await user.click(save());
    expect(backEnd.sent(SAVE)).toEqual([]);
  });
});

describe("what is wrong", () => {
  test.each([
    ["Username", "", "Username is required"],
    ["Username", "ab", "Use at least 3 characters"],
    ["Username", "a b c", "Use letters (A to Z), digits and underscores only"],
    ["Email", "", "Email is required"],
    ["Email", "nowhere", "Please enter a valid email address"],
  ])("%s %j: %s", async (label, text, message) => {
    const { user, backEnd } = await edit();
    await retype(user, label, text);
    await user.click(save());
    const field = screen.getByLabelText(label);
    expect(field.getAttribute("aria-invalid")).toBe("true");
    const described = field.getAttribute("aria-describedby") ?? "";
    expect(document.getElementById(described.split(" ")[0] ?? "")?.textContent).toBe(message);
    expect(backEnd.sent(SAVE)).toEqual([]);
  });

  test("a bio that is too long says so while the counter goes on", async () => {
    const { user } = await edit();
    fireEvent.change(screen.getByLabelText("Bio"), { target: { value: "x".repeat(1001) } });
    expect(screen.getByText("1001/1000")).toBeTruthy();
    await user.click(save());
    expect(screen.getByText("At most 1000 characters")).toBeTruthy();
  });

  test("the server's words stand beside their field, which gets the focus, and everything typed stays", async () => {
    const refusal = {
      detail: "Validation failed",
      code: "validation_failed",
      errors: [{ field: "username", code: "username_taken", message: "This username is taken." }],
    };
    const { user } = await edit({ routes: { [SAVE]: () => ({ status: 400, body: refusal }) } });
    await retype(user, "Username", "ada");
    await retype(user, "First name", "Ada");
    await user.click(save());
    expect(await screen.findByText("This username is taken.")).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText("Username"));
    expect(screen.getByText("Failed to update profile")).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>("First name").value).toBe("Ada");
    await user.type(screen.getByLabelText("Username"), "2");
    expect(screen.queryByText("This username is taken.")).toBeNull();
  });

  test.each([
    [
      { status: 503, body: { detail: "Back in a minute." } },
      /Back in a minute\. Your changes are still here\./,
    ],
    [{ status: 500, body: {} }, /Failed to update profileYour changes are still here\./],
  ])("a failure of the server keeps the edits and says why it can: %j", async (answer, text) => {
    const { user } = await edit({ routes: { [SAVE]: () => answer } });
    await retype(user, "First name", "Ada");
    await user.click(save());
    expect(
      (await screen.findByText("Failed to update profile")).closest('[role="alert"]')?.textContent,
    ).toMatch(text);
    expect(screen.getByLabelText<HTMLInputElement>("First name").value).toBe("Ada");
    expect(save().disabled).toBe(false);
  });

  test("a network that is down is said", async () => {
    const down = () => {
      throw new TypeError("Failed to fetch");
    };
    const { user } = await edit({ routes: { [SAVE]: down } });
    await retype(user, "First name", "Ada");
    await user.click(save());
    expect(await screen.findByText(/The site can't be reached right now/)).toBeTruthy();
  });
});

describe("a new e-mail address", () => {
  test("asks for the current password, and doesn't go out without", async () => {
    const { user, backEnd } = await edit();
    expect(screen.queryByLabelText("Current password")).toBeNull();
    await retype(user, "Email", "new@example.com");
    await user.click(save());
    expect(screen.getByText("Please enter your current password")).toBeTruthy();
    await user.type(screen.getByLabelText("Current password"), "Correct-Horse-1");
    await user.click(save());
    await screen.findByRole("button", { name: "Edit" });
    expect(backEnd.sent(SAVE)).toEqual([{ email: "new@example.com", current_password: "Correct-Horse-1" }]);
  });
});

describe("pictures", () => {
  const picture = (bytes: number, name = "me.png", type = "image/png") =>
    new File([new Uint8Array(bytes)], name, { type });

  test("are shown before they are saved, and go out with the form", async () => {
    const { user, backEnd } = await edit();
    await user.upload(screen.getByLabelText("Change picture"), picture(10));
    const shown = await screen.findByRole("img", { name: "Picture of isil" });
    expect(shown.getAttribute("src")).toMatch(/^data:image\/png;base64,/);
    await user.click(save());
    await screen.findByRole("button", { name: "Edit" });
    expect(Object.keys(backEnd.sent(SAVE)[0] ?? {})).toEqual(["avatar"]);
    expect(screen.getByRole("img", { name: "Picture of isil" }).getAttribute("src")).toBe(
      "/pictures/people/avatar.webp",
    );
  });

  test("can be removed", async () => {
    const { user, backEnd } = await edit({ profile: { cover: "/pictures/people/c.webp" } });
    expect(screen.queryByRole("button", { name: "Remove picture" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Remove cover" }));
    await user.click(save());
    await screen.findByRole("button", { name: "Edit" });
    expect(backEnd.sent(SAVE)).toEqual([{ cover: "" }]);
  });

  test.each([
    [
      picture(10, "me.svg", "image/svg+xml"),
      "This is not a JPEG, PNG, WebP or AVIF picture. Please choose another file.",
    ],
    [
      picture(10, "me.tiff", ""),
      "This is not a JPEG, PNG, WebP or AVIF picture. Please choose another file.",
    ],
    [picture(0), "This file is empty. Please choose another one."],
    [
      picture(8 * 1024 * 1024 + 1),
      "This picture has 8.1 MB. The limit is 8 MB: please choose a smaller one.",
    ],
  ])("one that can't be taken is refused at once: %#", async (file, message) => {
    const opened = await edit();
    fireEvent.change(screen.getByLabelText("Change cover"), { target: { files: [file] } });
    expect(await screen.findByText(message)).toBeTruthy();
    await opened.user.click(save());
    expect(opened.backEnd.sent(SAVE)).toEqual([]);
  });

  test("the server's refusal of one stands beside it, and it stays chosen", async () => {
    const refusal = {
      detail: "This file is not one of: JPEG",
      code: "unsupported_file",
      errors: [{ field: "cover", code: "unsupported_file", message: "This file is not one of: JPEG" }],
    };
    const { user } = await edit({ routes: { [SAVE]: () => ({ status: 415, body: refusal }) } });
    await user.upload(screen.getByLabelText("Change cover"), picture(10));
    await screen.findByRole("button", { name: "Remove cover" });
    await user.click(save());
    const control = screen.getByLabelText("Change cover");
    await waitFor(() => expect(control.getAttribute("aria-invalid")).toBe("true"));
    expect(screen.getByRole("button", { name: "Remove cover" })).toBeTruthy();
  });
});

describe("unsaved edits", () => {
  test("stay while another tab is open, and Save in the head shows what is wrong with them", async () => {
    const { user, getAddress } = await edit();
    await retype(user, "Username", "ab");
    await user.click(screen.getByRole("tab", { name: "Settings" }));
    await user.click(save());
    expect(getAddress()).toBe("/profile?tab=about");
    expect(document.activeElement).toBe(screen.getByLabelText("Username"));
    expect(screen.getByLabelText<HTMLInputElement>("Username").value).toBe("ab");
  });

  test("hold no link that opens elsewhere", async () => {
    const { user } = await edit();
    await retype(user, "First name", "Ada");
    const followed = jest.fn((event: MouseEvent) => event.preventDefault());
    document.addEventListener("click", followed);
    try {
      fireEvent.click(screen.getByRole("link", { name: "Open the console" }), { ctrlKey: true });
      expect(followed).toHaveBeenCalledTimes(1);
      expect(screen.queryByRole("dialog")).toBeNull();
    } finally {
      document.removeEventListener("click", followed);
    }
  });

  test("hold a link until the person decides", async () => {
    const { user, tabStorage } = await edit();
    await retype(user, "First name", "Ada");
    const followed = jest.fn((event: MouseEvent) => event.preventDefault());
    document.addEventListener("click", followed);
    try {
      await user.click(screen.getByRole("link", { name: "Open the console" }));
      expect(followed).not.toHaveBeenCalled();
      await user.click(screen.getByRole("button", { name: "Discard changes" }));
      expect(followed.mock.calls.map(([event]) => (event.target as HTMLElement).textContent)).toContain(
        "Open the console",
      );
    } finally {
      document.removeEventListener("click", followed);
    }
    expect(tabStorage.getItem("profile-edits")).toBeNull();
  });

  test("that are discarded while they are being saved don't come back at the next visit", async () => {
    const { user, tabStorage } = await edit({ routes: { [SAVE]: () => new Promise<Answer>(() => {}) } });
    await retype(user, "First name", "Ada");
    await user.click(save());
    const stay = (event: MouseEvent) => event.preventDefault();
    document.addEventListener("click", stay);
    try {
      await user.click(screen.getByRole("link", { name: "Open the console" }));
      await user.click(screen.getByRole("button", { name: "Discard changes" }));
    } finally {
      document.removeEventListener("click", stay);
    }
    expect(tabStorage.getItem("profile-edits")).toBeNull();
  });

  test("make the browser ask at a reload, and saved ones don't", async () => {
    const { user } = await edit();
    const leave = () => {
      const event = new Event("beforeunload", { cancelable: true });
      window.dispatchEvent(event);
      return event.defaultPrevented;
    };
    expect(leave()).toBe(false);
    await retype(user, "First name", "Ada");
    expect(leave()).toBe(true);
    await user.click(save());
    await screen.findByRole("button", { name: "Edit" });
    expect(leave()).toBe(false);
  });

  test("are there again after a reload, without the password, and can be dropped", async () => {
    const first = await edit();
    await retype(first.user, "First name", "Ada");
    await retype(first.user, "Email", "new@example.com");
    await first.user.type(screen.getByLabelText("Current password"), "Correct-Horse-1");
    expect(first.tabStorage.getItem("profile-edits")).not.toContain("Correct-Horse-1");
    first.unmount();

    const { user, tabStorage } = openProfile({ tabStorage: first.tabStorage });
    expect(await screen.findByText("These are changes that you hadn't saved.")).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>("First name").value).toBe("Ada");
    await user.click(screen.getByRole("button", { name: "Discard them" }));
    expect(screen.getByLabelText<HTMLInputElement>("First name").value).toBe("Işıl");
    expect(tabStorage.getItem("profile-edits")).toBeNull();
  });

  test("of one person are not shown to another", async () => {
    const first = await edit();
    await retype(first.user, "First name", "Ada");
    const stored = JSON.parse(first.tabStorage.getItem("profile-edits") ?? "");
    first.unmount();
    first.tabStorage.setItem("profile-edits", JSON.stringify({ ...stored, user_id: 99 }));
    openProfile({ tabStorage: first.tabStorage });
    expect(await screen.findByRole("button", { name: "Edit" })).toBeTruthy();
  });
});

describe("a session that dies while something is edited", () => {
  async function loseSession() {
    const opened = await edit();
    await retype(opened.user, "First name", "Ada");
    opened.backEnd.state.isSessionOver = true;
    await opened.user.click(save());
    await screen.findByRole("dialog", { name: "Log in again" });
    return opened;
  }

  test("is renewed in place, and then everything is saved", async () => {
    const { user, backEnd } = await loseSession();
    const dialog = within(screen.getByRole("dialog"));
    await user.type(dialog.getByLabelText("Password"), "Correct-Horse-1");
    await user.click(dialog.getByRole("button", { name: "Log in" }));
    expect(await screen.findByText("Your profile was saved.")).toBeTruthy();
    expect(backEnd.state.profile.first_name).toBe("Ada");
  });

  test("keeps the edits when the person doesn't log in", async () => {
    const { user } = await loseSession();
    await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Not now" }));
    expect(
      await screen.findByText(/Your session has expired\. Please log in again\. Your changes are/),
    ).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>("First name").value).toBe("Ada");
  });
});
