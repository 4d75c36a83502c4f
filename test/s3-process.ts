import S3rver from "@20minutes/s3rver";
import { DUMMY_ACCOUNT } from "@20minutes/s3rver/lib/models/account.js";

const [directory = "", port = "0", address = "127.0.0.1", bucket = "site"] = process.argv.slice(2);
/** As versitygw, in whose place it stands, gets its key. */
const { ROOT_ACCESS_KEY: key, ROOT_SECRET_KEY: secret } = process.env;
if (key && secret) DUMMY_ACCOUNT.createKeyPair(key, secret);
const server = new S3rver({
  port: Number(port),
  address,
  silent: true,
  // A host by another name than localhost would be taken for a bucket.
  vhostBuckets: false,
  directory,
  configureBuckets: [{ name: bucket }],
});
// It reckons the signature of a list without the slash that the address has and that is signed; those of objects it checks.
server.middleware.unshift(async (context, next) => {
  if ("list-type" in context.query)
    context.app = Object.create(context.app, { allowMismatchedSignatures: { value: true } });
  await next();
});
const { port: taken } = await server.run();
process.send?.(taken);
process.on("disconnect", () => process.exit());
// The kernel keeps it from the first process of a container that doesn't listen to it.
process.on("SIGTERM", () => process.exit());
