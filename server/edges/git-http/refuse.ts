/**
 * The one place where what went wrong becomes an answer to a client of Git. Of the first request of an exchange it shows a plain
 * text as `remote:` lines. Of a later one it would show the number of the status alone, so there the refusal is said in
 * Git's protocol, once the client has sent all and listens.
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
  /** Nobody was named. */
  isAnonymous: boolean;
  address: GitAddress | undefined;
  /** What is left of the request, unpacked. Throws `unsupported_media_type`. */
  readBody: () => Readable;
  /** What a push was seen to say. */
  commands: PushCommands;
  log: { logger: Logger; requestId: string };
}

/** Git itself and libgit2. Others, such as `git/isomorphic-git@1`, take such an answer for an empty one: they need the status. */
const readsRefusals = /^git\/\d/;
/** How long the rest of a request is read: a client listens only when it has sent all. */
const dropMs = 60_000;

/** Never rejects. Half an answer cannot be taken back: then the connection is cut. */
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
  // What the client still sends would hold the connection.
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
  // Whether a repository exists is not told to strangers: with a token they may see it.
  const isHidden = isAnonymous && (problem.code === "not_found" || problem.code === "forbidden");
  return isHidden ? new AppError("unauthorized") : problem;
}

/** False where the client does not listen for such an answer, or what it says cannot be read. */
async function refuseInProtocol(refused: Refused, problem: AppError): Promise<boolean> {
  const { req, res, address, commands } = refused;
  if (address?.kind !== "rpc") return false;
  const type = `application/x-git-${address.service}-result`;
  if (!req.headers.accept?.includes(type) || !readsRefusals.test(req.headers["user-agent"] ?? ""))
    return false;
  if (!(await readRest(refused))) return false;
  // Of the empty packet before a long push Git shows nothing at all; the push itself comes next.
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

/** Before a long push Git sends one empty packet, to be asked for its credential with little lost. */
export function isProbe(req: IncomingMessage): boolean {
  return req.headers["content-length"] === "4";
}

/** False when it does not come, or cannot be unpacked. */
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
