import { type AccountOptions, openAccounts, openPeople } from "./accounts/open.ts";
import { openActions } from "./actions/routes.ts";
import { openContact } from "./contact/routes.ts";
import { openContent } from "./content/open.ts";
import { openDashboard } from "./dashboard/routes.ts";
import { openFileCare } from "./files/check.ts";
import { openFiles } from "./files/routes.ts";
import { createFileWriters } from "./files/writer.ts";
import { type HealthOptions, openHealth } from "./health/routes.ts";
import type { App } from "./http/zod.ts";
import { type MailOptions, openMail, openMailQueue } from "./mail/open.ts";
import { type FloorOptions, openFloor } from "./open-floor.ts";
import { deleteForgottenMailFiles } from "./open-mail.ts";
import { openPages, openSite, type PageOptions } from "./open-pages.ts";
import { openSockets, type SocketOptions } from "./open-sockets.ts";
import { openPictures, type PictureOptions } from "./pictures/routes.ts";
import { openSample } from "./sample/routes.ts";
import { openVoice, type VoiceOptions } from "./voice/open.ts";
import { collectVoiceData, createVoiceWriters } from "./voice/service.ts";

/** What a process is made of: each subject says what of it is left to the process, and may be left out. */
export type AppOptions = FloorOptions &
  AccountOptions &
  HealthOptions &
  MailOptions &
  PageOptions &
  PictureOptions &
  SocketOptions &
  VoiceOptions;

/**
 * Puts the product together: floor first, then the subjects, each after those that it needs.
 * @throws RegistryError when a content model is declared wrongly.
 */
export async function createApp(options: AppOptions): Promise<App> {
  const { app, floor: base, keys } = await openFloor(options);
  const queue = openMailQueue(base);
  const { mail } = queue;
  const accounts = openAccounts(app, base, { ...options, keys, mail });
  app.decorate("findReader", accounts.findFileReader);
  const floor = { ...base, requireLevel: accounts.requireLevel, requireRecent: accounts.requireRecent };
  const { pool, config, now } = floor;

  const { files, access } = await openFiles(app, floor, { findReader: accounts.findFileReader });
  const pictures = openPictures(app, floor, { ...options, files, fileAccess: access });
  /** What a person has outside of their account's row; it goes with them. */
  const belongings = {
    portraits: pictures.portraits,
    mail,
    deleteForgottenMailFiles: () => deleteForgottenMailFiles(config, pool),
  };
  const { site, writers: siteWriters } = openSite(base, { ...options, pictures });
  const hasMixer = options.janus !== undefined;
  const writers = new Map([
    ...accounts.createWriters(belongings),
    ...createVoiceWriters({ hasMixer, now }),
    ...createFileWriters({ ...floor, forgetPictures: pictures.forget }),
    ...siteWriters,
  ]);
  const content = openContent(app, floor, { files, writers, findPerson: accounts.findPerson });
  const { checkFiles } = openFileCare(app, floor, {
    files,
    replaceUses: content.replaceFile,
    forgetPictures: pictures.forget,
  });

  const voice = openVoice(app, floor, { ...options, content, mail });
  const sockets = await openSockets(app, floor, { ...options, accounts: accounts.service, voice });
  const { answerOnce, pageCache } = await openPages(app, floor, { ...options, site, content });
  await openContact(app, floor, { mail, site, answerOnce });
  const { readMailStates, ownAddress } = await openMail(app, floor, {
    ...options,
    ...accounts.staffChecks,
    ...queue,
    answerOnce,
  });
  const actions = openActions(app, floor, {
    ...accounts.staffChecks,
    content,
    findPeople: accounts.findPeople,
    mail,
    readMailStates,
    keys,
  });
  openPeople(app, floor, {
    ...belongings,
    accounts: accounts.deps,
    collectVoiceData,
    ownAddress,
    content,
    readMailStates,
  });

  const health = await openHealth(app, floor, { ...options, checkFiles, sockets, voice, pageCache });
  openDashboard(app, floor, {
    content,
    listActions: actions.listNewest,
    getAvailability: health.getAvailability,
  });
  openSample(app, floor);
  return app;
}
