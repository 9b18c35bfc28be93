/** Clone and fetch: Git's `upload-pack` between the request and the response. */
import type { ChildProcess } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { AppError } from "../../platform/app-error.ts";
import type { Logger } from "../../platform/logger.ts";
import { giveWay, type Git } from "../run-git.ts";
import { firstText } from "../first-text.ts";
import { asksForAll, mayHave, notOurs, parseWants, readRequest } from "./wants.ts";

export interface Exchange {
  git: Git;
  logger: Logger;
  directory: string;
  protocol: string | undefined;
  /** Then Git is ended. */
  timeoutMs: number;
  req: IncomingMessage;
  /** The request's body, unpacked. */
  body: Readable;
  res: ServerResponse;
}

/**
 * Resolves when all is sent or the client is gone; then Git is ended too. True when there was a pack. Throws `bad_request`
 * for what Git cannot read, `payload_too_large`.
 */
export async function serveUploadPack(exchange: Exchange): Promise<boolean> {
  const { git, directory, protocol, res } = exchange;
  const gone = new AbortController();
  const child = git.start({
    directory,
    args: ["upload-pack", "--stateless-rpc", directory],
    env: protocol ? { GIT_PROTOCOL: protocol } : {},
    stdio: ["pipe", "pipe", "pipe"],
    signal: gone.signal,
  });
  const problems = firstText(child.stderr!);
  let hasPack = () => false;
  res.once("close", () => gone.abort(new Error("the client is gone")));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode) => {
      if (exitCode !== 0 && !gone.signal.aborted)
        exchange.logger.info({ exit_code: exitCode, stderr: problems() }, "git upload-pack ended early");
      resolve(exitCode);
    });
  });
  // Started before the request is read, so that looking at it costs little time.
  ended.catch(() => undefined);
  try {
    if (!(await feed(exchange, child))) {
      res.end(notOurs());
      gone.abort(new Error("refused"));
    } else {
      hasPack = watchForPack(child.stdout!);
      child.stdout!.pipe(res, { end: false });
    }
  } catch (error) {
    gone.abort(error);
    throw error;
  }
  const exitCode = await ended;
  if (exitCode !== 0 && !res.headersSent && !gone.signal.aborted) throw unreadable(exitCode);
  res.end();
  return hasPack();
}

/** For when Git ended without a word to the client. */
export function unreadable(exitCode: number | null): AppError {
  return exitCode === null
    ? new AppError("unavailable")
    : new AppError("bad_request", { message: "Git cannot read this request." });
}

/** Hands the request to Git; false, and nothing handed on, when it wants what is not to be had. */
async function feed(exchange: Exchange, child: ChildProcess): Promise<boolean> {
  const stdin = child.stdin!;
  // Git may stop reading early, for example after a client's mistake; its answer says why.
  stdin.on("error", () => undefined);
  const request = await readRequest(exchange.body);
  if (!(await mayHave(exchange.git.run, exchange.directory, parseWants(request)))) return false;
  if (asksForAll(request)) giveWay(child);
  stdin.end(request);
  return true;
}

/** How every pack begins, also behind the side band's header; nothing else that Git sends has zero bytes like these. */
const packHeader = Buffer.from("PACK\0\0\0\u0002", "latin1");

function watchForPack(stream: Readable): () => boolean {
  let found = false;
  let tail = Buffer.alloc(0);
  stream.on("data", function look(chunk: Buffer) {
    found = chunk.includes(packHeader) || Buffer.concat([tail, chunk.subarray(0, 8)]).includes(packHeader);
    tail = Buffer.concat([tail, chunk.subarray(-7)]).subarray(-7);
    if (found) stream.off("data", look);
  });
  return () => found;
}
