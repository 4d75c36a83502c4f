import { SOCKET_PORT } from "./socket-folder.ts";

/**
 * Settings of the embedded server. They stand on the command line, so each release decides them and nothing in
 * the data folder overrides them. What concerns durability (fsync, full_page_writes, synchronous_commit) stays
 * at PostgreSQL's safe defaults.
 */
function buildSettings(socketFolder: string): Record<string, string> {
  return {
    listen_addresses: "",
    port: String(SOCKET_PORT),
    // A list: quotes keep a comma or a blank in the path from splitting it.
    unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
    max_connections: "60",
    shared_buffers: "128MB",
    cluster_name: "foyer",
    timezone: "UTC",
    log_timezone: "UTC",
    log_destination: "stderr",
    logging_collector: "off",
    log_line_prefix: "%m [%p] ",
    log_checkpoints: "off",
    // Above ERROR: a failed statement goes to the caller, and its text may hold addresses or passwords.
    log_min_messages: "log",
    // The supervisor reads these messages.
    lc_messages: "C",
  };
}

/** Arguments of the program `postgres` for this cluster. */
export function buildServerArguments(cluster: string, socketFolder: string): string[] {
  const settings = Object.entries(buildSettings(socketFolder));
  return ["-D", cluster, ...settings.flatMap(([name, value]) => ["-c", `${name}=${value}`])];
}
