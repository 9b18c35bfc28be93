/**
 * The filter as it stands in a kernel: what was written where, whether it is still there, and what has changed since. Its
 * calls must not overlap: a look could come between a policy and its writing.
 */
import { isDeepStrictEqual } from "node:util";
import type { AllowedTarget } from "./allow-list.ts";
import { divideConnections } from "./connection-limit.ts";
import { type Kernel, askOne } from "./kernel.ts";
import { messageOf } from "../message-of.ts";
import type { EgressPolicy, namesFor } from "./policy.ts";
import { withoutRefused } from "./reduced-policy.ts";
import { containerResolvers } from "./resolvers.ts";
import { findServer, rememberAddresses } from "./server-addresses.ts";
import type { EgressSettings } from "./settings.ts";
import { listFrame, ruleCount, writeFrame } from "./table.ts";

export interface WrittenFilter {
  /** Where it is; null without one. */
  place(): Kernel | null;
  /** Why it may not be there; null when it was seen. */
  missing(): string | null;
  /** Jobs reach the server here as well. */
  serverAt(url: string): void;
  /** The server was said to be somewhere else as well, or could not be written. */
  isOutdated(): boolean;
  /** Writes it there for the first time. Throws when no container meets it. */
  writeTo(where: Kernel): Promise<void>;
  /** Writes it where addresses have changed since; true then. */
  refresh(): Promise<boolean>;
  /** Writes it again where it, or part of it, is not there any more. Throws when that cannot be done. */
  check(): Promise<void>;
  /** There is none: it could not be written. */
  forget(): void;
}

export interface WrittenFilterDeps {
  settings: EgressSettings;
  names: ReturnType<typeof namesFor>;
  allow: readonly AllowedTarget[];
  /** In the network of the Docker daemon, where nothing but a probe sees the filter. */
  inContainer: Kernel;
  answersNames(): Promise<boolean>;
  probe(bridgePrefix: string): Promise<string | null>;
  onWarning(line: string): void;
}

export function createWrittenFilter(deps: WrittenFilterDeps): WrittenFilter {
  const { settings, names, allow, inContainer } = deps;
  const rememberingAddresses = rememberAddresses();
  const serverUrls = new Set(settings.serverUrl === null ? [] : [settings.serverUrl]);
  let kernel: Kernel | null = null;
  let written: EgressPolicy | null = null;
  /** Less where the kernel was seen to lack it. */
  let able: Pick<EgressPolicy, "connections" | "checksSources"> = {
    connections: divideConnections(settings.connections),
    checksSources: true,
  };
  let isOutdated = false;
  let missing: string | null = null;
  /** It was written where no container has met it yet. */
  let isUnseen = false;

  async function policyFor(where: Kernel | null): Promise<EgressPolicy> {
    const [places, resolvers, answersNames] = await Promise.all([
      findServer([...serverUrls], settings.extraHosts, rememberingAddresses),
      containerResolvers(where?.resolvers() ?? []),
      deps.answersNames(),
    ]);
    return { ...names, allow, resolvers, answersNames, ...places, ...able };
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
  async function writeTo(where: Kernel): Promise<void> {
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

  return {
    place: () => kernel,
    missing: () => missing,
    serverAt(url) {
      isOutdated ||= !serverUrls.has(url);
      serverUrls.add(url);
    },
    isOutdated: () => isOutdated,
    writeTo,
    refresh,
    check,
    forget() {
      kernel = null;
      missing = null;
    },
  };
}
