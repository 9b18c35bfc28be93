/** Hands mails to the configured mail server, one connection at a time. */
import { createTransport } from "nodemailer";
import type { Config } from "../../../config/config.ts";
import type { Addresses } from "../../../platform/addresses.ts";
import type { Secret } from "../../../platform/secret.ts";

export interface OutgoingMail {
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** Before the address of the instance; default: Forgeline. */
  fromName?: string;
  replyTo?: string;
  /** With its angle brackets; the same at each try. */
  messageId?: string;
  inReplyTo?: string;
  references?: readonly string[];
  headers?: Readonly<Record<string, string>>;
}

export interface Smtp {
  /** Resolves once the server has taken the mail. Throws what the server said. */
  send(mail: OutgoingMail & { id: string }): Promise<void>;
  close(): void;
}

/** Sender of mails if nothing else is configured. */
export function mailSender(config: Pick<Config, "mail">, addresses: Pick<Addresses, "webUrl">): string {
  return config.mail.from ?? `forgeline@${new URL(addresses.webUrl).hostname}`;
}

const waitMs = 20_000;

export function createSmtp(url: Secret, from: string): Smtp {
  const address = new URL(url.reveal());
  const secure = address.protocol === "smtps:";
  const user = decodeURIComponent(address.username);
  const transport = createTransport(
    {
      host: address.hostname.replace(/^\[|\]$/g, ""),
      port: Number(address.port) || (secure ? 465 : 587),
      secure,
      // A password is never sent without TLS.
      requireTLS: user !== "",
      ...(user === "" ? {} : { auth: { user, pass: decodeURIComponent(address.password) } }),
      connectionTimeout: waitMs,
      greetingTimeout: waitMs,
      socketTimeout: waitMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from: { name: "Forgeline", address: from } },
  );
  const domain = from.slice(from.indexOf("@") + 1);
  return {
    async send({ id, fromName, messageId, references, headers, ...mail }) {
      await transport.sendMail({
        ...mail,
        ...(fromName === undefined ? {} : { from: { name: fromName, address: from } }),
        ...(references === undefined ? {} : { references: [...references] }),
        // No program answers it (RFC 3834).
        headers: { "Auto-Submitted": "auto-generated", ...headers },
        // The same id at each try, so that a mail that came twice is shown once.
        messageId: messageId ?? `<${id}@${domain}>`,
      });
    },
    close: () => transport.close(),
  };
}

/** A 5xx answer: trying again cannot help. */
export function isFinal(error: unknown): boolean {
  const code = (error as { responseCode?: unknown }).responseCode;
  return typeof code === "number" && code >= 500;
}

const connectionErrors: ReadonlySet<unknown> = new Set([
  "ECONNECTION",
  "EDNS",
  "ESOCKET",
  "ETIMEDOUT",
  "ETLS",
]);

/** The mail server is not there, or is about to go: other mails would fare no better. */
export function isUnreachable(error: unknown): boolean {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  return responseCode === 421 || (responseCode === undefined && connectionErrors.has(code));
}
