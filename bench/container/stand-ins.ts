import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { BASE, IMAGE } from "./image.ts";
import { podman } from "./podman.ts";

const BIN = "/usr/lib/postgresql/17/bin";

/** As the official image: root gives the folder to PostgreSQL's account and becomes that, which makes the database where there is none. */
const POSTGRES = `#!/bin/sh -e
data=/var/lib/postgresql/data
if [ "$(id -u)" = 0 ]; then
  chown postgres /var/lib/postgresql /run/postgresql
  exec setpriv --reuid=postgres --regid=postgres --clear-groups "$0"
fi
if [ ! -s "$data/PG_VERSION" ]; then
  umask 077
  echo "$POSTGRES_PASSWORD" >/tmp/password
  initdb -D "$data" --encoding=UTF8 --locale=C.UTF-8 -U "$POSTGRES_USER" --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256
  echo "host all all all scram-sha-256" >>"$data/pg_hba.conf"
  pg_ctl -D "$data" -o "-c listen_addresses=''" -w start
  createdb -U "$POSTGRES_USER" -h /var/run/postgresql "$POSTGRES_DB"
  pg_ctl -D "$data" -m fast -w stop
fi
exec postgres -D "$data" -c listen_addresses='*'
`;

/** One stage for each image that compose.yaml names, of Debian's packages, with the entrypoint and the paths of the one in whose place it stands. */
const CONTAINERFILE = `
FROM ${BASE} AS all
RUN mkdir -p /etc/postgresql-common && echo create_main_cluster=false >/etc/postgresql-common/createcluster.conf \\
 && apt-get update && apt-get install --yes --no-install-recommends valkey-server valkey-tools postgresql caddy coturn \\
 && rm -rf /var/lib/postgresql/* && mkdir -p /buckets
COPY --from=${IMAGE} /usr/local/bin/node /usr/local/bin/
COPY s3.mjs /
COPY --chmod=0755 postgres.sh /

FROM all AS postgres
ENV PATH=${BIN}:/usr/sbin:/usr/bin:/sbin:/bin
STOPSIGNAL SIGINT
ENTRYPOINT ["/postgres.sh"]

FROM all AS valkey

FROM all AS caddy
ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]

FROM all AS coturn
USER nobody:nogroup
ENTRYPOINT ["turnserver"]

FROM all AS versitygw
ENTRYPOINT ["sh", "-c", "exec node --openssl-legacy-provider /s3.mjs /buckets 7070 0.0.0.0 foyer"]
`;

/** Puts an image of Debian's packages in the place of each one of a registry that compose.yaml names. */
export async function buildStandIns(compose: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "foyer-stand-ins-"));
  try {
    await build({
      configFile: false,
      publicDir: false,
      logLevel: "error",
      ssr: { noExternal: true },
      build: {
        ssr: join(process.cwd(), "test/s3-process.ts"),
        outDir: folder,
        emptyOutDir: false,
        rollupOptions: { output: { entryFileNames: "s3.mjs" } },
      },
    });
    await writeFile(join(folder, "postgres.sh"), POSTGRES);
    await writeFile(join(folder, "Containerfile"), CONTAINERFILE);
    for (const [, name = ""] of compose.matchAll(/image: (?:&\w+ )?(docker\.io\S+)/g)) {
      const stage = /\/(\w+):/.exec(name)?.[1] ?? "";
      await podman(
        ...["build", "--format", "docker", "--network", "host", "--isolation", "chroot", "--layers"],
        ...["--target", stage, "--tag", name, folder],
      );
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
