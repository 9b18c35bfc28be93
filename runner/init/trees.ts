/** `forgeline-init` run on this machine, as the runner's own user, over a tree that a job made. */
import { execFile } from "node:child_process";

export interface TreeOutcome {
  /**
   * `denied`: something belongs to another user. `too_deep`: deeper than is walked, so nothing is known. `late`: it took
   * longer than it might, and stopped where it was.
   */
  kind: "done" | "denied" | "too_deep" | "failed" | "late";
  /** What the program printed: a number, or its first complaint. */
  text: string;
}

/** Exit codes of `forgeline-init`, as in `init.h`. */
export function outcomeOf(code: number): TreeOutcome["kind"] {
  if (code === 0) return "done";
  if (code === 3) return "denied";
  return code === 4 ? "too_deep" : "failed";
}

/** Never rejects. */
export function walkTree(
  program: string,
  command:
    | readonly ["remove", string]
    | readonly ["usage", ...string[]]
    | readonly ["own", string, string, string],
  timeoutMs: number,
): Promise<TreeOutcome> {
  return new Promise((resolve) => {
    execFile(program, command, { timeout: timeoutMs, killSignal: "SIGKILL" }, (error, stdout, stderr) => {
      const text = stdout.trim() || stderr.trim() || (error?.message ?? "");
      if (error === null) return resolve({ kind: "done", text });
      if (error.killed === true) return resolve({ kind: "late", text });
      // A disk that is mounted `noexec` cannot start it; a container can.
      if (typeof error.code !== "number") return resolve({ kind: "denied", text });
      resolve({ kind: outcomeOf(error.code), text });
    });
  });
}
