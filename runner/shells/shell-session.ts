/**
 * One shell: a terminal in the job's container on one side, a socket to the server on the other. Nothing is kept here: when one side
 * does not take more, the other one is not read.
 */
import type { Readable } from "node:stream";
import { RunnerShellMessage, ShellResize, shellFrameKinds } from "@forgeline/schemas/shells/socket.ts";
import type { WebSocket } from "ws";
import type { EngineShell } from "../engine/engine.ts";
import { StreamMask } from "./stream-mask.ts";

/** Somebody waits for what is held back on the screen, and may have typed only the beginning of something. */
const holdBackMs = 40;
const bufferedMax = 256 * 1024;
const pieceBytes = 32 * 1024;

export interface ShellSession {
  /** Ends it with a sentence for whoever has it open. Resolves when nothing of it is left in the container. */
  end(message: string): Promise<void>;
  /** Resolves when it is over. Never rejects. */
  finished: Promise<void>;
}

/** `socket` is open. `forms` are what must not be seen. */
export function runShell(socket: WebSocket, shell: EngineShell, forms: readonly Buffer[]): ShellSession {
  const finished = Promise.withResolvers<void>();
  let isOver = false;
  const send = createSender(socket, shell.output);
  const screen = new StreamMask(forms);
  const log = new StreamMask(forms);
  let late: NodeJS.Timeout | undefined;

  const show = (chunk: Buffer) => {
    clearTimeout(late);
    send(shellFrameKinds.screen, screen.push(chunk));
    send(shellFrameKinds.log, log.push(chunk));
    if (screen.isHolding) late = setTimeout(() => send(shellFrameKinds.screen, screen.flush()), holdBackMs);
  };
  const over = async (exitCode: number | null, message: string | null) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(late);
    send(shellFrameKinds.screen, screen.flush());
    send(shellFrameKinds.log, log.flush());
    tell(socket, { t: "exited", exitCode, message });
    await shell.end().catch(() => undefined);
    socket.close(1000);
    finished.resolve();
  };
  shell.output.on("data", show);
  shell.output.once("end", () => {
    if (!isOver)
      void shell.exitCode().then(
        (code) => over(code, null),
        () => over(null, null),
      );
  });
  receiveInput(socket, shell);
  socket.once("close", () => void over(null, null));
  tell(socket, { t: "ready" });
  return { end: (message) => over(null, message), finished: finished.promise };
}

function tell(socket: WebSocket, message: RunnerShellMessage): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message));
}

/** The terminal is not read while the socket holds much that is not sent. */
function createSender(socket: WebSocket, source: Readable) {
  return (kind: number, bytes: Buffer): void => {
    for (let from = 0; from < bytes.length && socket.readyState === socket.OPEN; from += pieceBytes) {
      const piece = Buffer.concat([Buffer.of(kind), bytes.subarray(from, from + pieceBytes)]);
      socket.send(piece, () => {
        if (socket.bufferedAmount < bufferedMax / 2) source.resume();
      });
    }
    if (socket.bufferedAmount > bufferedMax) source.pause();
  };
}

function receiveInput(socket: WebSocket, shell: EngineShell): void {
  shell.input.on("drain", () => socket.resume());
  // The end of the output tells the rest.
  shell.input.on("error", () => undefined);
  socket.on("message", (bytes: Buffer, isBinary) => {
    if (isBinary) {
      if (shell.input.writable && !shell.input.write(bytes)) socket.pause();
      return;
    }
    const resize = readResize(bytes);
    if (resize) void shell.resize(resize.columns, resize.rows).catch(() => undefined);
  });
}

function readResize(bytes: Buffer): ShellResize | undefined {
  try {
    return ShellResize.safeParse(JSON.parse(bytes.toString("utf8"))).data;
  } catch {
    return undefined;
  }
}
