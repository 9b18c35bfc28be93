/** Clone and fetch: Git's `upload-pack` between the request and the response. */
import type { ServerResponse } from "node:http";
import { AppError } from "../../platform/app-error.ts";
import type { Logger } from "../../platform/logger.ts";
import { firstText } from "../../platform/git/processes/first-text.ts";
import type { ListRefs } from "../../platform/git/refs/ref-listing.ts";
import type { Git } from "../../platform/git/processes/run-git.ts";
import { startUploadPack } from "../../platform/git/transfer/start-upload-pack.ts";
import type { Pace } from "../../platform/git/processes/pace.ts";
import { send } from "../../platform/git/processes/client-pace.ts";
import { clientGone } from "./limit-time.ts";
import { notOurRef, type WantFilter } from "../../platform/git/transfer/wants.ts";

export interface Exchange {
  git: Git;
  logger: Logger;
  directory: string;
  protocol: string | undefined;
  /** Then Git is ended. */
  timeoutMs: number;
  /** Limits of the client, while it is its turn to send or to read. */
  pace: Pace;
  res: ServerResponse;
}

export interface Fetching extends Exchange {
  listRefs: ListRefs;
  wantFilter: WantFilter;
  /** The whole body, decompressed. */
  request: Buffer;
}

/**
 * Resolves when the client has read everything or is gone; then Git has ended too. True if there was a pack. Throws
 * `bad_request` for input that Git cannot read, `payload_too_large`.
 */
export async function serveUploadPack(exchange: Fetching): Promise<boolean> {
  const { git, wantFilter, directory, protocol, request, res, pace } = exchange;
  const gone = clientGone(res);
  const refs = protocol === "version=2" && (await exchange.listRefs(directory, request));
  const child =
    refs || (await startUploadPack({ git, wantFilter, directory, protocol, request, signal: gone }));
  if (!child || Buffer.isBuffer(child)) {
    await send({ res, pace, gone }, child ?? notOurRef());
    res.end();
    return false;
  }
  const problems = firstText(child.stderr!);
  const pack = createPackWatch();
  await child.pieces!((piece) => {
    pack.see(piece);
    return send({ res, pace, gone }, piece);
  });
  const exitCode = await child.closed;
  if (exitCode !== 0 && !gone.aborted) {
    exchange.logger.info({ exit_code: exitCode, stderr: problems() }, "git upload-pack ended early");
    if (!res.headersSent) throw unreadable(exitCode);
  }
  res.end();
  return pack.wasSeen();
}

/** For when Git ended without a message to the client. */
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
