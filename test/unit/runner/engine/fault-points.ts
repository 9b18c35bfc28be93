/**
 * A fault point before each call that a function makes of `node:fs/promises` or of a file that it opened there. The functions are
 * changed in place and not by `vi.mock`, since other files of the same process have loaded the runner already; only calls
 * out of `atEachCall` meet the fault point.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import fs, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

/** Must not wait: whatever it does has happened when the call is made. */
export type BeforeCall = (name: string, number: number) => void;
type Call = (...args: unknown[]) => unknown;

/** A call that hangs has opened a pipe. Far more than any takes: nothing here is about speed. */
const hangsAfterMs = 10_000;
const current = new AsyncLocalStorage<(name: string) => void>();

/** Resolves with how many calls were made, and what came of the work. Rejects with what `before` throws. */
export async function atEachCall<T>(
  work: () => Promise<T>,
  before: BeforeCall,
): Promise<{ calls: number; result?: T; error?: unknown }> {
  let calls = 0;
  const hangs = Promise.withResolvers<never>();
  const timer = setTimeout(() => hangs.reject(new Error(`hangs after ${calls} calls`)), hangsAfterMs);
  const broken: unknown[] = [];
  const point = (name: string) => {
    try {
      before(name, calls++);
    } catch (error) {
      broken.push(error);
    }
  };
  const came = await Promise.race([current.run(point, work), hangs.promise]).then(
    (result) => ({ result }),
    (error: unknown) => ({ error }),
  );
  clearTimeout(timer);
  if (broken.length > 0) throw broken[0];
  return { calls, ...came };
}

/** Answers with what takes them away again. */
export function placeFaultPoints(): () => void {
  const all: [string, unknown][] = Object.entries(fs);
  const originals = all.filter((entry): entry is [string, Call] => typeof entry[1] === "function");
  const pointed = originals.map(([name, call]) => [name, withPoint(name, call, fs)] as const);
  Object.assign(fs, Object.fromEntries(pointed));
  syncBuiltinESMExports();
  return () => {
    Object.assign(fs, Object.fromEntries(originals));
    syncBuiltinESMExports();
  };
}

function withPoint(name: string, call: Call, self: object): Call {
  return (...args) => {
    const point = current.getStore();
    if (point === undefined) return call.apply(self, args);
    point(name);
    const answer = call.apply(self, args);
    return name === "open" ? (answer as Promise<FileHandle>).then(handleWithPoints) : answer;
  };
}

function handleWithPoints(handle: FileHandle): FileHandle {
  return new Proxy(handle, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === "function" ? withPoint(`handle.${String(key)}`, value as Call, target) : value;
    },
  });
}
