/** Examples at the end of a command's help. */
import type { Command } from "commander";

export function addExamples(command: Command, lines: readonly string[]): void {
  command.addHelpText("after", ["", "Examples:", ...lines.map((line) => `  ${line}`)].join("\n"));
}
