/**
 * Compiles pipeline files off the event loop, in a few warm threads, at most a second each: a file that takes longer
 * costs its thread, not the server. Files wait for a free thread in the order in which they came.
 */
import { Worker } from "node:worker_threads";
import type { Compiled, CompileInput } from "@forgeline/compiler/compile.ts";

export interface CompilePool {
  /** `undefined`: it reached the time limit. */
  compile(input: CompileInput): Promise<Compiled | undefined>;
  close(): Promise<void>;
}

interface Task {
  input: CompileInput;
  resolve: (compiled: Compiled | undefined) => void;
  reject: (error: Error) => void;
}

export function createCompilePool(options: { threads?: number; timeoutMs?: number } = {}): CompilePool {
  const { threads = 2, timeoutMs = 1_000 } = options;
  const idle: Worker[] = [];
  const waiting: Task[] = [];
  let count = 0;
  let closed = false;

  function spawn(): Worker {
    count += 1;
    const worker = new Worker(new URL("./compile-thread.ts", import.meta.url));
    worker.unref();
    return worker;
  }

  function run(worker: Worker, task: Task): void {
    const finish = (settle: () => void, usable: boolean) => {
      clearTimeout(timer);
      // By name: without one this also takes Node's own listener, and a used worker never answers again.
      worker.removeAllListeners("message").removeAllListeners("error");
      if (usable && !closed) idle.push(worker);
      else {
        count -= 1;
        worker.once("error", () => undefined);
        void worker.terminate();
      }
      settle();
      next();
    };
    worker.ref();
    // A new thread loads the compiler first, which must not count.
    const timer = setTimeout(
      () => finish(() => task.resolve(undefined), false),
      timeoutMs + (used.has(worker) ? 0 : 30_000),
    );
    worker.once("message", (compiled: Compiled) => {
      used.add(worker);
      worker.unref();
      finish(() => task.resolve(compiled), true);
    });
    worker.once("error", (error: Error) => finish(() => task.reject(error), false));
    worker.postMessage(task.input);
  }
  const used = new WeakSet<Worker>();

  function next(): void {
    while (waiting.length > 0 && (idle.length > 0 || count < threads)) {
      const task = waiting.shift();
      if (task) run(idle.pop() ?? spawn(), task);
    }
  }
  return {
    compile: (input) =>
      new Promise((resolve, reject) => {
        waiting.push({ input, resolve, reject });
        next();
      }),
    async close() {
      closed = true;
      await Promise.all(idle.splice(0).map((worker) => worker.terminate()));
    },
  };
}
