import S3rver from "@20minutes/s3rver";

const [directory = "", port = "0"] = process.argv.slice(2);
const server = new S3rver({
  port: Number(port),
  address: "127.0.0.1",
  silent: true,
  directory,
  configureBuckets: [{ name: "site" }],
});
// It reckons the signature of a list without the slash that the address has and that is signed; those of objects it checks.
server.middleware.unshift(async (context, next) => {
  if ("list-type" in context.query)
    context.app = Object.create(context.app, { allowMismatchedSignatures: { value: true } });
  await next();
});
process.send?.((await server.run()).port);
process.on("disconnect", () => process.exit());
