import type Dockerode from "dockerode";
import { expect, it } from "vitest";
import type { EngineContext } from "@forgeline/runner/engine/docker/context.ts";
import { createFreshContainer, createFreshNetwork } from "@forgeline/runner/engine/docker/create-fresh.ts";
import { createDaemon } from "@forgeline/runner/engine/docker/daemon.ts";

const refusal = (statusCode: number) => Object.assign(new Error(`status ${statusCode}`), { statusCode });

/** A daemon that still works on what a killed agent asked for: the name is taken, and not there, for `rounds` calls. */
function busyContext(rounds: number): { context: EngineContext; removals: () => number } {
  let taken = rounds;
  let removals = 0;
  const create = async (options: unknown) => {
    if (taken > 0) throw refusal(409);
    return options;
  };
  const handle = () => ({
    async remove() {
      taken -= 1;
      removals += 1;
      if (taken > 0) throw refusal(404);
    },
  });
  const docker = {
    createContainer: create,
    createNetwork: create,
    getContainer: handle,
    getNetwork: handle,
  } as unknown as Dockerode;
  return {
    context: { docker, daemon: createDaemon(1000) } as EngineContext,
    removals: () => removals,
  };
}

it("waits for what the daemon still makes under the name, removes it, and makes its own", async () => {
  const { signal } = new AbortController();
  const container = busyContext(3);
  const options = { name: "forgeline-a", Image: "sha256:1" };
  expect(await createFreshContainer(container.context, options, signal)).toBe(options);
  expect(container.removals()).toBe(3);

  const network = busyContext(3);
  expect(await createFreshNetwork(network.context, { Name: "forgeline-a" })).toEqual({ Name: "forgeline-a" });
  expect(network.removals()).toBe(3);
});

it("ends when the job does", async () => {
  const ended = new AbortController();
  const { context } = busyContext(Number.POSITIVE_INFINITY);
  const made = createFreshContainer(context, { name: "forgeline-a" }, ended.signal);
  ended.abort(new Error("cancelled"));
  await expect(made).rejects.toThrow(/abort/i);
});

it("passes every other refusal on at once", async () => {
  const docker = {
    createNetwork: async () => {
      throw refusal(500);
    },
  } as unknown as Dockerode;
  const context = { docker, daemon: createDaemon(1000) } as EngineContext;
  await expect(createFreshNetwork(context, { Name: "forgeline-a" })).rejects.toMatchObject({
    statusCode: 500,
  });
});
