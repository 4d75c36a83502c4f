import autocannon from "autocannon";

/** The load of bench/list.ts, in a process of its own. */
process.once("message", async (message) => {
  const { url, token, connections, seconds } = message as {
    url: string;
    token: string;
    connections: number;
    seconds: number;
  };
  const headers = { authorization: `Bearer ${token}` };
  process.send?.(await autocannon({ url, connections, duration: seconds, headers }));
});
