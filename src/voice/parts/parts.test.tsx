import { expect, jest, test } from "@jest/globals";
import { render, screen } from "@testing-library/react";
import { useVoiceServices, VoiceServicesContext } from "../voice-context.tsx";

function Name() {
  return <p>{useVoiceServices().session.getAuthState()?.user.username}</p>;
}

test("a part of the voice screens gets the services of those who drew it", () => {
  const services = { session: { getAuthState: () => ({ user: { username: "ada" } }) }, http: {} } as never; // only what is read here
  render(
    <VoiceServicesContext value={services}>
      <Name />
    </VoiceServicesContext>,
  );
  expect(screen.getByText("ada")).toBeTruthy();
});

test("outside of the voice screens there are none, and that is said", () => {
  const complain = jest.spyOn(console, "error").mockImplementation(() => {});
  expect(() => render(<Name />)).toThrow("outside of VoiceServicesContext");
  complain.mockRestore();
});
