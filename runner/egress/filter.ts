/**
 * The filter of what jobs may reach: written at the runner's start, looked after while it runs, removed at its end. It stays when
 * the runner is killed, for containers go on. Design: docs/architecture/runner-egress.md.
 */
import { isDeepStrictEqual } from "node:util";
import type { EgressReport } from "@forgeline/schemas/runner-protocol/egress.ts";
import { EngineError } from "../engine/engine.ts";
import { type AllowedTarget, parseAllowed } from "./allow-list.ts";
import { divideConnections } from "./connection-limit.ts";
import type { Kernel } from "./kernel.ts";
import type { Frame } from "./netlink.ts";
import { type EgressPolicy, namesFor } from "./policy.ts";
import { containerResolvers } from "./resolvers.ts";
import { findServer, rememberAddresses } from "./server-addresses.ts";
import type { EgressSettings } from "./settings.ts";
import { listFrame, removeFrame, ruleCount, writeFrame } from "./table.ts";
import { withoutRefused } from "./reduced-policy.ts";

export interface EgressFilter {
  /** Bridges of this runner's networks are named so. */
  bridgePrefix: string;
  allow: readonly AllowedTarget[];
  /**
   * Puts the filter in place as the settings say; called again it does nothing but tell how it stands now. Throws where the filter is
   * required and cannot be.
   */
  start(): Promise<EgressReport>;
  /** Jobs reach the server here as well. */
  serverAt(url: string): void;
  /** Before a job: the filter is there, or is written again. Throws when that cannot be done. */
  ensure(): Promise<void>;
  /** A network was made: the filter is where its bridge is, or is written there. Throws when that cannot be done. */
  bridgeMade(name: string): Promise<void>;
  /** `isLast`: nothing of this runner is left that the filter would hold back. Never rejects. */
  close(isLast: boolean): Promise<void>;
}

export interface FilterDeps {
  runnerId: string;
  settings: EgressSettings;
  /** In the runner's own network. */
  own: Kernel;
  /** In the network of the Docker daemon. */
  inContainer: Kernel;
  /** The daemon's networks are the runner's, as far as can be seen beforehand. */
  isHere(): Promise<boolean>;
  /** There is such an interface where the runner is. */
  hasInterface(name: string): boolean;
  /** From a network with such a bridge: null when its packets meet the filter, else why that was not seen. */
  probe(bridgePrefix: string): Promise<string | null>;
  onWarning(line: string): void;
  /** How often the filter and the server's addresses are looked at. */
  everyMs: { own: number; inContainer: number };
}

export function createEgressFilter(deps: FilterDeps): EgressFilter {
  const { settings, own, inContainer } = deps;
  const names = namesFor(deps.runnerId);
  const allow = settings.allow.flatMap((text) => parseAllowed(text) ?? []);
  const rememberingAddresses = rememberAddresses();
  const serverUrls = new Set(settings.serverUrl === null ? [] : [settings.serverUrl]);
  let started: Promise<EgressReport> | null = null;
  /** Where the filter is; null without one. */
  let kernel: Kernel | null = null;
  let written: EgressPolicy | null = null;
  /** Less where the kernel was seen to lack it. */
  let able: Pick<EgressPolicy, "connections" | "checksSources"> = {
    connections: divideConnections(settings.connections),
    checksSources: true,
  };
  /** The server was said to be somewhere else as well. */
  let isOutdated = false;
  /** Why the filter may not be there; null when it was seen. */
  let missing: string | null = null;
  /** It was written where no container has met it yet. */
  let isUnseen = false;
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other, else a look could come between a policy and its writing. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.catch(() => undefined).then(work);
    last = turn;
    return turn;
  }

  /** No job begins when this fails. */
  async function forJobs(work: () => Promise<void>): Promise<void> {
    try {
      await inTurn(work);
    } catch (error) {
      throw new EngineError(
        "internal",
        `The network filter for jobs cannot be installed: ${messageOf(error)}.`,
        {
          cause: error,
        },
      );
    }
  }

  async function policyFor(where: Kernel | null): Promise<EgressPolicy> {
    const [places, resolvers] = await Promise.all([
      findServer([...serverUrls], settings.extraHosts, rememberingAddresses),
      containerResolvers(where?.resolvers() ?? []),
    ]);
    return { ...names, allow, resolvers, ...places, ...able };
  }

  async function write(where: Kernel, policy: EgressPolicy): Promise<void> {
    try {
      await askOne(where, writeFrame(policy));
    } catch (error) {
      const less = withoutRefused(policy, messageOf(error));
      if (less === null) throw error;
      await write(where, less.policy);
      deps.onWarning(less.warning);
      return;
    }
    able = { connections: policy.connections, checksSources: policy.checksSources };
    kernel = where;
    written = policy;
    missing = null;
  }

  /** The first answer can tell of name servers that nobody knew of when it was asked. */
  async function writeFirst(where: Kernel): Promise<void> {
    const policy = await policyFor(where);
    await write(where, policy);
    const now = await policyFor(where);
    if (!isDeepStrictEqual(now.resolvers, policy.resolvers)) await write(where, now);
    if (where === inContainer) await seeIt();
  }

  /** Where that container was is only known by what it did. In the runner's own network the bridges are seen. */
  async function seeIt(): Promise<void> {
    isUnseen = true;
    missing = await deps.probe(names.bridgePrefix);
    if (missing !== null) throw new Error(missing);
    isUnseen = false;
  }

  async function begin(): Promise<EgressReport> {
    const reported = { allow: [...settings.allow] };
    const places = (await deps.isHere()) ? [own, inContainer] : [inContainer];
    if (settings.mode === "open") {
      // One that a former process wrote would go on.
      await removeFrom(places);
      return { ...reported, state: "open", reason: null };
    }
    const reason = await writeInOne(places);
    if (kernel !== own) own.close();
    if (reason === null) {
      startTimer();
      return { ...reported, state: "filtered", reason };
    }
    await removeFrom(places);
    kernel = null;
    missing = null;
    if (settings.mode === "required") throw new Error(`The networks of jobs cannot be filtered: ${reason}`);
    return { ...reported, state: "unfiltered", reason: reason.slice(0, 1_000) };
  }

  /** null when it is written, else why it is not. */
  async function writeInOne(places: readonly Kernel[]): Promise<string | null> {
    const reasons: string[] = [];
    for (const where of places) {
      const reason = await writeFirst(where).then(() => null, messageOf);
      if (reason === null) return null;
      reasons.push(reason);
    }
    return reasons.join("; ");
  }

  async function removeFrom(places: readonly Kernel[]): Promise<void> {
    for (const where of places) {
      const isDone = await askOne(where, removeFrame(names.table)).then(
        () => true,
        () => false,
      );
      if (isDone) return;
    }
  }

  function startTimer(): void {
    const everyMs = kernel === own ? deps.everyMs.own : deps.everyMs.inContainer;
    const look = (): void => {
      inTurn(async () => (await refresh()) || (await check())).then(
        () => undefined,
        (error: unknown) => deps.onWarning(notWritten(messageOf(error))),
      );
    };
    timer = setInterval(look, everyMs).unref();
  }

  /** Writes it where addresses have changed since; true then. */
  async function refresh(): Promise<boolean> {
    const policy = await policyFor(kernel);
    isOutdated = false;
    if (kernel === null || (written !== null && writeFrame(policy).bytes.equals(writeFrame(written).bytes)))
      return false;
    try {
      await write(kernel, policy);
    } catch (error) {
      isOutdated = true;
      missing = messageOf(error);
      throw error;
    }
    return true;
  }

  async function check(): Promise<void> {
    if (kernel === null || written === null) return;
    try {
      const { count } = await askOne(kernel, listFrame(names.table));
      if (count === ruleCount(written)) {
        if (isUnseen) await seeIt();
        missing = null;
        return;
      }
      deps.onWarning("The network filter for jobs, or part of it, was removed; installing it again.");
      await write(kernel, written);
    } catch (error) {
      missing = messageOf(error);
      throw error;
    }
  }

  async function start(): Promise<EgressReport> {
    const begun = await (started ??= inTurn(begin));
    return missing === null ? begun : { ...begun, state: "unfiltered", reason: notWritten(missing) };
  }

  return {
    bridgePrefix: names.bridgePrefix,
    allow,
    start,
    serverAt(url) {
      isOutdated ||= !serverUrls.has(url);
      serverUrls.add(url);
    },
    async ensure() {
      if (settings.mode === "open") return;
      await start();
      if (kernel === null) return;
      await forJobs(async () => {
        if (isOutdated && (await refresh())) return;
        if (kernel === null) return;
        // A question by container takes half a second: there the timer looks, but for a network that came with a new daemon.
        if (kernel === own || missing !== null || !(await kernel.isSame())) await check();
      });
    },
    async bridgeMade(name) {
      if (kernel !== own || deps.hasInterface(name)) return;
      await forJobs(async () => {
        if (kernel === own && written !== null) await writeFirst(inContainer);
      });
    },
    async close(isLast) {
      clearInterval(timer);
      const where = kernel;
      if (isLast && where !== null) await inTurn(() => removeFrom([where]));
      own.close();
      inContainer.close();
    },
  };
}

async function askOne(kernel: Kernel, frame: Frame): Promise<{ count: number }> {
  const [answer] = await kernel.ask([frame]);
  if (answer === undefined || answer.refused !== null) throw new Error(answer?.refused ?? "no answer");
  return answer;
}

function notWritten(reason: string): string {
  return `The network filter for jobs cannot be installed, so no job starts: ${reason}`.slice(0, 1_000);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
