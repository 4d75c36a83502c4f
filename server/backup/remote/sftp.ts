import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import ssh2, { type ConnectConfig, type SFTPWrapper } from "ssh2";
import { DRAFT, PROBE, type RemotePlace, type SftpAddress } from "./address.ts";
import { CALL_LIMIT_MS, STALL_LIMIT_MS, type WatchProgress, watchProgress } from "./progress.ts";

// CommonJS: Node finds no names in it.
const { Client, utils } = ssh2;
const CONNECT_LIMIT_MS = 20_000;
/** A line that went dead is noticed within a minute. One that is there and moves nothing is ended by the limit of its work. */
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

interface SftpWork<Answer> {
  /** `moved` is called with each piece that went or came. */
  work(sftp: SFTPWrapper, moved: () => void): Promise<Answer>;
  /** How long nothing may move. */
  limitMs: number;
  stop?: AbortSignal;
  watch: WatchProgress;
}

/** Connects, does the work, and ends the connection. @throws Error for the owner */
async function withSftp<Answer>(
  address: SftpAddress,
  { work, limitMs, stop, watch: openWatch }: SftpWork<Answer>,
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
  const watch = openWatch(limitMs);
  watch.signal.addEventListener("abort", () => broken.reject(watch.signal.reason));
  client.on("error", broken.reject);
  client.once("close", () => broken.reject(new Error("The server ended the connection.")));
  stop?.addEventListener("abort", end, { once: true });
  try {
    stop?.throwIfAborted();
    const ready = new Promise<void>((resolve) => client.once("ready", () => resolve()));
    client.connect(settings);
    await Promise.race([ready, broken.promise]);
    const sftp = await Promise.race([promisify(client.sftp.bind(client))(), broken.promise]);
    return await Promise.race([work(sftp, watch.moved), broken.promise]);
  } catch (error) {
    throw new Error(fault ?? toReason(error as Error, address), { cause: error });
  } finally {
    watch.close();
    stop?.removeEventListener("abort", end);
    broken.promise.catch(() => undefined); // closing it is no fault any more
    client.destroy();
  }
}

async function hashFile(file: string, moved: () => void): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(file)) {
    hash.update(piece);
    moved();
  }
  return hash.digest("hex");
}

/** Many pieces are asked for at once: one after the other each waits for the line. */
async function hashThere(
  sftp: SFTPWrapper,
  { path, size, moved }: { path: string; size: number; moved: () => void },
): Promise<string> {
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
      moved();
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
export function openSftp(address: SftpAddress, watch = watchProgress): RemotePlace {
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
  async function requireSame(
    sftp: SFTPWrapper,
    file: string,
    there: { path: string; size: number; moved: () => void },
  ): Promise<void> {
    if ((await hashThere(sftp, there)) !== (await hashFile(file, there.moved)))
      throw new Error("What arrived differs from what was sent.");
  }

  return {
    title,
    put: (file, name, stop) =>
      withSftp(address, {
        async work(sftp, moved) {
          await requireFolder(sftp);
          const { size } = await stat(file);
          const former = await sizeOf(sftp, toPath(name));
          if (former === size) return;
          if (former !== undefined)
            throw new Error(`Another ${name} is there already. Give each site a folder of its own.`);
          const draft = toPath(`${name}${DRAFT}`);
          // It holds keys and people's data: for the account there alone.
          const options = { mode: 0o600, step: moved };
          await promisify<string, string, typeof options>(sftp.fastPut.bind(sftp))(file, draft, options);
          const arrived = await sizeOf(sftp, draft);
          if (arrived !== size) throw new Error(`Of ${size} bytes ${arrived ?? 0} arrived.`);
          await requireSame(sftp, file, { path: draft, size, moved });
          await promisify(sftp.rename.bind(sftp))(draft, toPath(name));
        },
        limitMs: STALL_LIMIT_MS,
        watch,
        stop,
      }),
    list: () =>
      withSftp(address, {
        async work(sftp, moved) {
          await requireFolder(sftp);
          moved();
          return (await promisify(sftp.readdir.bind(sftp))(folder)).map(({ filename }) => filename);
        },
        limitMs: CALL_LIMIT_MS,
        watch,
      }),
    remove: (name) =>
      withSftp(address, {
        work: (sftp) => promisify(sftp.unlink.bind(sftp))(toPath(name)),
        limitMs: CALL_LIMIT_MS,
        watch,
      }),
    fetch: (name, file, stop) =>
      withSftp(address, {
        async work(sftp, moved) {
          if ((await sizeOf(sftp, toPath(name))) === undefined) throw new Error(`There is no ${name}.`);
          const options = { step: moved };
          await promisify<string, string, typeof options>(sftp.fastGet.bind(sftp))(
            toPath(name),
            file,
            options,
          );
        },
        limitMs: STALL_LIMIT_MS,
        watch,
        stop,
      }),
    check: () =>
      withSftp(address, {
        async work(sftp, moved) {
          await requireFolder(sftp);
          moved();
          const text = "Foyer looked whether it can write here.\n";
          await pipeline([text], sftp.createWriteStream(toPath(PROBE)));
          moved();
          await promisify(sftp.unlink.bind(sftp))(toPath(PROBE));
        },
        limitMs: CALL_LIMIT_MS,
        watch,
      }),
  };
}
