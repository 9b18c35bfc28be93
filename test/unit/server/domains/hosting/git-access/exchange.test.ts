import { expect, it, vi } from "vitest";
import {
  createGitExchange,
  type GitExchangeDeps,
} from "@forgeline/server/domains/hosting/git-access/exchange.ts";
import { anonymousActor } from "@forgeline/server/platform/access/actor.ts";

const repository = {
  id: "repo_1",
  owner: "ada",
  name: "code",
  visibility: "public",
  archived: false,
  mirror: false,
  publicPipelines: false,
  defaultBranch: "main",
  moved: false,
} as const;

function exchange() {
  const leave = vi.fn<() => void>();
  const enter = vi.fn<GitExchangeDeps["exchangeSlots"]["enter"]>(() => Promise.resolve(leave));
  const storage = { check: () => Promise.resolve(), directory: (id: string) => `/nowhere/${id}` };
  const begin = vi.fn<GitExchangeDeps["pushes"]["begin"]>();
  const requestMemory = vi.fn<GitExchangeDeps["requestMemory"]>();
  const deps = { storage, pushes: { begin }, exchangeSlots: { enter }, requestMemory };
  const granted = { repository, actor: anonymousActor, program: "receive-pack", isInvited: false } as const;
  return { ...createGitExchange(deps, granted), enter, leave, begin };
}

it("waits as one that has begun from its second slot on, and gives back each", async () => {
  const { underSlot, enter, leave } = exchange();
  await underSlot({}, () => Promise.resolve());
  expect(leave).toHaveBeenCalledTimes(1);
  await expect(underSlot({}, () => Promise.reject(new Error("it failed")))).rejects.toThrow("it failed");
  expect(leave).toHaveBeenCalledTimes(2);
  expect(enter.mock.calls.map(([{ hasBegun, repositoryId }]) => [repositoryId, hasBegun])).toEqual([
    ["repo_1", false],
    ["repo_1", true],
  ]);
});

it("has not begun while it was refused a slot", async () => {
  const { underSlot, enter } = exchange();
  enter.mockRejectedValueOnce(new Error("it is full"));
  await expect(underSlot({}, () => Promise.resolve())).rejects.toThrow("it is full");
  await underSlot({}, () => Promise.resolve());
  expect(enter.mock.calls.map(([{ hasBegun }]) => hasBegun)).toEqual([false, false]);
});

it("begins no push before it knows that there is room", async () => {
  const { beginPush, begin } = exchange();
  await expect(beginPush()).rejects.toThrow("ENOENT");
  expect(begin).not.toHaveBeenCalled();
});
