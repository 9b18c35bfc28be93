/** The answer to plain HTTP: 403 `https_required`, closed, never a redirect; neither headers nor body are looked at. */
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { errorCatalogue } from "@forgeline/schemas/core/errors.ts";

function body(docsUrl: string): string {
  return JSON.stringify({
    error: "https_required",
    message: errorCatalogue.https_required.message,
    documentation_url: `${docsUrl}/errors#https_required`,
  });
}

export function refusePlainHttp(res: ServerResponse, docsUrl: string): void {
  const text = body(docsUrl);
  res.writeHead(403, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
    Connection: "close",
  });
  res.end(text);
}

export function refusePlainUpgrade(socket: Duplex, docsUrl: string): void {
  const text = body(docsUrl);
  socket.on("error", () => undefined);
  socket.end(
    `HTTP/1.1 403 Forbidden\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  );
}
