/** A terminal in an element of the page, joined to the socket of a shell. Fetched only when somebody opens one. */
import { FitAddon } from "@xterm/addon-fit";
import { Terminal } from "@xterm/xterm";
import "@xterm/xterm/css/xterm.css";
import { readShellMessage, type ShellEnd } from "@forgeline/client/shell-messages.ts";
import { allowStyles } from "./allow-styles.ts";

export interface TerminalOptions {
  element: HTMLElement;
  label: string;
  /** Asks the server for a shell of this size. */
  ask: (size: { columns: number; rows: number }) => Promise<{ socket_url: string; protocols: string[] }>;
  onReady: () => void;
  /** Null: the connection was lost. */
  onEnd: (end: ShellEnd | null) => void;
  onProblem: (error: unknown) => void;
}

const inputCharacters = 16_000;

/** Returns what closes it. */
export function openTerminal(options: TerminalOptions): () => void {
  const forbidStyles = allowStyles();
  const terminal = new Terminal({
    cursorBlink: true,
    // Programs choose colours for other backgrounds.
    minimumContrastRatio: 4.5,
    fontSize: 13,
    fontFamily: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
    scrollback: 5_000,
    theme: { background: "#12151c", foreground: "#e6e8ee" },
  });
  const fit = new FitAddon();
  terminal.loadAddon(fit);
  terminal.open(options.element);
  terminal.textarea?.setAttribute("aria-label", options.label);
  // Every other key is the shell's: without this one nobody could leave the terminal by the keyboard.
  terminal.attachCustomKeyEventHandler(({ key, shiftKey }) => !(key === "Tab" && shiftKey));
  fit.fit();
  const resized = new ResizeObserver(() => fit.fit());
  resized.observe(options.element);
  let socket: WebSocket | undefined;
  let isClosed = false;
  options
    .ask({ columns: terminal.cols, rows: terminal.rows })
    .then((shell) => {
      if (!isClosed) socket = connect(terminal, shell, options);
    })
    .catch(options.onProblem);
  return () => {
    isClosed = true;
    resized.disconnect();
    socket?.close(1000);
    terminal.dispose();
    forbidStyles();
  };
}

function connect(
  terminal: Terminal,
  shell: { socket_url: string; protocols: string[] },
  { onReady, onEnd }: TerminalOptions,
): WebSocket {
  // An instance may have several names, and a page may only reach its own.
  const address = new URL(new URL(shell.socket_url).pathname, location.origin.replace(/^http/, "ws"));
  const socket = new WebSocket(address, shell.protocols);
  socket.binaryType = "arraybuffer";
  const encoder = new TextEncoder();
  let end: ShellEnd | null = null;
  const send = (data: Uint8Array<ArrayBuffer> | string) => {
    if (socket.readyState === socket.OPEN) socket.send(data);
  };
  terminal.onData((typed) => {
    for (let at = 0; at < typed.length; at += inputCharacters)
      send(encoder.encode(typed.slice(at, at + inputCharacters)));
  });
  terminal.onBinary((typed) => send(Uint8Array.from(typed, (character) => character.charCodeAt(0))));
  terminal.onResize(({ cols: columns, rows }) => send(JSON.stringify({ t: "resize", columns, rows })));
  socket.addEventListener("message", ({ data }: MessageEvent<ArrayBuffer | string>) => {
    if (typeof data !== "string") return terminal.write(new Uint8Array(data));
    const message = readShellMessage(data);
    if (message?.t === "ended") end = message;
    if (message?.t !== "ready") return;
    terminal.focus();
    onReady();
  });
  socket.addEventListener("close", () => {
    // Nobody listens any more: keys are the page's again.
    terminal.attachCustomKeyEventHandler(() => false);
    onEnd(end);
  });
  return socket;
}
