/** Starts another program of ours in our place, with our terminal. */
import { spawn } from "node:child_process";

/** Its exit status; rejects when it cannot be started. */
export function runProgram(program: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    // A channel tells the program when this process is killed.
    const child = spawn(program, args, { stdio: ["inherit", "inherit", "inherit", "ipc"] });
    // The program decides what a signal means; we only pass on those that reach us alone.
    for (const signal of ["SIGTERM", "SIGINT"] as const)
      process.on(signal, () => {
        if (signal === "SIGTERM" || !process.stdin.isTTY) child.kill(signal);
      });
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve(signal ? 1 : (code ?? 1)));
  });
}
