import { describe, expect, test } from "@jest/globals";
import { chooseAccount, getAccount, isRoot, requireNamedUser } from "./account.ts";

test("a uid without a name is refused with the ways out", () => {
  const lookUp = () => {
    throw new Error("A system error occurred: uv_os_get_passwd returned ENOENT");
  };
  expect(() => requireNamedUser(lookUp)).toThrow(/no entry in \/etc\/passwd[\s\S]*DATABASE_URL/);
});

test("accounts are found by name and by uid", async () => {
  expect(await getAccount("root")).toEqual({ name: "root", uid: 0, gid: 0 });
  expect(await getAccount("0")).toEqual({ name: "root", uid: 0, gid: 0 });
  expect(await getAccount("no-such-user")).toBeUndefined();
});

describe(isRoot() ? "root" : "an ordinary user", () => {
  const whenRoot = isRoot() ? test : test.skip;

  whenRoot("drops to the account that was named", async () => {
    expect((await chooseAccount("nobody", undefined))?.name).toBe("nobody");
  });

  whenRoot("drops to the owner of the cluster before the usual accounts", async () => {
    const nobody = await getAccount("nobody");
    expect(await chooseAccount(undefined, nobody?.uid)).toEqual(nobody);
  });

  whenRoot("drops to somebody who is not root even for a cluster of root's", async () => {
    expect((await chooseAccount(undefined, 0))?.uid).toBeGreaterThan(0);
  });

  whenRoot("is refused when the named account is missing or root", async () => {
    await expect(chooseAccount("no-such-user", undefined)).rejects.toThrow("does not exist");
    await expect(chooseAccount("root", undefined)).rejects.toThrow("names root");
  });

  (isRoot() ? test.skip : test)("stays who it is", async () => {
    expect(await chooseAccount(undefined, undefined)).toBeUndefined();
  });
});
