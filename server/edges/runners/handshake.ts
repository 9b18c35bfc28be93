/**
 * From `hello` to `welcome`: chooses the protocol, makes this the runner's connection, keeps (with its spec again) or drops
 * every lease that the runner names, and sends a lease again that never reached it.
 */
import type { Hello } from "@forgeline/schemas/runner-protocol/messages.ts";
import { closeCodes, runnerProtocolVersions } from "@forgeline/schemas/runner-protocol/version.ts";
import type { z } from "zod";
import {
  compareLeases,
  type StoredLease,
  type ConnectedRunner,
  type RunnerConnection,
} from "../../domains/pipelines/domain.ts";
import type { RunnerBudget } from "./budget.ts";
import { drainCommand } from "./drain-command.ts";
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

/** Makes this the runner's connection, or closes the link. */
export async function claimConnection(
  deps: RunnerHubDeps,
  newcomer: { link: RunnerLink; runner: ConnectedRunner; hello: HelloMessage; budget: RunnerBudget },
  older: RunnerSession | undefined,
): Promise<RunnerConnection | undefined> {
  const { link, runner, hello, budget } = newcomer;
  const { aliveMs } = deps.settings;
  const { ipAddress } = link;
  const admission = await deps.connections.admit(
    { runner, hello, aliveMs, ipAddress, mayBeNoted: budget.mayBeNoted },
    older && { isAlive: () => probeOrClose(older.link) },
  );
  if (admission.connection) {
    if (older?.link.isOpen()) older.link.close(closeCodes.replaced, replacedByNewer);
    return admission.connection;
  }
  if (admission.inUse === null) return undefined;
  deps.logger.warn({ runner_id: runner.id, host: hello.hostname }, "another runner is using this credential");
  if (admission.inUse === "on_this_server")
    link.close(closeCodes.replaced, "another runner is connected with this credential");
  else link.close(closeCodes.slow_down, "another runner was just connected with this credential");
  return undefined;
}

async function probeOrClose(link: RunnerLink): Promise<boolean> {
  const isAlive = await link.probe(probeMs);
  if (!isAlive) link.close(closeCodes.silent, "no answer");
  return isAlive;
}

export async function welcome(session: RunnerSession, hello: HelloMessage, protocol: number): Promise<void> {
  const { deps, link, runner } = session;
  if (hello.sharedWorkspaces) await deps.leases.keepWorkspaces(runner.id, hello.sharedWorkspaces);
  const held = await deps.leases.held(runner.id);
  const { named, unsent } = compareLeases(held, hello.leases);
  const leases = [];
  for (const { row, ...lease } of named) {
    if (!link.isOpen()) return;
    if (row) leases.push({ ...lease, keep: true, ...(await handOver(session, row)) });
    else {
      leases.push({ ...lease, keep: false, spec: null, streams: [] });
      if ((await verdictOf(session, lease)) === "foreign") await session.noteForeignLease(lease.attemptId);
    }
  }
  await renewKept(
    session,
    leases.filter((lease) => lease.keep),
  );
  const { heartbeatMs, reclaimMs, windowBytesPerStream, windowBytes } = deps.settings;
  link.send({
    t: "welcome",
    protocol,
    runnerId: runner.id,
    heartbeatMs,
    reclaimMs,
    windowBytesPerStream,
    windowBytes,
    leases,
  });
  for (const row of held) {
    if (unsent.has(row)) {
      const { spec } = await handOver(session, row);
      link.send({ t: "lease", spec });
    }
    if (row.cancel && session.leases.has(row.attemptId)) session.sendCancel(row, row.cancel);
  }
  if (session.connection.draining) link.send(drainCommand(session.connection));
}

async function handOver(session: RunnerSession, row: StoredLease) {
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
