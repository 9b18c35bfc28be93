/** Text of somebody, of several lines, as a terminal may show it. */
import { terminalSafe } from "./terminal-safe.ts";

export function safeLines(text: string): string {
  return text.trimEnd().split("\n").map(terminalSafe).join("\n");
}
