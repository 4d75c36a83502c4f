import { createHash } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import ssh2, { type SFTPWrapper } from "ssh2";
import { type ProgressWatch, toStallFault, type WatchProgress } from "./progress.ts";

const { Server, utils } = ssh2;
const { STATUS_CODE, flagsToString } = utils.sftp;
/** What `stat` says of a file and of a folder: type and rights. */
const [FILE_MODE, FOLDER_MODE] = [0o100_600, 0o040_700];

/** A server with files in memory, in one folder of it. */
export async function startSftp({
  user,
  password,
  folder,
}: {
  user: string;
  password: string;
  folder: string;
}) {
  const files = new Map<string, Buffer>();
  /** `onWrite`, `onRead`: called before the answer; there is none where they return false. */
  const state = {
    isReadOnly: false,
    spoil: (bytes: Buffer) => bytes,
    onWrite: () => true,
    onRead: () => true,
  };
  const hostKey = utils.generateKeyPairSync("ed25519");
  const clientKey = utils.generateKeyPairSync("ed25519");
  const parsed = utils.parseKey(hostKey.public);
  const known = utils.parseKey(clientKey.public);
  if (parsed instanceof Error || known instanceof Error) throw new Error("no keys");

  function serve(sftp: SFTPWrapper): void {
    const handles = new Map<number, { path: string; isListed: boolean }>();
    let count = 0;
    const openHandle = (path: string): Buffer => {
      const handle = Buffer.alloc(4);
      count += 1;
      handle.writeUInt32BE(count);
      handles.set(count, { path, isListed: false });
      return handle;
    };
    const find = (handle: Buffer) => handles.get(handle.readUInt32BE()) ?? { path: "", isListed: true };
    const toAttributes = (path: string) => {
      const bytes = files.get(path);
      if (!bytes && path !== folder) return undefined;
      return {
        mode: bytes ? FILE_MODE : FOLDER_MODE,
        uid: 0,
        gid: 0,
        size: bytes?.length ?? 0,
        atime: 0,
        mtime: 0,
      };
    };
    const stat = (id: number, path: string) => {
      const attributes = toAttributes(path);
      return attributes ? sftp.attrs(id, attributes) : sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    };
    sftp.on("STAT", stat);
    sftp.on("LSTAT", stat);
    sftp.on("FSTAT", (id, handle) => stat(id, find(handle).path));
    sftp.on("FSETSTAT", (id) => sftp.status(id, STATUS_CODE.OK));
    sftp.on("SETSTAT", (id) => sftp.status(id, STATUS_CODE.OK));
    sftp.on("OPEN", (id, path, flags) => {
      const isWriting = flagsToString(flags)?.startsWith("w");
      if (isWriting && state.isReadOnly) return sftp.status(id, STATUS_CODE.PERMISSION_DENIED);
      if (isWriting) files.set(path, Buffer.alloc(0));
      return files.has(path) ? sftp.handle(id, openHandle(path)) : sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    });
    sftp.on("WRITE", (id, handle, offset, data) => {
      const { path } = find(handle);
      const before = files.get(path) ?? Buffer.alloc(0);
      const after = Buffer.alloc(Math.max(before.length, offset + data.length));
      before.copy(after);
      state.spoil(data).copy(after, offset);
      files.set(path, after);
      if (state.onWrite() !== false) sftp.status(id, STATUS_CODE.OK);
    });
    sftp.on("READ", (id, handle, offset, length) => {
      if (state.onRead() === false) return undefined;
      const bytes = files.get(find(handle).path)?.subarray(offset, offset + length);
      return bytes?.length ? sftp.data(id, bytes) : sftp.status(id, STATUS_CODE.EOF);
    });
    sftp.on("CLOSE", (id) => sftp.status(id, STATUS_CODE.OK));
    sftp.on("OPENDIR", (id, path) => sftp.handle(id, openHandle(path)));
    sftp.on("READDIR", (id, handle) => {
      const listing = find(handle);
      if (listing.isListed) return sftp.status(id, STATUS_CODE.EOF);
      listing.isListed = true;
      return sftp.name(
        id,
        [...files.keys()].map((path) => ({
          filename: path.slice(folder.length + 1),
          longname: path,
          attrs: toAttributes(path) as never, // it is there
        })),
      );
    });
    sftp.on("REMOVE", (id, path) =>
      sftp.status(id, files.delete(path) ? STATUS_CODE.OK : STATUS_CODE.NO_SUCH_FILE),
    );
    sftp.on("RENAME", (id, from, to) => {
      const bytes = files.get(from);
      if (!bytes || files.has(to)) return sftp.status(id, STATUS_CODE.FAILURE);
      files.delete(from);
      files.set(to, bytes);
      return sftp.status(id, STATUS_CODE.OK);
    });
  }

  const server = new Server({ hostKeys: [hostKey.private] }, (client) => {
    client.on("error", () => undefined); // a client that refuses our key, or is stopped
    client.on("authentication", (context) => {
      const isKnown =
        (context.method === "password" && context.password === password) ||
        (context.method === "publickey" && context.key.data.equals(known.getPublicSSH()));
      if (context.username === user && isKnown) context.accept();
      else context.reject(["password", "publickey"]);
    });
    client.on("session", (accept) => accept().on("sftp", (begin) => serve(begin())));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    fingerprint: `SHA256:${createHash("sha256").update(parsed.getPublicSSH()).digest("base64").replace(/=+$/, "")}`,
    /** A private key that it knows. */
    clientKey: clientKey.private,
    files,
    state,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

export const MINUTE_MS = 60_000;

/** Watches as `watchProgress` does, by a clock that goes on when the test says so. */
export function createTestWatch(): { watch: WatchProgress; pass(ms: number): void } {
  const open = new Set<{ leftMs: number; end(): void }>();
  return {
    watch(limitMs): ProgressWatch {
      const stalled = new AbortController();
      const entry = { leftMs: limitMs, end: () => stalled.abort(toStallFault(limitMs)) };
      open.add(entry);
      return {
        signal: stalled.signal,
        moved() {
          entry.leftMs = limitMs;
        },
        close: () => void open.delete(entry),
      };
    },
    pass(ms) {
      for (const entry of open) {
        entry.leftMs -= ms;
        if (entry.leftMs <= 0) entry.end();
      }
    },
  };
}
