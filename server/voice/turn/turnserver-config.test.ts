import { expect, test } from "@jest/globals";
import { isDeniedPeer } from "./turnserver-config.ts";

test.each([
  "10.1.2.3",
  "127.0.0.1",
  "169.254.169.254",
  "172.31.255.255",
  "192.168.0.1",
  "100.64.0.1",
  "255.255.255.255",
  "::1",
  "::ffff:10.0.0.1",
  "fd00::2",
  "fe80::1",
  "ff02::1",
  "64:ff9b::a00:1",
])("%s is no peer", (address) => {
  expect(isDeniedPeer(address)).toBe(true);
});

test.each(["8.8.8.8", "172.32.0.1", "100.128.0.1", "192.1.0.1", "2606:4700::1111", "2a01::1"])(
  "%s may be one",
  (address) => {
    expect(isDeniedPeer(address)).toBe(false);
  },
);
