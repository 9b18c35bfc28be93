/**
 * The filter of what jobs may reach: written at the runner's start, looked after while it runs, removed at its end. It stays when
 * the runner is killed, for containers continue. Design: docs/architecture/runner-egress.md.
 */
import type { EgressReport } from "@forgeline/schemas/runner-protocol/egress.ts";
import { EngineError } from "../engine/engine.ts";
import { type AllowedTarget, parseAllowed } from "./allow-list.ts";
import { type Kernel, askOne } from "./kernel.ts";
import { messageOf } from "../message-of.ts";
import { type ClosedKind, namesFor } from "./policy.ts";
import type { EgressSettings } from "./settings.ts";
import { removeFrame } from "./table.ts";
import { createWrittenFilter } from "./written-filter.ts";

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
  /** Which networks that reach less than others it holds now. */
  closes(): ClosedKind[];
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
  /**
   * Containers ask the machine for the names of their network, and not a name server in their own: what that does not know it asks
   * others from the machine's network, where no filter holds it. So no network is closed then.
   */
  answersNames(): Promise<boolean>;
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
  const filter = createWrittenFilter({ ...deps, names, allow });
  let started: Promise<EgressReport> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isHere = false;
  let answersNames = false;
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

  async function begin(): Promise<EgressReport> {
    const reported = { allow: [...settings.allow] };
    isHere = await deps.isHere();
    answersNames = await deps.answersNames();
    const places = isHere ? [own, inContainer] : [inContainer];
    if (settings.mode === "open") {
      // One that a former process wrote would continue.
      await removeFrom(places);
      return { ...reported, state: "open", reason: null };
    }
    const reason = await writeInOne(places);
    if (filter.place() !== own) own.close();
    if (reason === null) {
      startTimer();
      return { ...reported, state: "filtered", reason };
    }
    await removeFrom(places);
    filter.forget();
    if (settings.mode === "required") throw new Error(`The networks of jobs cannot be filtered: ${reason}`);
    return { ...reported, state: "unfiltered", reason: reason.slice(0, 1_000) };
  }

  /** null when it is written, else why it is not. */
  async function writeInOne(places: readonly Kernel[]): Promise<string | null> {
    const reasons: string[] = [];
    for (const where of places) {
      const reason = await filter.writeTo(where).then(() => null, messageOf);
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
    const everyMs = filter.place() === own ? deps.everyMs.own : deps.everyMs.inContainer;
    const look = (): void => {
      inTurn(async () => (await filter.refresh()) || (await filter.check())).then(
        () => undefined,
        (error: unknown) => deps.onWarning(notWritten(messageOf(error))),
      );
    };
    timer = setInterval(look, everyMs).unref();
  }

  async function start(): Promise<EgressReport> {
    const begun = await (started ??= inTurn(begin));
    const missing = filter.missing();
    return missing === null ? begun : { ...begun, state: "unfiltered", reason: notWritten(missing) };
  }

  return {
    bridgePrefix: names.bridgePrefix,
    allow,
    start,
    serverAt: filter.serverAt,
    async ensure() {
      if (settings.mode === "open") return;
      await start();
      if (filter.place() === null) return;
      await forJobs(async () => {
        if (filter.isOutdated() && (await filter.refresh())) return;
        const place = filter.place();
        if (place === null) return;
        // A question by container takes half a second: there the timer looks, but for a network that came with a new daemon.
        if (place === own || filter.missing() !== null || !(await place.isSame())) await filter.check();
      });
    },
    closes() {
      if (answersNames || filter.place() === null || filter.missing() !== null) return [];
      // A proxy listens on a bridge, which has to be in the runner's own network.
      return isHere ? ["none", "proxy"] : ["none"];
    },
    async bridgeMade(name) {
      if (filter.place() !== own || deps.hasInterface(name)) return;
      await forJobs(async () => {
        if (filter.place() === own) await filter.writeTo(inContainer);
      });
    },
    async close(isLast) {
      clearInterval(timer);
      const where = filter.place();
      if (isLast && where !== null) await inTurn(() => removeFrom([where]));
      own.close();
      inContainer.close();
    },
  };
}

function notWritten(reason: string): string {
  return `The network filter for jobs cannot be installed, so no job starts: ${reason}`.slice(0, 1_000);
}
