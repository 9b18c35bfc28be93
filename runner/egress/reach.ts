/** How a job's proxy finds the address of a host: one that the file lists, and that the runner's own filter would let pass. */
import type { NetworkTarget } from "@forgeline/compiler/network-target.ts";
import { isListed } from "./job-targets.ts";
import { addressesOf } from "./server-addresses.ts";
import type { EgressSettings } from "./settings.ts";
import { lookUpTarget, type Target } from "./target.ts";

/** `status` is what the proxy answers with. */
export type Reached = { address: string } | { status: 403 | 502 | 503; message: string };

/** Names that wait to be looked up, of one job: each takes one of the few threads that all of the runner share. */
const maxWaiting = 64;
/** How long an answer counts. */
const freshMs = 30_000;
const maxRemembered = 256;

export interface ReachDeps {
  targets: readonly NetworkTarget[];
  settings: Pick<EgressSettings, "allow">;
  resolve?: (host: string) => Promise<string[]>;
}

export function createReach({ targets, settings, resolve = addressesOf }: ReachDeps) {
  const remembered = new Map<string, { untilMs: number; reached: Reached }>();
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function find(target: Target): Promise<Reached> {
    const { host } = target;
    const { addresses, refusal } = await lookUpTarget(target, settings, resolve);
    if (refusal !== null) return { status: 403, message: refusal };
    const [address] = addresses;
    return address === undefined
      ? { status: 502, message: `the runner cannot resolve ${host}` }
      : { address };
  }

  /** One after the other. */
  async function inTurn(target: Target): Promise<Reached> {
    if (waiting >= maxWaiting) return { status: 503, message: "too many names are being looked up" };
    waiting += 1;
    const turn = last.then(() => find(target));
    last = turn.catch(() => undefined);
    return turn.finally(() => (waiting -= 1));
  }

  return async (target: Target): Promise<Reached> => {
    const where = `${target.host}:${String(target.port)}`;
    if (!isListed(targets, target))
      return { status: 403, message: `${where} is not in the list that this job may reach (\`network\`)` };
    const known = remembered.get(where);
    if (known !== undefined && known.untilMs > performance.now()) return known.reached;
    const reached = await inTurn(target);
    if (remembered.size >= maxRemembered) remembered.clear();
    if (!("status" in reached && reached.status === 503))
      remembered.set(where, { untilMs: performance.now() + freshMs, reached });
    return reached;
  };
}
export type Reach = ReturnType<typeof createReach>;
