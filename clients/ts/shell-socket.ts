/** The socket of a shell in Node. What is typed goes in, what the terminal shows comes out, and at last how it ended. */
import { rootCertificates } from "node:tls";
import { WebSocket, type RawData } from "ws";
import { readShellMessage, type ShellEnd } from "./shell-messages.ts";

export interface ShellConnection {
  url: string;
  protocols: readonly string[];
  token?: string | undefined;
  /** PEM of an authority to trust in addition to the system's. */
  ca?: string | undefined;
}

export interface ShellHandlers {
  onReady(): void;
  onOutput(bytes: Buffer): void;
}

export interface ShellSocket {
  type(bytes: Buffer): void;
  resize(columns: number, rows: number): void;
  close(): void;
  /** Resolves with how it ended; rejects where the connection is lost before that is known. */
  ended: Promise<ShellEnd>;
}

/** A frame may have no more. */
const inputBytes = 32 * 1024;

export function openShellSocket(shell: ShellConnection, handlers: ShellHandlers): ShellSocket {
  const socket = new WebSocket(shell.url, [...shell.protocols], {
    ...(shell.ca === undefined ? {} : { ca: [...rootCertificates, shell.ca] }),
    ...(shell.token === undefined ? {} : { headers: { authorization: `Bearer ${shell.token}` } }),
    handshakeTimeout: 10_000,
    perMessageDeflate: false,
  });
  socket.binaryType = "nodebuffer";
  const send = (data: Buffer | string) => {
    if (socket.readyState === socket.OPEN) socket.send(data);
  };
  const ended = new Promise<ShellEnd>((resolve, reject) => {
    let why = "the connection was lost";
    socket.on("message", (data: RawData, isBinary: boolean) => {
      if (isBinary) return handlers.onOutput(data as Buffer);
      const message = readShellMessage((data as Buffer).toString("utf8"));
      if (message?.t === "ready") handlers.onReady();
      if (message?.t === "ended") resolve(message);
    });
    socket.on("error", (error) => (why = error.message));
    socket.on("close", (_code, reason) => reject(new Error(reason.toString() || why)));
  });
  return {
    type(bytes) {
      for (let at = 0; at < bytes.length; at += inputBytes) send(bytes.subarray(at, at + inputBytes));
    },
    resize: (columns, rows) => send(JSON.stringify({ t: "resize", columns, rows })),
    close: () => socket.close(1000),
    ended,
  };
}
