/**
 * Answers that come before the application. To plain HTTP: 403 `https_required`, closed, never a redirect; neither headers
 * nor body are looked at. To what is no HTTP, too large in its head or too slow with it: 400, closed.
 */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { errorCatalogue } from "@forgeline/schemas/core/errors.ts";
import { writeAndClose } from "./write-and-close.ts";

interface EarlyAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

function earlyAnswer(
  error: "https_required" | "bad_request",
  docsUrl: string,
  message: string = errorCatalogue[error].message,
): EarlyAnswer {
  const text = JSON.stringify({ error, message, documentation_url: `${docsUrl}/errors#${error}` });
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(text)),
    "Cache-Control": "no-store",
    "X-Request-Id": randomUUID(),
    Connection: "close",
  };
  return { status: errorCatalogue[error].status, headers, text };
}

export function refusePlainHttp(res: ServerResponse, docsUrl: string): void {
  const { status, headers, text } = earlyAnswer("https_required", docsUrl);
  res.writeHead(status, headers).end(text);
}

export function refusePlainUpgrade(socket: Duplex, docsUrl: string): void {
  answerAndClose(socket, earlyAnswer("https_required", docsUrl), "Forbidden");
}

/** For what Node's parser gives up on. To be called only where no answer is under way on the socket. */
export function refuseUnreadable(socket: Duplex, error: NodeJS.ErrnoException, docsUrl: string): void {
  const message =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "The request's first line and headers are too large together."
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? "The request's headers took too long to arrive."
        : "This is not a valid HTTP request.";
  answerAndClose(socket, earlyAnswer("bad_request", docsUrl, message), "Bad Request");
}

function answerAndClose(socket: Duplex, { status, headers, text }: EarlyAnswer, reason: string): void {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  writeAndClose(socket, `HTTP/1.1 ${status} ${reason}\r\n${lines.join("")}\r\n${text}`);
}
