/**
 * From `hello` to `welcome`: the protocol is chosen, the connection made the one that counts, every lease that the runner still
 * holds is kept (with its spec again) or dropped, and a lease that never reached it is sent once more.
 */
import type { Hello } from "@forgeline/schemas/runner-protocol/messages.ts";
import { closeCodes, runnerProtocolVersions } from "@forgeline/schemas/runner-protocol/version.ts";
import type { z } from "zod";
import type { HeldLeaseRow, ConnectedRunner, ConnectionRow } from "../../domains/pipelines/domain.ts";
import type { RunnerBudget } from "./budget.ts";
import type { RunnerLink } from "./link.ts";
import { verdictOf } from "./lease-refusals.ts";
import type { RunnerHubDeps, RunnerSession } from "./session.ts";

export type HelloMessage = z.infer<typeof Hello>;

/** The newest protocol that both know; the link is closed when there is none. */
export function chooseProtocol(link: RunnerLink, hello: HelloMessage): number | undefined {
  const common = runnerProtocolVersions.filter((version) => hello.protocols.includes(version));
  const chosen = common.at(-1);
  if (chosen === undefined)
    link.close(
      closeCodes.no_common_protocol,
      `this server supports ${runnerProtocolVersions.join(", ")}; the runner supports ${hello.protocols.join(", ")}`,
    );
  return chosen;
}

const probeMs = 2_000;
export const replacedByNewer = "replaced by a newer connection of this runner";

/**
 * Makes this the runner's connection, or closes the link. A silent older connection on this server makes room; one on another
 * server does so when it has not been heard for a while, and until then the newcomer is asked to come back.
 */
export async function claimConnection(
  deps: RunnerHubDeps,
  newcomer: { link: RunnerLink; runner: ConnectedRunner; hello: HelloMessage; budget: RunnerBudget },
  older: RunnerSession | undefined,
): Promise<ConnectionRow | undefined> {
  const { link, runner, hello } = newcomer;
  const attempt = (aliveMs: number) => deps.connections.take({ runner, hello, aliveMs });
  const connection = await attempt(deps.settings.aliveMs);
  if (connection) {
    if (older) older.link.close(closeCodes.replaced, replacedByNewer);
    return connection;
  }
  if (older && !(await older.link.probe(probeMs))) {
    older.link.close(closeCodes.silent, "no answer");
    return attempt(0);
  }
  if (newcomer.budget.mayBeNoted())
    await deps.connections.flagDuplicate(runner, {
      refusedInstance: hello.instanceId,
      refusedHost: hello.hostname,
      ipAddress: link.ipAddress,
    });
  deps.logger.warn({ runner_id: runner.id, host: hello.hostname }, "another runner is using this credential");
  if (older) link.close(closeCodes.replaced, "another runner is connected with this credential");
  else link.close(closeCodes.slow_down, "another runner was just connected with this credential");
  return undefined;
}

export async function welcome(session: RunnerSession, hello: HelloMessage, protocol: number): Promise<void> {
  const { deps, link, runner } = session;
  const { settings } = deps;
  const mine = new Map((await deps.leases.held(runner.id)).map((row) => [row.attemptId, row]));
  // Each is handed over once, however often it is named.
  const named = new Map(hello.leases.map((lease) => [lease.attemptId, lease]));
  const leases = [];
  for (const { attemptId, epoch } of named.values()) {
    if (!link.isOpen()) return;
    const row = mine.get(attemptId);
    if (row?.epoch === epoch) {
      leases.push({ attemptId, epoch, keep: true, ...(await handOver(session, row)) });
    } else {
      leases.push({ attemptId, epoch, keep: false, spec: null, streams: [] });
      if ((await verdictOf(session, { attemptId, epoch })) === "foreign")
        await session.noteForeignLease(attemptId);
    }
  }
  await renewKept(
    session,
    leases.filter((lease) => lease.keep),
  );
  link.send({
    t: "welcome",
    protocol,
    runnerId: runner.id,
    heartbeatMs: settings.heartbeatMs,
    reclaimMs: settings.reclaimMs,
    windowBytesPerStream: settings.windowBytesPerStream,
    windowBytes: settings.windowBytes,
    leases,
  });
  for (const row of mine.values()) {
    // The lease was made but its message was lost with the connection; one that had begun is the sweeper's.
    if (!named.has(row.attemptId) && row.startedAt === null) {
      const { spec } = await handOver(session, row);
      link.send({ t: "lease", spec });
    }
    if (row.cancel && session.leases.has(row.attemptId)) session.sendCancel(row, row.cancel);
  }
  if (session.connection.draining) link.send({ t: "drain", draining: true, deadlineMs: null });
}

async function handOver(session: RunnerSession, row: HeldLeaseRow) {
  const { spec, streams } = await session.deps.leases.again(row);
  session.hold(row, spec);
  return { spec, streams };
}

async function renewKept(
  session: RunnerSession,
  leases: readonly { attemptId: string; epoch: number }[],
): Promise<void> {
  const { deps, runner, instanceId } = session;
  if (leases.length === 0) return;
  const { renewed } = await deps.leases.renew({
    runnerId: runner.id,
    instanceId,
    load: null,
    freeDiskBytes: null,
    leases,
  });
  await deps.leases.announce(renewed);
}
