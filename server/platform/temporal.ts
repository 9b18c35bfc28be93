/** The client for Temporal. Connects when first used and again by itself; nothing here needs Temporal to be up. */
import { Client, Connection } from "@temporalio/client";

export interface TemporalOptions {
  address: string;
  namespace?: string;
  /** How long one call may take. */
  callTimeoutMs?: number;
}

export interface Temporal {
  client: Client;
  /** Runs calls under the deadline of the options. */
  call<T>(work: (client: Client) => Promise<T>): Promise<T>;
  /** True when Temporal answers. */
  isUp(): Promise<boolean>;
  /** After the calls that are under way. */
  close(): Promise<void>;
}

export function createTemporal(options: TemporalOptions): Temporal {
  const { address, namespace = "default", callTimeoutMs = 5_000 } = options;
  const connection = Connection.lazy({
    address,
    // After an outage the default waits up to two minutes before it looks again.
    channelArgs: { "grpc.initial_reconnect_backoff_ms": 100, "grpc.max_reconnect_backoff_ms": 1_000 },
  });
  const client = new Client({ connection, namespace });
  const underWay = new Set<Promise<unknown>>();
  async function within<T>(ms: number, work: () => Promise<T>): Promise<T> {
    const answer = connection.withDeadline(Date.now() + ms, work);
    underWay.add(answer);
    try {
      return await answer;
    } finally {
      underWay.delete(answer);
    }
  }
  return {
    client,
    call: (work) => within(callTimeoutMs, () => work(client)),
    async isUp() {
      try {
        await within(1_000, () => connection.workflowService.getSystemInfo({}));
        return true;
      } catch {
        return false;
      }
    },
    async close() {
      // The library repeats a call later, and on a closed connection throws where nobody catches it.
      await Promise.allSettled(underWay);
      await connection.close();
    },
  };
}
