/** Jobs that may reach less than others: which network they get, and the proxy of those that may reach some hosts. */
import { z } from "zod";
import type { PlanNetwork } from "@forgeline/schemas/pipeline-file/plan-network.ts";
import { addressBytes, isWithin, networkOf } from "../../egress/address.ts";
import { openJobProxy, type JobProxy } from "../../egress/job-proxy.ts";
import { readTargets } from "../../egress/job-targets.ts";
import { type ClosedKind, jobProxyPort } from "../../egress/policy.ts";
import { noteRefusals, type NotedReach } from "../../egress/noted-refusals.ts";
import { createReach } from "../../egress/reach.ts";
import type { EgressSettings } from "../../egress/settings.ts";
import { messageOf } from "../../message-of.ts";
import { EngineError } from "../engine.ts";
import type { EngineContext } from "./context.ts";

/** As the job's record keeps it. */
export const ClosedNetwork = z.object({
  /** Entries of the file; empty: nothing. */
  allow: z.array(z.string()),
  /** Where the job's proxy listens, and the network that it answers; null without one. */
  proxy: z.object({ address: z.string(), network: z.string() }).nullable(),
});
export type ClosedNetwork = z.infer<typeof ClosedNetwork>;

export function closedKind({ allow }: PlanNetwork): ClosedKind {
  return allow.length === 0 ? "none" : "proxy";
}

/** Throws where this runner cannot keep the job to it: it must not run wide open instead. */
export async function checkClosed(
  { egress, daemonFacts }: EngineContext,
  network: PlanNetwork,
): Promise<void> {
  if (egress.closes().includes(closedKind(network))) return;
  const why = (await daemonFacts()).isPodman
    ? "it uses Podman, whose name server answers every network of jobs for the whole Internet"
    : network.allow.length > 0 && egress.closes().includes("none")
      ? "it is not in the network of the Docker daemon, where the job's proxy would have to be"
      : "it does not filter what jobs reach (FORGELINE_RUNNER_EGRESS)";
  throw new EngineError("not_permitted", `This runner cannot restrict the job's network: ${why}.`);
}

/** Once the daemon has made the network. */
export async function placeInNetwork(
  { docker, daemon }: EngineContext,
  { allow }: PlanNetwork,
  networkId: string,
): Promise<ClosedNetwork> {
  if (allow.length === 0) return { allow, proxy: null };
  const { IPAM } = await daemon.ask(() => docker.getNetwork(networkId).inspect());
  for (const { Gateway, Subnet } of IPAM?.Config ?? []) {
    const address = Gateway?.split("/")[0] ?? "";
    if (addressBytes(address)?.length === 4 && networkOf(Subnet ?? "") !== null)
      return { allow, proxy: { address, network: Subnet ?? "" } };
  }
  throw new EngineError(
    "not_permitted",
    "The Docker daemon does not say where the machine is in the job's network.",
  );
}

/** With what it refused so far; an agent that takes the job up again knows nothing of that. */
export type ClosedProxy = JobProxy & Pick<NotedReach, "refused">;

/** The proxies of an engine's jobs. */
export interface JobProxies {
  /** null without a list. Throws where it cannot listen. */
  open(closed: ClosedNetwork | null): Promise<ClosedProxy | null>;
  /** All: jobs that go on have theirs again when they are taken up. */
  close(): void;
}

export function createJobProxies(settings: Pick<EgressSettings, "allow">): JobProxies {
  const proxies = new Set<ClosedProxy>();
  return {
    async open(closed) {
      const opened = await openProxy(closed, settings);
      if (opened === null) return null;
      const proxy = {
        ...opened,
        close() {
          proxies.delete(proxy);
          opened.close();
        },
      };
      proxies.add(proxy);
      return proxy;
    },
    close() {
      for (const proxy of proxies) proxy.close();
    },
  };
}

async function openProxy(
  closed: ClosedNetwork | null,
  settings: Pick<EgressSettings, "allow">,
): Promise<ClosedProxy | null> {
  const proxy = closed?.proxy ?? null;
  if (closed === null || proxy === null) return null;
  const { address } = proxy;
  const network = networkOf(proxy.network);
  const { reach, refused } = noteRefusals(createReach({ targets: readTargets(closed.allow), settings }));
  const isOfJob = (from: string): boolean => {
    const bytes = addressBytes(from);
    return network !== null && bytes !== null && isWithin(bytes, network);
  };
  try {
    return { ...(await openJobProxy({ address, port: jobProxyPort, isOfJob, reach })), refused };
  } catch (error) {
    const message = `The proxy of the job's network cannot listen on ${address}:${String(jobProxyPort)}: ${messageOf(error)}.`;
    throw new EngineError("not_permitted", message, { cause: error });
  }
}

/** What tells programs in the job about the proxy; what the file sets wins. */
export function proxyEnvironment(
  closed: ClosedNetwork | null,
  services: readonly string[],
): Record<string, string> {
  const proxy = closed?.proxy ?? null;
  if (proxy === null) return {};
  const url = `http://${proxy.address}:${String(jobProxyPort)}`;
  const near = ["localhost", "127.0.0.1", "::1", ...services].join(",");
  const named = { HTTP_PROXY: url, HTTPS_PROXY: url, NO_PROXY: near };
  // Programs read the one or the other spelling; curl takes HTTP_PROXY in small letters only.
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, value]) => [
      [name, value],
      [name.toLowerCase(), value],
    ]),
  );
}
