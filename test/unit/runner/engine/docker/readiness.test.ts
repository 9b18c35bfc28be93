/** A service that ends while it is asked whether it is ready. The daemon's answers are made here: on a machine it is a matter of luck. */
import type Dockerode from "dockerode";
import { expect, test } from "vitest";
import { createDaemon } from "@forgeline/runner/engine/docker/daemon.ts";
import { whenServiceReady } from "@forgeline/runner/engine/docker/readiness.ts";
import { buildService } from "../../../../support/lease-spec.ts";

/** A container that is in these states one after the other, and refuses every command. */
function docker(states: readonly { Running: boolean; ExitCode: number }[], refusal: Error): Dockerode {
  let asked = 0;
  const container = {
    inspect: async () => {
      const State = states[Math.min(asked++, states.length - 1)];
      return { State, NetworkSettings: { Networks: {} } };
    },
    exec: async () => {
      throw refusal;
    },
  };
  return { getContainer: () => container } as unknown as Dockerode;
}

const running = { Running: true, ExitCode: 0 };
const ready = { exec: "true", timeoutMs: 10_000, intervalMs: 10 };
const wait = (states: Parameters<typeof docker>[0], refusal: Error): Promise<void> =>
  whenServiceReady({
    docker: docker(states, refusal),
    daemon: createDaemon(0),
    containerId: "web",
    service: { ...buildService("web", ""), ready },
    hasHealthCheck: false,
    isReachedFromHere: true,
    signal: new AbortController().signal,
  });

test("a service that ends while it is asked has ended, with its exit code", async () => {
  const refusal = Object.assign(new Error("Container web is not running"), { statusCode: 409 });
  await expect(wait([running, { Running: false, ExitCode: 3 }], refusal)).rejects.toMatchObject({
    code: "service_not_ready",
    message: "Service web ended with exit code 3 before it was ready.",
  });
});

test("a daemon that cannot ask a running one is at fault itself", async () => {
  await expect(wait([running], new Error("no more memory"))).rejects.toThrow("no more memory");
});
