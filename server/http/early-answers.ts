/**
 * Answers that need no application: to plain HTTP (403 `https_required`, closed, never a redirect; neither headers nor
 * body are looked at), and to whoever comes while the server still starts.
 */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { errorCatalogue, type ErrorCode } from "@forgeline/schemas/core/errors.ts";

interface EarlyAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

function early(error: ErrorCode, docsUrl: string): EarlyAnswer {
  const { status, message } = errorCatalogue[error];
  const requestId = randomUUID();
  const text = JSON.stringify({
    error,
    message,
    documentation_url: `${docsUrl}/errors#${error}`,
    ...(status >= 500 ? { request_id: requestId } : {}),
  });
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(text)),
    "X-Request-Id": requestId,
    Connection: "close",
  };
  return { status, headers, text };
}

export function refusePlainHttp(res: ServerResponse, docsUrl: string): void {
  const { status, headers, text } = early("https_required", docsUrl);
  res.writeHead(status, headers).end(text);
}

export function refuseUntilReady(res: ServerResponse, docsUrl: string): void {
  const { status, headers, text } = early("unavailable", docsUrl);
  res.writeHead(status, { ...headers, "Retry-After": "1" }).end(text);
}

export function refusePlainUpgrade(socket: Duplex, docsUrl: string): void {
  const { headers, text } = early("https_required", docsUrl);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on("error", () => undefined);
  socket.end(`HTTP/1.1 403 Forbidden\r\n${lines.join("")}\r\n${text}`);
}
