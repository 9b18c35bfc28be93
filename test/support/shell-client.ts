/** A viewer of a shell that keeps what it was shown and told. */
import type { Shell } from "@forgeline/schemas/shells/resource.ts";
import { ShellMessage, type ShellEnded } from "@forgeline/schemas/shells/socket.ts";
import { WebSocket } from "ws";
import { eventually } from "./eventually.ts";

export interface TestShell {
  socket: WebSocket;
  /** All that the terminal has shown. */
  screen(): string;
  type(text: string): void;
  resize(columns: number, rows: number): void;
  /** Resolves when the screen shows it. */
  shows(text: string | RegExp): Promise<string>;
  isReady(): boolean;
  ended(): ShellEnded | undefined;
  opened: Promise<void>;
  closed: Promise<{ code: number; reason: string }>;
}

export interface ShellClientOptions {
  ca: string;
  /** Sent as `Authorization`, as the command line does; a browser sends `Origin`. */
  token?: string;
  origin?: string;
  /** Another server of the instance. */
  server?: string;
}

export function connectShell(
  shell: Pick<Shell, "socket_url" | "protocols">,
  { ca, token, origin, server }: ShellClientOptions,
): TestShell {
  const url = new URL(shell.socket_url);
  if (server) url.port = new URL(server).port;
  const socket = new WebSocket(url, shell.protocols, {
    ca,
    perMessageDeflate: false,
    ...(origin ? { origin } : {}),
    ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}),
  });
  let screen = "";
  let isReady = false;
  let ended: ShellEnded | undefined;
  socket.on("message", (bytes: Buffer, isBinary) => {
    if (isBinary) {
      screen += bytes.toString("utf8");
      // Some shells wait for the position of the cursor, which terminals tell.
      if (bytes.includes("\u001B[6n")) socket.send(Buffer.from("\u001B[1;1R"));
      return;
    }
    const message = ShellMessage.parse(JSON.parse(bytes.toString("utf8")));
    if (message.t === "ended") ended = message;
    else isReady = true;
  });
  const opened = new Promise<void>((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  opened.catch(() => undefined);
  return {
    socket,
    opened,
    closed: new Promise((resolve) => {
      socket.once("close", (code, reason) => resolve({ code, reason: reason.toString() }));
    }),
    screen: () => screen,
    type: (text) => socket.send(Buffer.from(text)),
    resize: (columns, rows) => socket.send(JSON.stringify({ t: "resize", columns, rows })),
    shows: (text) =>
      eventually(() => {
        const isThere = typeof text === "string" ? screen.includes(text) : text.test(screen);
        if (!isThere) throw new Error(`the terminal shows only ${JSON.stringify(screen.slice(-500))}`);
        return screen;
      }),
    isReady: () => isReady,
    ended: () => ended,
  };
}
