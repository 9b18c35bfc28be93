/**
 * Decides which of several connections of one runner counts. A silent older connection on this server is replaced; one on
 * another server is replaced when it has been silent for a while, and until then the new connection is refused.
 */
import type { ConnectedRunner, ConnectionClaim, RunnerConnection, DuplicateRunner } from "./connections.ts";

export interface Newcomer extends Omit<ConnectionClaim, "serverId"> {
  ipAddress: string;
  /** Whether the audit log may have another entry of this runner. */
  mayBeNoted(): boolean;
}

/** The runner's existing connection to this server. */
export interface OlderConnection {
  /** Whether the other side answers. It is closed if it does not. */
  isAlive(): Promise<boolean>;
}

/** `inUse`: where the runner is connected already; null: the runner was removed meanwhile. */
export type Admission = { connection: RunnerConnection } | { connection: undefined; inUse: Use | null };
type Use = "on_this_server" | "elsewhere";

export interface AdmissionDeps {
  /** For this server. Undefined: another live instance has it, or it was revoked. */
  take(claim: Omit<ConnectionClaim, "serverId">): Promise<RunnerConnection | undefined>;
  /** Records that two live runners use one credential. */
  flagDuplicate(runner: ConnectedRunner, refused: DuplicateRunner): Promise<void>;
}

export async function admitConnection(
  deps: AdmissionDeps,
  newcomer: Newcomer,
  older: OlderConnection | undefined,
): Promise<Admission> {
  const { runner, hello, ipAddress } = newcomer;
  const attempt = (aliveMs: number) => deps.take({ runner, hello, aliveMs });
  const connection = await attempt(newcomer.aliveMs);
  if (connection) return { connection };
  if (older && !(await older.isAlive())) {
    const taken = await attempt(0);
    return taken ? { connection: taken } : { connection: undefined, inUse: null };
  }
  if (newcomer.mayBeNoted())
    await deps.flagDuplicate(runner, {
      refusedInstance: hello.instanceId,
      refusedHost: hello.hostname,
      ipAddress,
    });
  return { connection: undefined, inUse: older ? "on_this_server" : "elsewhere" };
}
