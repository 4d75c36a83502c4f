import { expect, test } from "@jest/globals";
import { createMailSecrets } from "./secrets.ts";

const OLD = Buffer.alloc(32, 1);
const NEW = Buffer.alloc(32, 2);

test("a code that waited while the keys were rotated is still read", () => {
  const sealed = createMailSecrets([OLD]).seal("token", "123456");
  expect(createMailSecrets([NEW, OLD]).open("token", sealed)).toBe("123456");
  expect(() => createMailSecrets([NEW]).open("token", sealed)).toThrow();
});

test("the newest key writes, and a code belongs to its message", () => {
  const sealed = createMailSecrets([NEW, OLD]).seal("token", "123456");
  expect(createMailSecrets([NEW]).open("token", sealed)).toBe("123456");
  expect(() => createMailSecrets([NEW, OLD]).open("another", sealed)).toThrow();
});
