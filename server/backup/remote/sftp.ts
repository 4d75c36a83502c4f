import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import ssh2, { type ConnectConfig, type SFTPWrapper } from "ssh2";
import { DRAFT, PROBE, type RemotePlace, type SftpAddress } from "./address.ts";

// CommonJS: Node finds no names in it.
const { Client, utils } = ssh2;
const CONNECT_LIMIT_MS = 20_000;
/** A line that went dead is noticed within a minute. */
const KEEPALIVE_MS = 15_000;
/** Every server gives that much to one question. */
const PIECE_BYTES = 32 * 1024;
const PIECES_AT_ONCE = 32;
/** SSH_FX_… of draft-ietf-secsh-filexfer-02, section 7. */
const NO_SUCH_FILE = 2;
const PERMISSION_DENIED = 3;

/** As `ssh-keygen -l` shows it. */
function toFingerprint(key: Buffer): string {
  return `SHA256:${createHash("sha256").update(key).digest("base64").replace(/=+$/, "")}`;
}

/** What the owner is told of a key that isn't in the settings. */
function toHostKeyFault({ host, port, hostKeys }: SftpAddress, key: Buffer): string {
  const parsed = utils.parseKey(key);
  const type = parsed instanceof Error ? "unknown type" : parsed.type;
  const shown = `${host}:${port} shows the host key ${toFingerprint(key)} (${type})`;
  return hostKeys.length === 0
    ? `${shown}. If that is the server's (its provider names it; on it, ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub shows it), set BACKUP_TO_HOST_KEY=${toFingerprint(key)}`
    : `${shown}, and BACKUP_TO_HOST_KEY is another one. Either the server has a new key, or somebody stands in between: ask its provider before you change the setting.`;
}

async function readKey(keyFile: string): Promise<Buffer> {
  const key = await readFile(keyFile).catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      `The key ${keyFile} (BACKUP_TO_KEY_FILE) can't be read by the site's account: ${error.code}.`,
    );
  });
  const parsed = utils.parseKey(key);
  if (parsed instanceof Error)
    throw new Error(`The key ${keyFile} (BACKUP_TO_KEY_FILE) can't be used: ${parsed.message}.`);
  return key;
}

function toReason(error: Error & { level?: string; code?: unknown }, { user }: SftpAddress): string {
  if (error.level === "client-authentication")
    return `The server doesn't let ${user} in. Is the password, or the key of BACKUP_TO_KEY_FILE, known there?`;
  if (error.code === PERMISSION_DENIED) return "The server allows no writing, or no reading, in that folder.";
  return error.message;
}

/** Connects, does the work, and ends the connection. @throws Error for the owner */
async function withSftp<Answer>(
  address: SftpAddress,
  work: (sftp: SFTPWrapper) => Promise<Answer>,
  stop?: AbortSignal,
): Promise<Answer> {
  const { host, port, user, password, keyFile, hostKeys } = address;
  if (password === undefined && keyFile === undefined)
    throw new Error("Neither a password in BACKUP_TO nor BACKUP_TO_KEY_FILE is set.");
  const privateKey = keyFile === undefined ? undefined : await readKey(keyFile);
  const client = new Client();
  let fault: string | undefined;
  const settings: ConnectConfig = {
    host,
    port,
    username: user,
    ...(password !== undefined && { password }),
    ...(privateKey && { privateKey }),
    readyTimeout: CONNECT_LIMIT_MS,
    keepaliveInterval: KEEPALIVE_MS,
    hostVerifier: (key: Buffer) => {
      if (hostKeys.includes(toFingerprint(key))) return true;
      fault = toHostKeyFault(address, key);
      return false;
    },
  };
  const broken = Promise.withResolvers<never>();
  const end = () => broken.reject(new Error("It was stopped."));
  client.on("error", broken.reject);
  client.once("close", () => broken.reject(new Error("The server ended the connection.")));
  stop?.addEventListener("abort", end, { once: true });
  try {
    stop?.throwIfAborted();
    const ready = new Promise<void>((resolve) => client.once("ready", () => resolve()));
    client.connect(settings);
    await Promise.race([ready, broken.promise]);
    const sftp = await Promise.race([promisify(client.sftp.bind(client))(), broken.promise]);
    return await Promise.race([work(sftp), broken.promise]);
  } catch (error) {
    throw new Error(fault ?? toReason(error as Error, address), { cause: error });
  } finally {
    stop?.removeEventListener("abort", end);
    broken.promise.catch(() => undefined); // closing it is no fault any more
    client.destroy();
  }
}

async function hashFile(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

/** Many pieces are asked for at once: one after the other each waits for the line. */
async function hashThere(sftp: SFTPWrapper, path: string, size: number): Promise<string> {
  const handle = await promisify<string, "r", Buffer>(sftp.open.bind(sftp))(path, "r");
  const hash = createHash("sha256");
  const readPiece = async (start: number): Promise<Buffer> => {
    const piece = Buffer.alloc(Math.min(PIECE_BYTES, size - start));
    for (let at = 0; at < piece.length; ) {
      const got = await new Promise<number>((resolve, reject) =>
        sftp.read(handle, piece, at, piece.length - at, start + at, (error, count) =>
          error ? reject(error) : resolve(count),
        ),
      );
      if (got === 0) throw new Error("What arrived is shorter than what was sent.");
      at += got;
    }
    return piece;
  };
  for (let start = 0; start < size; start += PIECE_BYTES * PIECES_AT_ONCE) {
    const end = Math.min(size, start + PIECE_BYTES * PIECES_AT_ONCE);
    const starts = Array.from(
      { length: Math.ceil((end - start) / PIECE_BYTES) },
      (_, n) => start + n * PIECE_BYTES,
    );
    for (const piece of await Promise.all(starts.map(readPiece))) hash.update(piece);
  }
  await promisify(sftp.close.bind(sftp))(handle);
  return hash.digest("hex");
}

/** A folder that is reached by SSH as a place for backups. */
export function openSftp(address: SftpAddress): RemotePlace {
  const { title, folder } = address;
  const toPath = (name: string) => `${folder === "/" ? "" : folder}/${name}`;

  async function sizeOf(sftp: SFTPWrapper, path: string): Promise<number | undefined> {
    try {
      return (await promisify(sftp.stat.bind(sftp))(path)).size;
    } catch (error) {
      if ((error as { code?: unknown }).code === NO_SUCH_FILE) return undefined;
      throw error;
    }
  }
  async function requireFolder(sftp: SFTPWrapper): Promise<void> {
    if ((await sizeOf(sftp, folder)) === undefined)
      throw new Error(`There is no folder ${folder} on the server. Make it, or correct BACKUP_TO.`);
  }
  /** The protocol has no checksum: it is read back, so that what lies there is compared and not what was sent. */
  async function requireSame(sftp: SFTPWrapper, path: string, file: string, size: number): Promise<void> {
    if ((await hashThere(sftp, path, size)) !== (await hashFile(file)))
      throw new Error("What arrived differs from what was sent.");
  }

  return {
    title,
    put: (file, name, stop) =>
      withSftp(
        address,
        async (sftp) => {
          await requireFolder(sftp);
          const { size } = await stat(file);
          const former = await sizeOf(sftp, toPath(name));
          if (former === size) return;
          if (former !== undefined)
            throw new Error(`Another ${name} is there already. Give each site a folder of its own.`);
          const draft = toPath(`${name}${DRAFT}`);
          // It holds keys and people's data: for the account there alone.
          await promisify<string, string, { mode: number }>(sftp.fastPut.bind(sftp))(file, draft, {
            mode: 0o600,
          });
          const arrived = await sizeOf(sftp, draft);
          if (arrived !== size) throw new Error(`Of ${size} bytes ${arrived ?? 0} arrived.`);
          await requireSame(sftp, draft, file, size);
          await promisify(sftp.rename.bind(sftp))(draft, toPath(name));
        },
        stop,
      ),
    list: () =>
      withSftp(address, async (sftp) => {
        await requireFolder(sftp);
        return (await promisify(sftp.readdir.bind(sftp))(folder)).map(({ filename }) => filename);
      }),
    remove: (name) => withSftp(address, (sftp) => promisify(sftp.unlink.bind(sftp))(toPath(name))),
    fetch: (name, file, stop) =>
      withSftp(
        address,
        async (sftp) => {
          if ((await sizeOf(sftp, toPath(name))) === undefined) throw new Error(`There is no ${name}.`);
          await promisify<string, string>(sftp.fastGet.bind(sftp))(toPath(name), file);
        },
        stop,
      ),
    check: () =>
      withSftp(address, async (sftp) => {
        await requireFolder(sftp);
        const text = "Foyer looked whether it can write here.\n";
        await pipeline([text], sftp.createWriteStream(toPath(PROBE)));
        await promisify(sftp.unlink.bind(sftp))(toPath(PROBE));
      }),
  };
}
