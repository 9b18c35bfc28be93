/**
 * Takes answers to mails of notifications from the mail servers of the operator, over SMTP or LMTP. What is no answer of somebody is
 * taken and dropped, because a refusal would become a mail to whoever is named as its sender.
 */
import type { AddressInfo } from "node:net";
import type { Readable } from "node:stream";
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from "smtp-server";
import type { Config } from "../../config/config.ts";
import type { InboundReplies } from "../../domains/collaboration/domain.ts";
import { createCounter } from "../../platform/declared-metrics.ts";
import type { Logger } from "../../platform/logger.ts";
import type { Metrics } from "../../platform/metrics.ts";
import { readMail } from "./read-mail.ts";

export interface InboundMailDeps {
  config: Pick<Config, "inboundMail">;
  /** Undefined where the instance has no address for answers. */
  collaboration: { inboundReplies: InboundReplies | undefined };
  platform: { logger: Logger; metrics: Metrics };
}

export interface InboundMailServer {
  port: number;
  close(): Promise<void>;
}

const maxBytes = 1024 * 1024;
const maxRecipients = 5;
const maxConnections = 20;
const waitMs = 60_000;

/** Undefined without a port. Rejects when the port is taken. */
export async function openInboundMail(deps: InboundMailDeps): Promise<InboundMailServer | undefined> {
  const { inboundMail: settings } = deps.config;
  const { inboundReplies } = deps.collaboration;
  if (settings.port === undefined || !inboundReplies) return undefined;
  const options = optionsOf(deps, inboundReplies);
  const servers: SMTPServer[] = [];
  let { port } = settings;
  for (const address of settings.listen) {
    const server = new SMTPServer(options);
    servers.push(server);
    port = await listen(server, port, address);
    server.on("error", (error) =>
      deps.platform.logger.debug({ error: error.message }, "a mail connection failed"),
    );
  }
  return {
    port,
    async close() {
      await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(resolve))));
    },
  };
}

function listen(server: SMTPServer, port: number, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, address, () => {
      server.off("error", reject);
      resolve((server.server.address() as AddressInfo).port);
    });
  });
}

function optionsOf(deps: InboundMailDeps, replies: InboundReplies): SMTPServerOptions {
  const { logger, metrics } = deps.platform;
  const { protocol, relays } = deps.config.inboundMail;
  const outcomes = createCounter(metrics, "forgeline_inbound_mails_total");
  return {
    lmtp: protocol === "lmtp",
    banner: "Forgeline",
    size: maxBytes,
    maxClients: maxConnections,
    socketTimeout: waitMs,
    // The mail servers are the operator's own, as a rule on the same machine.
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    onConnect({ remoteAddress }, done) {
      if (relays.contains(remoteAddress)) done();
      else done(refusal(554, "Mails are not taken from this address"));
    },
    onRcptTo({ address }, { envelope }, done) {
      if (!replies.isAddress(address)) done(refusal(550, "There is no such address"));
      else if (envelope.rcptTo.length >= maxRecipients) done(refusal(452, "Too many recipients"));
      else done();
    },
    onData(stream, session, done) {
      const count = (outcome: string) => outcomes.inc({ outcome });
      void answer(takeMail({ logger, replies, count }, stream, session), done);
    },
  };
}

async function answer(taken: Promise<void>, done: (problem: Error | null) => void): Promise<void> {
  let problem: Error | null = null;
  try {
    await taken;
  } catch (error) {
    problem = error as Error;
  }
  done(problem);
}

interface Taking {
  replies: InboundReplies;
  logger: Logger;
  count(outcome: string): void;
}

/** Rejects with what the sending mail server is told. */
async function takeMail(taking: Taking, stream: Readable, session: SMTPServerSession): Promise<void> {
  const { replies, logger, count } = taking;
  const source = await readAll(stream);
  if (!source) {
    count("too_large");
    throw refusal(552, "The mail is larger than 1 MiB");
  }
  const { mailFrom, rcptTo } = session.envelope;
  const mail = await readMail(source, mailFrom === false ? "" : mailFrom.address).catch(() => undefined);
  if (!mail) return count("unreadable");
  for (const address of new Set(rcptTo.map((recipient) => recipient.address)))
    try {
      count(await replies.take(address, mail));
    } catch (error) {
      logger.warn({ error: (error as Error).message }, "could not take an answer by mail");
      count("failed");
      throw refusal(451, "Try again later");
    }
}

/** All of it is read, as SMTP wants; undefined for what is too large. */
async function readAll(stream: Readable): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes <= maxBytes) parts.push(part);
  }
  return bytes <= maxBytes ? Buffer.concat(parts) : undefined;
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
