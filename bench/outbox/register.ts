const PASSWORD = "Correct-Horse-1";

/** What became of one registration; no status: the server was killed before it answered. */
export interface Registration {
  username: string;
  email: string;
  status: number | undefined;
}

/** Each comes from an address of its own, as people do: registrations are limited by address. */
function toAddress(round: number, index: number): string {
  return `10.${round >> 8}.${round & 255}.${index + 1}`;
}

/** Registers a person. An answer that never comes is no fault here: the server is killed meanwhile. */
export async function register(url: string, round: number, index: number): Promise<Registration> {
  const username = `bench_${round}_${index}`;
  const email = `${username}@foyer.example`;
  const body = { username, email, password: PASSWORD, password_confirm: PASSWORD };
  try {
    const { status } = await fetch(`${url}/api/users/register/`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Forwarded-For": toAddress(round, index) },
      body: JSON.stringify(body),
    });
    return { username, email, status };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // fetch's own word for a connection that broke
    return { username, email, status: undefined };
  }
}
