/** What the service is made of; paths are absolute. */
export interface UnitOptions {
  /** Of the site, as people read it in the journal: the host of PUBLIC_URL, else the clone. */
  title: string;
  /** The clone. */
  root: string;
  /** The program that runs TypeScript, and its flags. */
  node: string;
  nodeFlags: readonly string[];
  user: string;
  /** Folders that the site may write to; everything else is read-only to it. */
  writable: readonly string[];
  /** A file that the site reads its settings from is under `root`. */
  ports: readonly number[];
  /** `MemoryMax=`: bytes with a suffix, or a share of the machine's memory. */
  memory: string;
  /** Of the service: names its cache folder. */
  name: string;
}

/** Below it a port is opened by root, or by whom this capability is given. */
const FIRST_FREE_PORT = 1024;

/**
 * A value in a unit file: quotes around it, and what systemd would read as something else escaped.
 * Source: systemd.syntax(7), systemd.unit(5) "Specifiers", systemd.service(5) "Command lines".
 */
function quote(value: string): string {
  return `"${value.replaceAll(/["\\]/g, "\\$&").replaceAll("%", "%%")}"`;
}

/** In a command line `$` begins a variable besides. */
const quoteArgument = (value: string) => quote(value).replaceAll("$", "$$$$");

/**
 * The unit of a site under an account of its own. It starts Node itself, without npm: nothing is installed or built at a start.
 * What is written to standard output goes to the journal.
 *
 * `KillMode=mixed`: the stop goes to Node alone, which ends its PostgreSQL in order. Memory stays writable and executable
 * (no MemoryDenyWriteExecute): V8 compiles at run time.
 */
export function buildUnit(options: UnitOptions): string {
  const { title, root, node, nodeFlags, user, writable, ports, memory, name } = options;
  const capability = ports.some((port) => port > 0 && port < FIRST_FREE_PORT) ? "CAP_NET_BIND_SERVICE" : "";
  const command = [node, ...nodeFlags, "server/main.ts"].map(quoteArgument).join(" ");
  return `# Written by \`npm run foyer -- install-service\`, which writes it anew. Put changes of your own into
# /etc/systemd/system/${name}.service.d/own.conf (systemctl edit ${name}).
[Unit]
Description=Foyer: ${title.replaceAll("%", "%%")}
Documentation=${`file:${encodeURI(root)}/docs/owning.md`.replaceAll("%", "%%")}
After=network-online.target postgresql.service
Wants=network-online.target
# Five starts that fail within five minutes, and it stays down: systemctl reset-failed ${name}.
StartLimitIntervalSec=300
StartLimitBurst=5

[Service]
Type=exec
User=${user}
WorkingDirectory=${root.replaceAll("%", "%%")}
Environment=NODE_ENV=production MALLOC_ARENA_MAX=1 NODE_COMPILE_CACHE=/var/cache/${name}/node
ExecStart=${command}
Restart=always
RestartSec=2
TimeoutStopSec=60
KillMode=mixed
SyslogIdentifier=${name}
CacheDirectory=${name}
CacheDirectoryMode=0700
UMask=0077
LimitNOFILE=65536
MemoryMax=${memory}
OOMPolicy=continue

NoNewPrivileges=yes
CapabilityBoundingSet=${capability}
AmbientCapabilities=${capability}
ProtectSystem=strict
ReadWritePaths=${writable.map(quote).join(" ")}
ProtectHome=${isBelow(root, "/home", "/root") || writable.some((path) => isBelow(path, "/home", "/root")) ? "no" : "yes"}
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
RemoveIPC=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;
}

function isBelow(path: string, ...folders: string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}
