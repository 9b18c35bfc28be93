/**
 * Runs work that could hold the event loop up, or that is done on files nobody vouches for, in a few warm threads. A task that
 * takes too long costs its thread, not the server. Tasks wait for a free thread in the order in which they came.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Worker, type ResourceLimits, type Transferable } from "node:worker_threads";

export interface ThreadPool<Input, Output> {
  /**
   * `undefined`: it reached the time limit. Rejects where the thread failed, for example because it ran out of memory. What
   * `transfer` lists goes to the thread without a copy, and is lost here.
   */
  run(input: Input, transfer?: readonly Transferable[]): Promise<Output | undefined>;
  /** Ends the threads that have nothing to do; the others end with their task. */
  close(): Promise<void>;
}

export interface ThreadPoolOptions {
  /** Answers each message with one message. */
  script: URL;
  threads: number;
  /** Of one task, in processor time of its thread: a busy machine must not make a task fail. */
  timeoutMs: number;
  resourceLimits?: ResourceLimits;
}

interface Task<Input, Output> {
  input: Input;
  transfer: readonly Transferable[];
  resolve: (output: Output | undefined) => void;
  reject: (error: Error) => void;
}

/** A new thread loads its modules first, which must not count. Longer than this beyond its limit, nothing is waited for. */
const startMs = 30_000;

/**
 * Calls `isOver` once the thread has worked for longer than `limitMs` from now on, or has had that time and `startMs` more. The
 * returned function ends that.
 */
function limitWork(worker: Worker, limitMs: number, isOver: () => void): () => void {
  const latest = performance.now() + limitMs + startMs;
  const before = usedMs(worker);
  let timer: NodeJS.Timeout | undefined;
  let hasEnded = false;
  const look = async (): Promise<void> => {
    const restMs = Math.max(0, latest - performance.now());
    const used = Promise.all([usedMs(worker), before]).then(([now, then]) => now - then);
    // A thread that gets no processor does not answer, nor does one that hangs outside of JavaScript.
    const leftMs =
      limitMs - (await Promise.race([used, sleep(restMs, Number.POSITIVE_INFINITY, { ref: false })]));
    if (hasEnded) return;
    if (leftMs > 0) timer = setTimeout(() => void look(), Math.min(Math.max(leftMs, 20), restMs));
    else isOver();
  };
  timer = setTimeout(() => void look(), limitMs);
  return () => {
    hasEnded = true;
    clearTimeout(timer);
  };
}

/** Endless where the thread cannot say, since it has ended. */
const usedMs = (worker: Worker): Promise<number> =>
  worker.cpuUsage().then(
    ({ user, system }) => (user + system) / 1000,
    () => Number.POSITIVE_INFINITY,
  );

export function createThreadPool<Input, Output>(options: ThreadPoolOptions): ThreadPool<Input, Output> {
  const { script, threads, timeoutMs, resourceLimits } = options;
  const idle: Worker[] = [];
  const waiting: Task<Input, Output>[] = [];
  const used = new WeakSet<Worker>();
  let count = 0;
  let closed = false;

  function spawn(): Worker {
    count += 1;
    const worker = new Worker(script, resourceLimits ? { resourceLimits } : {});
    worker.unref();
    return worker;
  }

  function begin(worker: Worker, task: Task<Input, Output>): void {
    const finish = (settle: () => void, usable: boolean) => {
      endLimit();
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
    const limitMs = timeoutMs + (used.has(worker) ? 0 : startMs);
    const endLimit = limitWork(worker, limitMs, () => finish(() => task.resolve(undefined), false));
    worker.once("message", (output: Output) => {
      used.add(worker);
      worker.unref();
      finish(() => task.resolve(output), true);
    });
    worker.once("error", (error: Error) => finish(() => task.reject(error), false));
    worker.postMessage(task.input, task.transfer);
  }

  function next(): void {
    while (waiting.length > 0 && (idle.length > 0 || count < threads)) {
      const task = waiting.shift();
      if (task) begin(idle.pop() ?? spawn(), task);
    }
  }
  return {
    run: (input, transfer = []) =>
      new Promise((resolve, reject) => {
        waiting.push({ input, transfer, resolve, reject });
        next();
      }),
    async close() {
      closed = true;
      await Promise.all(idle.splice(0).map((worker) => worker.terminate()));
    },
  };
}
