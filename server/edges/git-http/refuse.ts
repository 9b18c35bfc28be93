/**
 * The one place that turns errors into answers to Git clients. For the first request of an exchange, Git shows plain text as
 * `remote:` lines. For a later one it would show only the status code, so the refusal is sent in Git's protocol, once the
 * client has sent everything and reads.
 */
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type { Response } from "express";
import { errorCatalogue } from "@forgeline/schemas/core/errors.ts";
import { AppError } from "../../platform/app-error.ts";
import { diskFull, isDiskFull } from "../../platform/disk-full.ts";
import type { Logger } from "../../platform/logger.ts";
import type { PushCommands } from "../../platform/git/transfer/push-commands.ts";
import type { GitAddress } from "./git-address.ts";
import { fetchRefusal, pushRefusal } from "../../platform/git/transfer/refusal-answer.ts";

export interface Refused {
  req: IncomingMessage;
  res: Response;
  error: unknown;
  /** The request had no credential. */
  isAnonymous: boolean;
  address: GitAddress | undefined;
  /** The rest of the request, decompressed. Throws `unsupported_media_type`. */
  readBody: () => Readable;
  /** What was read of a push. */
  commands: PushCommands;
  log: { logger: Logger; requestId: string };
}

/** Git itself and libgit2. Others, such as `git/isomorphic-git@1`, treat such an answer as empty, so they need the status. */
const readsRefusals = /^git\/\d/;
/** How long the rest of a request is read: a client reads the answer only after it has sent everything. */
const dropMs = 60_000;

/** Never rejects. If an answer was already begun, the connection is cut. */
export async function refuse(refused: Refused): Promise<void> {
  const { req, res } = refused;
  const problem = judge(refused);
  const { status } = errorCatalogue[problem.code];
  // For logs and metrics, whatever the answer's own status is.
  res.locals["status"] = status;
  if (!res.headersSent && status !== 401 && (await refuseInProtocol(refused, problem))) return;
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  // Unread data of the client would block the connection.
  if (req.method === "POST" && !req.complete) res.setHeader("Connection", "close");
  if (status === 401) res.setHeader("WWW-Authenticate", 'Basic realm="Forgeline", charset="UTF-8"');
  if (status === 503 || status === 429)
    res.setHeader("Retry-After", String(problem.options.retryAfterSeconds ?? 2));
  const help = status === 401 ? " Use a Forgeline token as the password; the user name does not matter." : "";
  res.writeHead(status, {
    "Content-Type": "text/plain; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
  });
  res.end(`${problem.message}${help}\n`);
}

function judge({ error, isAnonymous, log }: Refused): AppError {
  const unexpected = () =>
    isDiskFull(error) ? diskFull(error) : new AppError("unavailable", { cause: error });
  const problem = error instanceof AppError ? error : unexpected();
  if (problem !== error) log.logger.error({ err: error, request_id: log.requestId }, "a Git request failed");
  // Anonymous clients do not learn whether a repository exists; with a token they may see it.
  const isHidden = isAnonymous && (problem.code === "not_found" || problem.code === "forbidden");
  return isHidden ? new AppError("unauthorized") : problem;
}

/** False if the client does not understand such an answer, or its request cannot be read. */
async function refuseInProtocol(refused: Refused, problem: AppError): Promise<boolean> {
  const { req, res, address, commands } = refused;
  if (address?.kind !== "rpc") return false;
  const type = `application/x-git-${address.service}-result`;
  if (!req.headers.accept?.includes(type) || !readsRefusals.test(req.headers["user-agent"] ?? ""))
    return false;
  if (!(await readRest(refused))) return false;
  // Git shows nothing about the empty packet before a long push; the push itself comes next.
  const answer = isProbe(req)
    ? Buffer.alloc(0)
    : address.service === "upload-pack"
      ? fetchRefusal(problem)
      : pushRefusal(problem, commands);
  if (!answer || res.destroyed) return false;
  res.writeHead(200, { "Content-Type": type, "Cache-Control": "no-store" });
  res.end(answer);
  return true;
}

/** Before a long push Git sends one empty packet, so that little is lost if a credential is required. */
export function isProbe(req: IncomingMessage): boolean {
  return req.headers["content-length"] === "4";
}

/** False if it does not arrive, or cannot be decompressed. */
async function readRest({ req, address, readBody, commands }: Refused): Promise<boolean> {
  const timer = setTimeout(() => req.destroy(), dropMs).unref();
  try {
    if (address?.service === "receive-pack")
      for await (const chunk of readBody().iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>)
        commands.see(chunk);
    else await finished(req.resume());
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}
