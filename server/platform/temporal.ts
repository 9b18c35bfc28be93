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
  const call = <T>(work: (client: Client) => Promise<T>): Promise<T> =>
    connection.withDeadline(Date.now() + callTimeoutMs, () => work(client));
  return {
    client,
    call,
    async isUp() {
      try {
        await connection.withDeadline(Date.now() + 1_000, () => connection.workflowService.getSystemInfo({}));
        return true;
      } catch {
        return false;
      }
    },
    close: () => connection.close(),
  };
}
