import { join } from "node:path";
import accepts from "@fastify/accepts";
import cookie from "@fastify/cookie";
import helmet from "@fastify/helmet";
import type { Logger } from "pino";
import type { HubFeature } from "#contract/site.ts";
import packageJson from "../package.json" with { type: "json" };
import { registerAccountAdminRoutes } from "./accounts/admin/routes.ts";
import { createAccountWriters } from "./accounts/admin/writers.ts";
import { findPerson } from "./accounts/find-person.ts";
import { deriveSecret, deriveSecrets, loadSigningKeys } from "./accounts/keys.ts";
import { openAccountParts } from "./accounts/open-parts.ts";
import type { Passwords } from "./accounts/password.ts";
import { registerProfileRoutes } from "./accounts/profile/routes.ts";
import { registerAccountRoutes } from "./accounts/routes.ts";
import { createAccounts } from "./accounts/service.ts";
import { createStaffChecks } from "./accounts/staff-checks.ts";
import { registerVoiceUserRoutes } from "./accounts/voice/routes.ts";
import { createActions } from "./audit/actions.ts";
import { registerActionRoutes } from "./audit/actions-routes.ts";
import { tellOfEntries } from "./audit/tell-entries.ts";
import type { Config } from "./config.ts";
import { registerContactForm } from "./contact/form-routes.ts";
import { createFindOwner } from "./contact/owner.ts";
import { registerContactRoutes } from "./contact/routes.ts";
import { createContactService } from "./contact/service.ts";
import { registerBulkRoutes } from "./content/bulk/routes.ts";
import { createBulk } from "./content/bulk/service.ts";
import { ensureContentTypes } from "./content/content-types.ts";
import { createContentExports } from "./content/exports/exports.ts";
import { registerExportRoutes } from "./content/exports/routes.ts";
import { registerHistoryRoutes } from "./content/history-routes.ts";
import { toModelSchemas } from "./content/model-schema.ts";
import { registerMoveRoutes } from "./content/move-routes.ts";
import { registerContentRoutes } from "./content/routes.ts";
import { registerSearchRoutes } from "./content/search-routes.ts";
import { createContentService } from "./content/service.ts";
import { createTotals } from "./content/totals.ts";
import { registerWriteRoutes } from "./content/write-routes.ts";
import { createServer } from "./create-server.ts";
import { registerCvRoutes } from "./cv/routes.ts";
import { CV_MODELS } from "./cv/sections.ts";
import { createCvService } from "./cv/service.ts";
import { registerDashboardRoutes } from "./dashboard/routes.ts";
import { createDashboard } from "./dashboard/service.ts";
import { createAbortableQueries } from "./db/abortable.ts";
import { createNotices } from "./db/notices.ts";
import type { Database } from "./db/open.ts";
import { registerDiscoveryRoutes } from "./discovery/routes.ts";
import { createDiscoveryService } from "./discovery/service.ts";
import { registerFileRoutes } from "./files/routes.ts";
import { createFileService } from "./files/service.ts";
import { createLocalStorage, type FileStorage } from "./files/storage.ts";
import { readDisk } from "./health/disk.ts";
import { registerHealthRoutes } from "./health/routes.ts";
import { createHealth, type Finding, type SendingDomain } from "./health/service.ts";
import { createRequireLevel } from "./http/bearer.ts";
import { cutConnectionsOnClose } from "./http/cut-connections.ts";
import { registerOpenApi } from "./http/openapi.ts";
import type { PageAssets } from "./http/pages/page-assets.ts";
import { toPageDefinitions } from "./http/pages/page-definitions.ts";
import { PREFIXES, registerPages } from "./http/pages/pages.ts";
import type { App } from "./http/zod-compiler.ts";
import { createReadMailStates } from "./mail/address/address-states.ts";
import { openMailbox } from "./mail/mailbox/mailbox.ts";
import { registerMailboxRoutes } from "./mail/mailbox/mailbox-routes.ts";
import { type MailWays, openMailReports } from "./mail/open-reports.ts";
import { createMailSecrets } from "./mail/outbox/secrets.ts";
import { createMailService, getOutboxState, MAIL_SECRET, toDomain } from "./mail/service.ts";
import { createUnsubscribe } from "./mail/suppressions/unsubscribe.ts";
import { registerUnsubscribe } from "./mail/suppressions/unsubscribe-routes.ts";
import type { ModelDeclaration } from "./models/declare.ts";
import { buildRegistry } from "./models/registry.ts";
import { type SearchBuilds, startSearchBuilds } from "./models/search-build.ts";
import { deleteForgottenMailFiles } from "./open-mail.ts";
import { openSockets } from "./open-sockets.ts";
import { registerPictureRoutes } from "./pictures/routes.ts";
import { createPictureService } from "./pictures/service.ts";
import { createSampleConsole } from "./sample/console.ts";
import { registerSampleRoutes } from "./sample/routes.ts";
import { registerSiteRoutes } from "./site/routes.ts";
import { createSiteService, NO_SITE, PAGE_MODEL, SITE_MODELS } from "./site/service.ts";
import type { Channel } from "./socket/channel.ts";
import type { JanusSettings } from "./voice/engine/janus-connection.ts";
import type { IceSettings } from "./voice/ice.ts";
import type { LiveRooms } from "./voice/live/live-rooms.ts";
import { openVoice } from "./voice/open-voice.ts";
import { collectVoiceData } from "./voice/personal-data.ts";
import { createVoiceWriters } from "./voice/service.ts";

/** What a process is made of; tests and benches pass their own clock, models and folders. */
export interface AppParts {
  config: Pick<Config, "dataDir" | "publicUrl" | "trustProxy" | "ownerEmail" | "isDevelopment" | "mailFrom"> &
    Partial<Pick<Config, "accessTokenMinutes">>;
  database: Pick<Database, "pool" | "exportPool" | "feed">;
  declarations: readonly ModelDeclaration[];
  storage: FileStorage;
  /** Gives the browser app, built or from Vite, and registers its files. */
  openAssets: (app: App) => Promise<PageAssets>;
  log: Logger;
  now: () => Date;
  /** Of the link that makes the owner's account, printed at start; without it no such link is good. */
  setupToken?: string;
  /** Beside those of the product. */
  channels?: readonly Channel[];
  /** STUN and TURN for voice rooms; without them people behind strict firewalls may not reach each other. */
  ice?: readonly IceSettings[];
  /** Mixes the sound of rooms with more than twelve seats; without it they aren't made. */
  janus?: JanusSettings | undefined;
  mailWays?: MailWays;
  /** What receivers of mails look up, for the health page; undefined where none are sent. */
  sendingDomain?: SendingDomain | undefined;
  /** In place of this process's own. */
  liveRooms?: LiveRooms;
  /** Factor on the time that counts, searches and previews may take; tests wait for what a busy machine does. */
  patience?: number;
  /** Tries what browsers in voice rooms reach each other by, for the health page. */
  checkRelay?: () => Promise<Finding>;
  /** Hashing at less than its cost, for tests. */
  passwords?: Passwords;
}

/** What of the developer hub is here by now; the cards of the others say that they aren't open yet. */
const OPEN_FEATURES: readonly HubFeature[] = ["voice-chat"];

/**
 * Puts the product together: floor first, then the subjects, then the pages that take what is left.
 * @throws RegistryError when a content model is declared wrongly.
 */
export async function createApp(parts: AppParts): Promise<App> {
  const { config, database, declarations, storage, log, now, patience = 1 } = parts;
  const { pool, exportPool, feed } = database;
  const registry = buildRegistry(declarations, await ensureContentTypes(pool, declarations));
  const app = createServer(parts);
  const notices = createNotices(pool, log);
  app.addHook("onClose", notices.close);
  tellOfEntries(app, notices);

  await app.register(cookie);
  await app.register(accepts);
  await app.register(helmet, {
    contentSecurityPolicy: false,
    crossOriginEmbedderPolicy: false,
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
    strictTransportSecurity: config.publicUrl?.startsWith("https://") ?? false,
  });
  await registerOpenApi(app, packageJson.version, toModelSchemas(registry));

  const keys = await loadSigningKeys(config.dataDir);
  const mailSecrets = deriveSecrets(keys, MAIL_SECRET);
  const mail = createMailService({ secrets: mailSecrets, from: config.mailFrom, now });
  const queue = {
    secrets: createMailSecrets(mailSecrets),
    domain: toDomain(config.mailFrom.address),
    now,
  };
  const { accessTokenMinutes, publicUrl } = config;
  const { setupToken } = parts;
  const accountParts = openAccountParts({
    pool,
    feed,
    keys,
    mail,
    log,
    now,
    accessTokenMinutes,
    setupToken,
    passwords: parts.passwords,
  });
  const accounts = createAccounts(accountParts);
  const requireLevel = createRequireLevel(accounts.authenticate);
  registerAccountRoutes(app, { parts: accountParts, accounts, requireLevel, publicUrl });

  if (config.isDevelopment) {
    registerMailboxRoutes(app, { mailbox: openMailbox(join(config.dataDir, "mail")), requireLevel });
  }

  const files = createFileService(
    pool,
    storage,
    () => registry.byKey.get("files.stored_file")?.contentTypeId ?? null,
  );
  await registerFileRoutes(app, { service: files, registry, requireLevel });

  const pictures = createPictureService({
    openFile: files.open,
    storage: createLocalStorage(join(config.dataDir, "pictures")),
    portraitStorage: createLocalStorage(join(config.dataDir, "people")),
    log,
    now,
  });
  app.addHook("onClose", pictures.close);
  const accountFiles = {
    accounts: accountParts,
    portraits: pictures.portraits,
    mail,
    deleteForgottenMailFiles: () => deleteForgottenMailFiles(config, pool),
    collectVoiceData,
  };

  const hasMixer = parts.janus !== undefined;
  const writers = new Map([...createAccountWriters(accountFiles), ...createVoiceWriters({ hasMixer, now })]);
  const queries = createAbortableQueries(pool);
  app.addHook("onClose", queries.close);
  const totals = createTotals({ pool, queries, feed, patience });
  const content = createContentService({
    pool,
    queries,
    registry,
    totals,
    files,
    feed,
    notices,
    writers,
    patience,
  });
  registerContentRoutes(app, { service: content, requireLevel });
  registerWriteRoutes(app, { service: content, requireLevel });
  registerMoveRoutes(app, { service: content, requireLevel });
  registerHistoryRoutes(app, { service: content, requireLevel });
  registerSearchRoutes(app, { service: content, requireLevel });
  const bulk = createBulk({ pool, registry, feed, files, writers, findPerson, patience, log });
  app.addHook("onListen", async () => bulk.worker.start());
  app.addHook("onClose", bulk.worker.close);
  registerBulkRoutes(app, { service: bulk.service, requireLevel });
  const readMailStates = createReadMailStates({ secrets: queue.secrets, now });
  registerAccountAdminRoutes(app, { db: pool, content, registry, readMailStates, requireLevel });
  const actions = createActions({ db: pool, content, registry });
  registerActionRoutes(app, { actions, requireLevel });
  const exports = createContentExports({ pool, exportPool, registry, log, now });
  registerExportRoutes(app, { exports, requireLevel });

  const voice = openVoice(app, {
    pool,
    registry,
    content,
    feed,
    mail,
    requireLevel,
    ice: parts.ice ?? [],
    secret: deriveSecret(keys, "voice tickets"),
    janus: parts.janus && { ...parts.janus, key: deriveSecret(keys, "voice engine") },
    log,
    now,
    liveRooms: parts.liveRooms,
  });

  await openSockets(app, {
    config,
    database,
    registry,
    accounts,
    voice,
    channels: parts.channels ?? [],
    log,
    now,
  });
  cutConnectionsOnClose(app);

  const { suppressions, ownAddress } = await openMailReports(app, {
    pool,
    feed,
    registry,
    mail,
    queue,
    requireLevel,
    publicUrl,
    ways: parts.mailWays ?? { webhooks: [], takesReturnedMail: false },
    ...createStaffChecks(config.ownerEmail),
    log,
    now,
  });

  const health = createHealth({
    db: pool,
    feed,
    storage,
    readDisk: () => readDisk(config.dataDir),
    readOutbox: () => getOutboxState(pool, now()),
    checkRelay: parts.checkRelay,
    checkVoiceEngine: voice.checkEngine,
    sendingDomain: parts.sendingDomain,
    serverVersion: packageJson.version,
    now,
    log,
  });
  app.addHook("onListen", async () => health.sampler.start());
  app.addHook("onClose", health.sampler.close);
  registerHealthRoutes(app, { health, requireLevel });
  let searchBuilds: SearchBuilds | undefined;
  app.addHook("onListen", async () => {
    searchBuilds = startSearchBuilds({ pool, registry, log });
  });
  app.addHook("onClose", async () => searchBuilds?.close());
  const dashboard = createDashboard({
    db: pool,
    content,
    listActions: async (caller, { pageSize }) =>
      (await actions.list({ page_size: String(pageSize) }, caller)).actions,
    getAvailability: health.getAvailability,
    now,
  });
  registerDashboardRoutes(app, { dashboard, requireLevel });

  const sample = createSampleConsole({ pool, storage, registry, feed, log });
  registerSampleRoutes(app, { sample, requireLevel });

  const cv = createCvService(pool, config.publicUrl);
  registerCvRoutes(app, cv);

  registerPictureRoutes(app, pictures);
  registerProfileRoutes(app, { ...accountFiles, ownAddress, requireLevel });
  registerVoiceUserRoutes(app, { accounts: accountParts, requireLevel, accessTokenMinutes });

  const site = createSiteService({
    pool,
    pictures,
    publicUrl: config.publicUrl,
    openFeatures: OPEN_FEATURES,
  });
  registerSiteRoutes(app, site);

  const contactSecret = deriveSecret(keys, "contact challenges");
  const findOwner = createFindOwner({ pool, site, ownerEmail: config.ownerEmail, log });
  const contact = createContactService({ pool, feed, mail, findOwner, secret: contactSecret, now });
  registerContactRoutes(app, contact);

  const siteSource = { models: SITE_MODELS, load: site.getSite, none: NO_SITE };
  const definitions = toPageDefinitions({
    cv: { models: CV_MODELS, load: async (lang) => ({ screen: "cv", cv: await cv.getCv(lang) }) },
    contact: { models: [], load: async () => ({ screen: "contact", draft: null }) },
    text: {
      models: [PAGE_MODEL],
      async load(lang, path) {
        const page = await site.getPage(path.slice(1), lang);
        return page ? { screen: "text", page } : null;
      },
    },
  });
  const discovery = createDiscoveryService({ pool, registry, site: siteSource, definitions });
  registerDiscoveryRoutes(app, { discovery, feed, publicUrl: config.publicUrl });
  const answerOnce = registerPages(app, {
    site: siteSource,
    assets: await parts.openAssets(app),
    feed,
    publicUrl: config.publicUrl,
    now,
    definitions,
  });
  await registerContactForm(app, { contact, answerOnce });
  await registerUnsubscribe(app, { unsubscribe: createUnsubscribe({ pool, suppressions, now }), answerOnce });
  for (const prefix of PREFIXES) {
    app.get(prefix || "/", { schema: { hide: true } }, (_request, reply) => reply.redirect(`${prefix}/dev`));
  }
  return app;
}
