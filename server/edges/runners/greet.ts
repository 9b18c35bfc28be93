/** Creates the session of a connection that sent `hello`, if it may be the runner's connection. */
import type { ConnectedRunner } from "../../domains/pipelines/domain.ts";
import type { RunnerBudget } from "./budget.ts";
import { chooseProtocol, claimConnection, welcome, type HelloMessage } from "./handshake.ts";
import type { RunnerLink } from "./link.ts";
import { createLogFlow } from "./log-flow.ts";
import { createRunnerSession, type RunnerHubDeps, type RunnerSession } from "./session.ts";

export interface Greeting {
  link: RunnerLink;
  runner: ConnectedRunner;
  budget: RunnerBudget;
  hello: HelloMessage;
  /** The runner's existing session on this server. */
  older: RunnerSession | undefined;
  recheckConnection: () => Promise<void>;
}

/** The session, welcomed. Undefined: the link was closed with the reason. */
export async function greet(deps: RunnerHubDeps, greeting: Greeting): Promise<RunnerSession | undefined> {
  const { link, runner, budget, hello, older, recheckConnection } = greeting;
  const protocol = chooseProtocol(link, hello);
  if (protocol === undefined) return undefined;
  const connection = await claimConnection(deps, { link, runner, hello, budget }, older);
  if (!connection) return undefined;
  const { instanceId, capacity, draining, clockMs, shells } = hello;
  const noteForeignLease = createForeignLeaseNotes(deps, greeting);
  const session = createRunnerSession({
    deps,
    link,
    runner,
    // Not the message itself, which would stay in memory as long as the connection.
    hello: { instanceId, capacity, draining, clockMs, shells },
    connection,
    flow: openLogFlow(deps, link, noteForeignLease),
    recheckConnection,
    noteForeignLease,
  });
  await welcome(session, hello, protocol);
  return session;
}

function createForeignLeaseNotes({ leases }: RunnerHubDeps, { link, runner, budget }: Greeting) {
  return async (attemptId: string | null): Promise<void> => {
    link.strike("spoke for another runner's lease");
    const { ipAddress } = link;
    if (budget.mayBeNoted()) await leases.noteForeign(runner, { attemptId, ipAddress });
  };
}

function openLogFlow(
  { logs, logger, settings }: RunnerHubDeps,
  link: RunnerLink,
  noteForeignLease: RunnerSession["noteForeignLease"],
) {
  const { windowBytes, windowBytesPerStream } = settings;
  const onForeignChannel = () =>
    void noteForeignLease(null).catch((error: Error) =>
      logger.warn({ error: error.message }, "audit failed"),
    );
  return createLogFlow({ link, logs, logger, windowBytes, windowBytesPerStream, onForeignChannel });
}
