import { verifyEmailAnswer } from "#contract/accounts/registration.ts";
import { readCode } from "#test/e2e/mailbox.ts";
import { LIN } from "#test/e2e/site.ts";
import { type MailSink, openMailSink, type SinkMail } from "#test/mail-sink.ts";
import { until } from "#test/until.ts";
import { type OwnSite, toOwnDomain } from "./open-site.ts";
import { runLine } from "./programs.ts";

const PASSWORD = "secret-of-the-sink";

/** Mails leave by a server that wants TLS and a log-in, with links to the domain. */
export async function followMail(site: OwnSite): Promise<void> {
  const { clone, env, local } = site;
  const sink = await openMailSink({ isSecure: true, password: PASSWORD });
  site.endings.push(() => sink.close());
  site.differences.push(
    "The mail server is one of this script's on this machine; nobody signed its certificate (tls.rejectUnauthorized=false).",
  );

  await site.step("SMTP_URL, MAIL_FROM and PUBLIC_URL in .env, and a new start", async (take) => {
    site.setSettings(toMailSettings(take("mailSettings").text, sink.url, site.address));
    take("stop");
    await site.stop();
    take("restart");
    await site.start(take("start").text);
  });

  await site.step("mail test arrives", async (take) => {
    const { groups } = take("mailTest");
    await runLine(`${groups[0]} ${LIN.email}`, { cwd: clone, env });
    await waitForMail(sink, LIN.email, 1);
  });

  await site.step("a registration: its code arrives, links lead to the domain, it is taken", async (take) => {
    take("registration");
    const { username, email, password } = LIN;
    const body = { username, email, password, password_confirm: password };
    const { ticket } = (await local.send("POST", "/api/users/register/", body)) as { ticket: string };
    const mail = await waitForMail(sink, email, 2);
    checkLinks(mail, site.address);
    const proof = { email, otp_code: readCode(mail.content), ticket };
    verifyEmailAnswer.parse(await local.send("POST", "/api/users/verify-email/", proof));
    await local.logIn(LIN);
  });
}

function toMailSettings(block: string, sinkUrl: string, address: string): string {
  const smtp = new URL(sinkUrl);
  smtp.username = "user";
  smtp.password = PASSWORD;
  smtp.searchParams.set("tls.rejectUnauthorized", "false");
  return toOwnDomain(block)
    .replace(/^SMTP_URL=.*$/m, `SMTP_URL=${smtp}`)
    .replace(/^PUBLIC_URL=.*$/m, `PUBLIC_URL=${address}`);
}

/** The mails that arrived for an address, once there are `count`. @returns the last of them */
async function waitForMail(sink: MailSink, address: string, count: number): Promise<SinkMail> {
  const find = () => sink.accepted.filter(({ recipient }) => recipient === address);
  await until(() => find().length >= count);
  return find()[count - 1] as SinkMail; // there are that many
}

function checkLinks({ content, sender }: SinkMail, address: string): void {
  const links = `${content.text ?? ""} ${content.html ?? ""}`.match(/https?:\/\/[^\s"'<>)]+/g) ?? [];
  const others = links.filter((link) => link !== address && !link.startsWith(`${address}/`));
  if (links.length === 0 || others.length > 0)
    throw new Error(`links of a mail from ${sender}: ${links.join(", ") || "none"}`);
}
