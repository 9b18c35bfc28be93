/** Compiles pipeline files off the event loop, at most a second of processor time each: a file that takes longer costs its thread, not the server. */
import type { Compiled, CompileInput } from "@forgeline/compiler/compile.ts";
import { createThreadPool } from "../../../platform/thread-pool.ts";

export interface CompilePool {
  /** `undefined`: it reached the time limit. */
  compile(input: CompileInput): Promise<Compiled | undefined>;
  close(): Promise<void>;
}

export function createCompilePool(options: { threads?: number; timeoutMs?: number } = {}): CompilePool {
  const { threads = 2, timeoutMs = 1_000 } = options;
  const script = new URL("./compile-thread.ts", import.meta.url);
  const pool = createThreadPool<CompileInput, Compiled>({ script, threads, timeoutMs });
  return { compile: (input) => pool.run(input), close: () => pool.close() };
}
