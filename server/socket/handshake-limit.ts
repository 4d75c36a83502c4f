import { createWindowCounter } from "#server/base/limits.ts";
import { toAddressBlock } from "#server/http/address-block.ts";

/** Counts one handshake of an address. @returns seconds to wait; 0: go on. */
export type TakeHandshake = (address: string) => number;

/** One limit for both transports: clients that are refused come back every few seconds for ever. */
export function createHandshakeLimit(perMinute: number, clock: () => number = Date.now): TakeHandshake {
  const counter = createWindowCounter({ max: perMinute, windowMs: 60_000 }, clock);
  return (address) => {
    const block = toAddressBlock(address);
    const waitS = counter.getWaitS(block);
    if (waitS === 0) counter.add(block);
    return waitS;
  };
}
