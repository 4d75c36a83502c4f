import "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Client } from "./account.ts";
import type { DeviceCookie, DeviceCookies, Visitor } from "./sessions/devices.ts";

const DEVICE_COOKIE = /^foyer_device_(\d{1,10})$/;
const DEVICE_COOKIE_LIFETIME_S = 365 * 24 * 60 * 60;

/** Where a request came from. */
export function toClient(request: FastifyRequest): Client {
  return {
    ipAddress: request.ip,
    userAgent: request.headers["user-agent"] ?? null,
    requestId: request.id,
  };
}

function readDeviceCookies(request: FastifyRequest): DeviceCookies {
  return new Map(
    Object.entries(request.cookies).flatMap(([name, value]) => {
      const id = DEVICE_COOKIE.exec(name)?.[1];
      return id && value ? [[Number(id), value] as const] : [];
    }),
  );
}

/** The same with the accounts that the browser signed in to before. */
export function toVisitor(request: FastifyRequest, door: Visitor["door"]): Visitor {
  return { ...toClient(request), cookies: readDeviceCookies(request), door };
}

/** The browser keeps the mark of a known device, out of reach of scripts. */
export function setDeviceCookie(
  reply: FastifyReply,
  device: DeviceCookie,
  publicUrl: string | undefined,
): void {
  reply.setCookie(`foyer_device_${device.userId}`, device.value, {
    path: "/", // the doors of the voice API stand outside of /api/
    httpOnly: true,
    sameSite: "lax",
    secure: publicUrl?.startsWith("https://") ?? reply.request.protocol === "https",
    maxAge: DEVICE_COOKIE_LIFETIME_S,
  });
}
