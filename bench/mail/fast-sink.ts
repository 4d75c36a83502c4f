import { SMTPServer } from "smtp-server";

/** A mail server in a process of its own that takes everything and keeps nothing. Tells its port. */
const server = new SMTPServer({
  logger: false,
  disabledCommands: ["AUTH", "STARTTLS"],
  disableReverseLookup: true,
  onData(stream, _session, callback) {
    stream.on("end", () => callback(null, "accepted"));
    stream.resume();
  },
});
const listener = server.listen(0, "127.0.0.1", () => {
  const address = listener.address();
  process.send?.({ port: typeof address === "object" ? address?.port : undefined });
});
process.on("disconnect", () => process.exit());
