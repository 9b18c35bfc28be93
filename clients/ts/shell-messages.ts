/** What the server tells the viewer of a shell beside what the terminal shows. */

export interface ShellEnd {
  t: "ended";
  reason: string;
  /** A sentence for people. */
  message: string;
  /** Of the shell itself; null unless it ended by itself. */
  exit_code: number | null;
}

export type ShellMessage = { t: "ready" } | ShellEnd;

/** Undefined for what a newer server may say in addition. */
export function readShellMessage(text: string): ShellMessage | undefined {
  const message = JSON.parse(text) as ShellMessage;
  return message.t === "ready" || message.t === "ended" ? message : undefined;
}
