/** Webhooks as the sender needs them: with their secrets readable, and with the connections that they keep. */
import type { Database } from "../../../platform/db/database.ts";
import type { Encryption } from "../../../platform/keys/encryption.ts";
import type { Connections } from "../../../platform/outbound/connections.ts";
import type { Outbound } from "../../../platform/outbound/outbound.ts";
import { targetOf, type Target } from "./endpoint-address.ts";
import { findEndpoint, type EndpointRow } from "./sending.store.ts";

export interface Endpoint {
  id: string;
  target: Target;
  /** The current one first. */
  secrets: string[];
  /** Differs after each change of the webhook. */
  version: string;
  ordered: boolean;
  active: boolean;
  /** Milliseconds until a single try may be made (0 or less: now); null if it is not gated. */
  gatedMs: number | null;
  /** Requests that are left in this hour, and milliseconds until its end. */
  room: number;
  windowMs: number;
  connections: Connections;
}

export interface Endpoints {
  /** As it is now; undefined where it is gone. */
  find(webhookId: string): Promise<Endpoint | undefined>;
  close(): void;
}

/** Requests to one endpoint at a time. */
export const maxAtOnce = 10;
/** Endpoints whose connections are kept. */
const maxKept = 500;

export function createEndpoints(deps: {
  db: Database;
  encryption: Encryption;
  outbound: Outbound;
}): Endpoints {
  const kept = new Map<string, { authority: string | null; connections: Connections }>();

  function connectionsOf({ id, ca_certificate: authority }: EndpointRow): Connections {
    const known = kept.get(id);
    kept.delete(id);
    if (known && known.authority === authority) {
      kept.set(id, known);
      return known.connections;
    }
    const connections = deps.outbound.connect({ max: maxAtOnce, authority: authority ?? undefined });
    kept.set(id, { authority, connections });
    // Those that are dropped here end with the requests that use them.
    if (kept.size > maxKept) kept.delete(kept.keys().next().value!);
    return connections;
  }

  return {
    async find(webhookId) {
      const row = await findEndpoint(deps.db, webhookId);
      if (!row) return undefined;
      const open = (sealed: Buffer) => deps.encryption.decrypt(webhookId, sealed);
      const sealedSecrets = [row.sealed_secret, row.sealed_previous_secret].filter((each) => each !== null);
      return {
        id: webhookId,
        target: targetOf(open(row.sealed_url)),
        secrets: sealedSecrets.map(open),
        version: row.version,
        ordered: row.ordered,
        active: row.active,
        gatedMs: row.gated_ms,
        room: row.room,
        windowMs: row.window_ms,
        connections: connectionsOf(row),
      };
    },
    close() {
      for (const { connections } of kept.values()) connections.close();
      kept.clear();
    },
  };
}
