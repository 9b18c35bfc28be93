/** Cleans up after a test whose process is gone, however it went: killed ones run no handlers. */
import { spawn } from "node:child_process";
import { once } from "node:events";

export interface Guard {
  /** There is nothing left to clean up. */
  dismiss(): void;
  /** Cleans up now. */
  clean(): Promise<void>;
}

/**
 * A shell that runs `script`, with `parameters`, once nobody is left who could write to its input. It leads a session of its
 * own, so that what ends this process does not end it.
 */
export function guard(script: string, ...parameters: string[]): Guard {
  const whole = `read -r word\n[ "$word" = dismissed ] && exit\n${script}`;
  const shell = spawn("sh", ["-c", whole, "guard", ...parameters], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  shell.unref();
  shell.stdin.on("error", () => undefined);
  return {
    dismiss: () => void shell.stdin.end("dismissed\n"),
    async clean() {
      const ended = once(shell, "exit");
      shell.stdin.end();
      await ended;
    },
  };
}
