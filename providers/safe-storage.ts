export type KeyStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

interface SafeStorage extends KeyStorage {
  /** Everything whose key begins so. */
  removeAll(prefix: string): void;
}

/**
 * `localStorage` where it works, else the memory of this page: storage is missing on the server, throws where cookies are
 * blocked, and throws when it is full.
 */
export function createSafeStorage(
  getStorage: () => KeyStorage | undefined = () => globalThis.localStorage,
): SafeStorage {
  const memory = new Map<string, string>();
  const attempt = <T>(use: (storage: KeyStorage) => T): T | undefined => {
    try {
      const storage = getStorage();
      return storage && use(storage);
    } catch {
      // The memory below stands in.
      return undefined;
    }
  };
  return {
    getItem: (key) => memory.get(key) ?? attempt((storage) => storage.getItem(key)) ?? null,
    setItem(key, value) {
      const isStored = attempt((storage) => {
        storage.setItem(key, value);
        return true;
      });
      if (isStored) memory.delete(key);
      else memory.set(key, value);
    },
    removeItem(key) {
      memory.delete(key);
      attempt((storage) => storage.removeItem(key));
    },
    removeAll: (prefix) =>
      attempt((storage) => {
        for (const key in storage) if (key.startsWith(prefix)) storage.removeItem(key);
      }),
  };
}
