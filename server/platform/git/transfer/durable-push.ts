/**
 * Makes "acknowledged" mean "on disk". Git syncs the files of objects and refs, not the directories that name them, and
 * without these a power cut takes acknowledged pushes away. So what Git tells the client is held back from the verdict until
 * we have synced the directories: once a push, however many refs it moves.
 */
import { Transform, type Readable } from "node:stream";
import type { PushHandlers } from "./push-hooks.ts";
import { syncRefs } from "../refs/refs.ts";

export interface DurablePush {
  /** Git's output for the client, when it may be sent; fails if the disk does. */
  output: Readable;
  /** For the hooks, in place of those given. */
  handlers: PushHandlers;
  /** To be called when Git has ended, however it ended. Never rejects. */
  ended(): Promise<void>;
}

export interface PushProcess {
  directory: string;
  stdout: Readable;
  handlers: PushHandlers;
}

export function createDurablePush({ directory, stdout, handlers }: PushProcess): DurablePush {
  const gate = createGate();
  stdout.on("error", (error) => gate.stream.destroy(error));
  stdout.pipe(gate.stream);
  /** Refs that may move and are not known to be on disk. */
  let unsynced: string[] | undefined;

  async function sync(refs: string[]): Promise<void> {
    try {
      await syncRefs(directory, refs);
    } catch (error) {
      // It is not known whether the push would survive, so nothing must be sent.
      gate.stream.destroy(error as Error);
      throw error;
    } finally {
      unsynced = undefined;
    }
    gate.open();
  }

  return {
    output: gate.stream,
    handlers: {
      ...handlers,
      async beforeRefsMove(proposal) {
        const verdict = await handlers.beforeRefsMove(proposal);
        if (!verdict.accept) return verdict;
        unsynced = proposal.updates.map(({ ref }) => ref);
        gate.close();
        return verdict;
      },
      async afterRefsMoved(updates) {
        await sync(updates.map(({ ref }) => ref));
        return handlers.afterRefsMoved(updates);
      },
    },
    async ended() {
      // Git names what moved only when something did, and when it was not killed before.
      if (unsynced) await sync(unsynced).catch(() => undefined);
    },
  };
}

/** Lets a stream through while it is open. What it keeps meanwhile is a report, of at most the size of the list of refs. */
function createGate(): { stream: Transform; open(): void; close(): void } {
  let kept: Buffer[] | undefined;
  let end: (() => void) | undefined;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (!kept) return done(null, chunk);
      // Git must not block on output that we hold back: it has yet to report what moved.
      kept.push(chunk);
      done();
    },
    flush(done) {
      if (kept) end = done;
      else done();
    },
  });
  return {
    stream,
    close: () => (kept = []),
    open() {
      const chunks = kept ?? [];
      kept = undefined;
      for (const chunk of chunks) stream.push(chunk);
      end?.();
    },
  };
}
