/** The one place that turns results and errors into answers for Git LFS clients. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { errorCatalogue } from "@forgeline/schemas/core/errors.ts";
import { AppError } from "../../platform/app-error.ts";
import type { Logger } from "../../platform/logger.ts";

const mediaType = "application/vnd.git-lfs+json";

export function sendLfs(res: ServerResponse, status: number, body: object): void {
  res.end(begin(res, status, body));
}

/** The rest of the answer; its length was already sent, so that clients know where it ends. */
function begin(res: ServerResponse, status: number, body: object): string {
  const text = JSON.stringify(body);
  res.writeHead(status, {
    "Content-Type": mediaType,
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
  });
  return text;
}

/** How long the data of a refused upload is still read. */
const patienceMs = 2_000;

/**
 * Node closes the connection after an answer if the request was not read, and a client that is still sending then often sees
 * only the reset. So the answer does not end before the client has closed, which it does once it has read it.
 */
function sendToSender(req: IncomingMessage, res: ServerResponse, text: string): void {
  const end = () => {
    clearTimeout(timer);
    res.end();
  };
  const timer = setTimeout(end, patienceMs).unref();
  req.once("end", end).once("error", end).once("close", end).resume();
  res.write(text);
}

/** Throws `unsupported_media_type` for a body, and for an answer, that is not JSON of Git LFS. */
export function requireLfsJson(req: IncomingMessage): void {
  const [type = "", ...parameters] = (req.headers["content-type"] ?? "").toLowerCase().split(";");
  const charset = parameters.map((each) => each.trim()).find((each) => each.startsWith("charset="));
  const isJson = [mediaType, "application/json"].includes(type.trim());
  if (!isJson || (charset && !/^charset="?utf-8"?$/.test(charset)))
    throw new AppError("unsupported_media_type", { message: `The content type must be ${mediaType}.` });
}

export interface RefuseOptions {
  logger: Logger;
  requestId: string;
  docsUrl: string;
  /** Without a credential: hidden resources ask for one, so that anonymous clients do not learn what exists. */
  isAnonymous: boolean;
}

/** If an answer was already begun, the connection is cut. */
export function refuseLfs(
  { req, res }: { req: IncomingMessage; res: ServerResponse },
  error: unknown,
  options: RefuseOptions,
): void {
  if (res.headersSent || res.destroyed) {
    res.destroy();
    return;
  }
  const { status, problem } = judge(error, options);
  if (!req.complete) res.setHeader("Connection", "close");
  if (status === 401) {
    res.setHeader("LFS-Authenticate", 'Basic realm="Forgeline"');
    res.setHeader("WWW-Authenticate", 'Basic realm="Forgeline", charset="UTF-8"');
  }
  const retryAfter = problem.options.retryAfterSeconds ?? (status >= 500 ? 10 : undefined);
  if (retryAfter !== undefined) res.setHeader("Retry-After", String(Math.max(1, Math.ceil(retryAfter))));
  const { reset_at: _, ...extra } = problem.options.extra ?? {};
  const text = begin(res, status, {
    message: problem.message,
    documentation_url: `${options.docsUrl}/errors#${problem.code}`,
    request_id: options.requestId,
    ...extra,
  });
  const isSending = req.method === "PUT" && !req.complete && req.readableFlowing === null;
  if (isSending) sendToSender(req, res, text);
  else res.end(text);
}

function judge(error: unknown, options: RefuseOptions): { status: number; problem: AppError } {
  if (isStorageFull(error)) {
    options.logger.error(
      { err: error, request_id: options.requestId },
      "no disk space left for Git LFS objects",
    );
    const message = "The server does not have enough space for this.";
    return { status: 507, problem: new AppError("unavailable", { message, retryAfterSeconds: 60 }) };
  }
  let problem = error instanceof AppError ? error : new AppError("unavailable", { cause: error });
  if (problem !== error)
    options.logger.error({ err: error, request_id: options.requestId }, "a Git LFS request failed");
  if (options.isAnonymous && (problem.code === "not_found" || problem.code === "forbidden"))
    problem = new AppError("unauthorized", {
      message: "Use a Forgeline token as the password; the user name does not matter.",
    });
  return { status: errorCatalogue[problem.code].status, problem };
}

function isStorageFull(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT";
}
