/** Where root's databases and binaries live when the account PostgreSQL runs as cannot enter the data folder. */
export const SHARED_ROOT = "/var/lib/foyer";
