import autocannon from "autocannon";

/** One run of bench/login.ts, which forks this file so that the load has a process of its own. */
export interface LoginLoad {
  url: string;
  connections: number;
  /** As many requests, or as long. */
  amount?: number;
  seconds?: number;
  usernames: string[];
  addresses: string[];
  password: string;
}

/** Usernames and addresses change from request to request, so that each meets each. */
function toSetup({ usernames, addresses, password }: LoginLoad) {
  let count = 0;
  return (request: autocannon.Request): autocannon.Request => {
    const username = usernames[count % usernames.length];
    const address = addresses[Math.floor(count / usernames.length) % addresses.length] ?? "";
    count += 1;
    return {
      ...request,
      headers: { ...request.headers, "x-forwarded-for": address },
      body: JSON.stringify({ username, password }),
    };
  };
}

process.once("message", async (message) => {
  const load = message as LoginLoad;
  const result = await autocannon({
    url: `${load.url}/api/users/login/`,
    method: "POST",
    connections: load.connections,
    timeout: 60,
    ...(load.amount && { amount: load.amount }),
    ...(load.seconds && { duration: load.seconds }),
    headers: { "content-type": "application/json" },
    requests: [{ setupRequest: toSetup(load) }],
  });
  process.send?.(result);
});
