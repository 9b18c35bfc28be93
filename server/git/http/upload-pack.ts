/** Clone and fetch: Git's `upload-pack` between the request and the response. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { AppError } from "../../platform/app-error.ts";
import type { Logger } from "../../platform/logger.ts";
import { firstText } from "../first-text.ts";
import type { ListRefs } from "../ref-listing.ts";
import type { Git } from "../run-git.ts";
import { startUploadPack } from "../start-upload-pack.ts";
import { clientGone } from "./limit-time.ts";
import { notOurs, readRequest, type LetThrough } from "./wants.ts";

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

export interface FetchServices {
  listRefs: ListRefs;
  letThrough: LetThrough;
}

/**
 * Resolves when all is sent or the client is gone; then Git is ended too. True when there was a pack. Throws `bad_request`
 * for what Git cannot read, `payload_too_large`.
 */
export async function serveUploadPack(exchange: Exchange & FetchServices): Promise<boolean> {
  const { git, letThrough, directory, protocol, res } = exchange;
  const gone = clientGone(res);
  const request = await readRequest(exchange.body);
  const refs = protocol === "version=2" && (await exchange.listRefs(directory, request));
  const child =
    refs || (await startUploadPack({ git, letThrough, directory, protocol, request, signal: gone }));
  if (!child || Buffer.isBuffer(child)) {
    res.end(child ?? notOurs());
    return false;
  }
  const problems = firstText(child.stderr!);
  const pack = createPackWatch();
  await child.pieces!((piece) => {
    pack.see(piece);
    return send(res, piece, gone);
  });
  const exitCode = await child.closed;
  if (exitCode !== 0 && !gone.aborted) {
    exchange.logger.info({ exit_code: exitCode, stderr: problems() }, "git upload-pack ended early");
    if (!res.headersSent) throw unreadable(exitCode);
  }
  res.end();
  return pack.wasSeen();
}

/** For when Git ended without a word to the client. */
export function unreadable(exitCode: number | null): AppError {
  return exitCode === null
    ? new AppError("unavailable")
    : new AppError("bad_request", { message: "Git cannot read this request." });
}

/** How every pack begins, also behind the side band's header; nothing else that Git sends has zero bytes like these. */
const packHeader = Buffer.from("PACK\0\0\0\u0002", "latin1");

function createPackWatch() {
  let found = false;
  let tail = Buffer.alloc(0);
  return {
    wasSeen: () => found,
    see(piece: Buffer): void {
      if (found) return;
      found = piece.includes(packHeader) || Buffer.concat([tail, piece.subarray(0, 8)]).includes(packHeader);
      tail = Buffer.concat([tail, piece.subarray(-7)]).subarray(-7);
    },
  };
}

/** Resolves when the piece has gone, or nobody waits for it any more. */
function send(res: ServerResponse, piece: Buffer, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (gone.aborted) return resolve();
    const done = () => {
      gone.removeEventListener("abort", done);
      resolve();
    };
    gone.addEventListener("abort", done);
    res.write(piece, done);
  });
}
