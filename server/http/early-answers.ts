/**
 * The answer to plain HTTP, which needs no application: 403 `https_required`, closed, never a redirect; neither headers
 * nor body are looked at.
 */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { errorCatalogue } from "@forgeline/schemas/core/errors.ts";

interface EarlyAnswer {
  status: number;
  headers: Record<string, string>;
  text: string;
}

function httpsRequired(docsUrl: string): EarlyAnswer {
  const error = "https_required";
  const { status, message } = errorCatalogue[error];
  const text = JSON.stringify({
    error,
    message,
    documentation_url: `${docsUrl}/errors#${error}`,
  });
  const headers = {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(text)),
    "X-Request-Id": randomUUID(),
    Connection: "close",
  };
  return { status, headers, text };
}

export function refusePlainHttp(res: ServerResponse, docsUrl: string): void {
  const { status, headers, text } = httpsRequired(docsUrl);
  res.writeHead(status, headers).end(text);
}

export function refusePlainUpgrade(socket: Duplex, docsUrl: string): void {
  const { headers, text } = httpsRequired(docsUrl);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on("error", () => undefined);
  socket.end(`HTTP/1.1 403 Forbidden\r\n${lines.join("")}\r\n${text}`);
}
