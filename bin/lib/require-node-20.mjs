/**
 * Imported first by every file that starts with the Node on the PATH, so that an old Node names itself instead of
 * failing on something it can't parse. Keep the syntax in bin/ readable for Node 16.
 */
const major = Number(process.versions.node.split(".")[0]);

if (major < 20) {
  process.stderr.write(
    `Foyer needs Node 20 or later to start, and this is Node ${process.versions.node} (${process.execPath}).\n` +
      "Install a current Node from https://nodejs.org or your system's packages, then run the same command again.\n",
  );
  process.exit(1);
}
