import { healthAnswer } from "#contract/health.ts";
import { OWNER } from "#test/e2e/site.ts";
import { startCaddy } from "./caddy.ts";
import type { Caller } from "./caller.ts";
import { DOMAIN, type OwnSite, toOwnDomain } from "./open-site.ts";
import { tryLine } from "./programs.ts";
import { checkImpressum, checkNothingOfSample } from "./start-steps.ts";

/** Fewer requests say nothing of a proxy. */
const REQUESTS = 12;

/** The domain over HTTPS. */
export async function followProxy(site: OwnSite): Promise<Caller> {
  const { folder, env, signal, ports, address } = site;

  await site.step("Caddy is installed", async (take) => {
    const install = take("caddyInstall").groups[0];
    const { code } = await tryLine("caddy version", { cwd: folder, env });
    if (code !== 0) throw new Error(`There is no Caddy here: ${install}`);
  });

  const caller = await site.step(
    "its block, PUBLIC_URL and TRUST_PROXY in .env, and a new start",
    async (take) => {
      const [publicUrl = "", trustProxy = ""] = take("proxySettings").groups;
      site.setSettings(`${publicUrl.replace(/=.*/, `=${address}`)}\n${trustProxy}`);
      await site.stop();
      take("restart");
      await site.start(take("start").text);
      const block = toOwnDomain(take("caddyBlock").text)
        .replace(DOMAIN, new URL(address).host)
        .replace(`:${take("port").groups[0]}`, `:${ports.site}`);
      const caddy = await startCaddy({ folder, block, address, httpPort: ports.http, env, signal });
      site.endings.push(() => caddy.stop());
      return caddy.caller;
    },
  );
  site.differences.push(
    `There is no DNS for ${DOMAIN}: names are looked up by the script, and Caddy signs the certificate (local_certs).`,
    `Caddy listens on ports ${ports.https} and ${ports.http} in place of 443 and 80, and is started by hand: systemctl has nothing to reload.`,
  );

  await site.step("the domain: own CV and page, canonical links, HSTS, log-in, no sample", async (take) => {
    const token = await caller.logIn(OWNER);
    take("logIn");
    await checkNothingOfSample(caller, token);
    await checkImpressum(caller);
    await checkHead(caller, address, take("hsts").groups[0] ?? "");
  });

  await site.step("health: ready, nothing red, nothing said of the proxy", async (take) => {
    const ready = take("ready").groups[0] ?? "";
    take("health");
    for (let count = 0; count < REQUESTS; count++) await caller.get("/cv");
    await caller.get(ready);
    await checkHealth(caller);
  });
  return caller;
}

/** Addresses that leave the site have the domain. */
async function checkHead(caller: Caller, address: string, hsts: string): Promise<void> {
  for (const path of ["/cv", "/en/cv", "/tr/cv", "/en/impressum"]) {
    const { text, headers } = await caller.ask(path);
    const canonical = /<link rel="canonical" href="([^"]+)"/.exec(text)?.[1];
    if (canonical !== `${address}${path}`) throw new Error(`${path} says that it is ${canonical}`);
    if (headers["strict-transport-security"] !== hsts)
      throw new Error(`${path} sends HSTS ${headers["strict-transport-security"]}`);
  }
  const sitemap = await caller.get("/sitemap.xml");
  const [other] = [...sitemap.matchAll(/<loc>([^<]+)/g)].filter(([, loc]) => !loc?.startsWith(`${address}/`));
  if (other || !sitemap.includes(`${address}/en/impressum`))
    throw new Error(`the sitemap has ${other?.[1] ?? "no page"}`);
}

async function checkHealth(caller: Caller): Promise<void> {
  const token = await caller.logIn(OWNER);
  const { services } = healthAnswer.parse(JSON.parse(await caller.get("/api/health/", token)));
  const parts = Object.entries(services);
  for (const [name, { status, message }] of parts.filter(([, part]) => part.status !== "healthy"))
    console.log(`      health: ${name} ${status}: ${message}`);
  const red = parts.filter(([, { status }]) => status === "critical").map(([name]) => name);
  if (red.length > 0) throw new Error(`health is red: ${red.join(", ")}`);
  // The part is there once enough came through a proxy.
  const { proxy } = services;
  if (proxy?.status !== "healthy")
    throw new Error(`the proxy doesn't fit: ${proxy?.message ?? "nothing is known of it"}`);
}
