/**
 * One connection to the server: opens it, parses what comes, tells when it is over. No memory of other connections.
 */
import type { Buffer } from "node:buffer";
import WebSocket from "ws";
import { leaseBytes } from "@forgeline/schemas/runner-protocol/field-limits.ts";
import { type RunnerMessage, ServerMessage } from "@forgeline/schemas/runner-protocol/messages.ts";
import { runnerSubprotocol } from "@forgeline/schemas/runner-protocol/version.ts";

export interface SocketOptions {
  url: string;
  credential: string;
  /** PEM of the authority that signed the server's certificate; null trusts the system's. */
  ca: string | null;
  /** Leases at a time: `welcome` may hold so many. */
  capacity: number;
  onOpen: () => void;
  onMessage: (message: ServerMessage) => void;
  /** A text frame that is no message of the protocol; `id` where one could be read. */
  onBadMessage: (id: number | null, problem: string) => void;
  onClose: (close: Close) => void;
}

/** How a connection ended; told once. */
export interface Close {
  code: number;
  reason: string;
  /** HTTP status, when the upgrade was refused. */
  status: number | null;
  /** How long the server wants to be left alone, when it said so at the upgrade. */
  retryAfterMs: number | null;
}

export interface Socket {
  send(message: RunnerMessage): void;
  sendBinary(bytes: Uint8Array): void;
  bufferedBytes(): number;
  close(code: number, reason: string): void;
  /** Ends it at once; `onClose` follows. */
  terminate(): void;
}

const handshakeTimeoutMs = 10_000;
/** No runner's leases come near to this together, and V8's longest string is twice as long. */
const maxMessageBytes = 256 * 1024 * 1024;

export function openSocket(options: SocketOptions): Socket {
  const ws = new WebSocket(options.url, [runnerSubprotocol], {
    headers: { authorization: `Bearer ${options.credential}` },
    handshakeTimeout: handshakeTimeoutMs,
    maxPayload: Math.min((1 + options.capacity) * leaseBytes, maxMessageBytes),
    perMessageDeflate: false,
    ...(options.ca === null ? {} : { ca: options.ca }),
  });
  let status: number | null = null;
  let retryAfterMs: number | null = null;
  let failure = "";
  ws.on("open", options.onOpen);
  ws.on("message", (data: Buffer, isBinary: boolean) => receive(options, data, isBinary));
  ws.on("unexpected-response", (request, response) => {
    status = response.statusCode ?? null;
    retryAfterMs = 1_000 * Number(response.headers["retry-after"]) || null;
    failure = `the server responded with ${status}`;
    request.destroy();
    ws.terminate();
  });
  ws.on("error", (error) => {
    failure ||= error.message;
  });
  ws.once("close", (code, reason) =>
    options.onClose({ code, reason: reason.toString() || failure, status, retryAfterMs }),
  );
  return {
    send: (message) => ws.send(JSON.stringify(message), ignoreFailure),
    sendBinary: (bytes) => ws.send(bytes, ignoreFailure),
    bufferedBytes: () => ws.bufferedAmount,
    close: (code, reason) => ws.close(code, reason),
    terminate: () => ws.terminate(),
  };
}

/** A failed send shows as the close of the connection. */
function ignoreFailure(): void {}

function receive(options: SocketOptions, data: Buffer, isBinary: boolean): void {
  if (isBinary) return options.onBadMessage(null, "binary frames are not expected from the server");
  let json: unknown;
  try {
    json = JSON.parse(data.toString());
  } catch {
    return options.onBadMessage(null, "not JSON");
  }
  const parsed = ServerMessage.safeParse(json);
  if (parsed.success) return options.onMessage(parsed.data);
  const issue = parsed.error.issues[0];
  options.onBadMessage(idOf(json), `${issue?.path.join(".") ?? ""}: ${issue?.message ?? "invalid"}`);
}

function idOf(json: unknown): number | null {
  if (typeof json !== "object" || json === null || !("id" in json)) return null;
  return Number.isInteger(json.id) && Number(json.id) >= 1 ? Number(json.id) : null;
}
