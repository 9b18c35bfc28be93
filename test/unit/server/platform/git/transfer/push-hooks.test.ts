import { once } from "node:events";
import { duplexPair } from "node:stream";
import { describe, expect, it } from "vitest";
import {
  serveHooks,
  type PushHandlers,
  type PushProposal,
} from "@forgeline/server/platform/git/transfer/push-hooks.ts";
import { AppError } from "@forgeline/server/platform/app-error.ts";

const [before, after] = ["0".repeat(40), "a".repeat(40)];
const line = `${before} ${after} refs/heads/main\n`;
const updates = [{ ref: "refs/heads/main", before, after }];

/** What a hook hears that says this. */
async function answer(said: string, handlers: Partial<PushHandlers> = {}): Promise<string> {
  const [hook, server] = duplexPair();
  const all: PushHandlers = {
    beforeRefsMove: async () => ({ accept: true, lines: [] }),
    mayMove: () => ({ accept: true, lines: [] }),
    afterRefsMoved: async () => [],
    ...handlers,
  };
  serveHooks(server, all, () => true);
  hook.setEncoding("utf8").write(said);
  const [heard] = (await once(hook, "data")) as [string];
  hook.destroy();
  return heard;
}

describe("the hooks of a push", () => {
  it("ask for the whole list, for each ref, and tell what moved", async () => {
    const seen: unknown[] = [];
    const handlers: Partial<PushHandlers> = {
      beforeRefsMove: async (proposal) => (seen.push(proposal), { accept: true, lines: ["hello"] }),
      mayMove: (ref) => (seen.push(ref), { accept: false, lines: [] }),
      afterRefsMoved: async (moved) => (seen.push(moved), ["Pipeline #1"]),
    };
    const said = `pre-receive\nquarantine /q\ncertificate ${after} OK\noption ci.skip\n${line}end\n`;
    expect(await answer(said, handlers)).toBe("say hello\naccept\n");
    expect(await answer(`update\n${line}end\n`, handlers)).toBe("refuse\n");
    expect(await answer(`post-receive\n${line}end\n`, handlers)).toBe("say Pipeline #1\ndone\n");
    const certificate = { oid: after, nonceIsOurs: true };
    const proposal: PushProposal = {
      updates,
      options: ["ci.skip"],
      quarantine: "/q",
      certificate,
      isAtomic: true,
    };
    expect(seen).toEqual([proposal, "refs/heads/main", updates]);
  });

  it("are told lines that neither drive a terminal nor pass for an answer", async () => {
    const lines = ["\u001b[2Jgone\u009b1m", "two\naccept"];
    const refused = await answer(`pre-receive\n${line}end\n`, {
      beforeRefsMove: async () => ({ accept: false, lines }),
    });
    expect(refused).toBe("say ?[2Jgone?1m\nsay two?accept\nrefuse\n");
  });

  it("hear the reason of a refusal, and nothing of what nobody expected", async () => {
    const failing = (error: Error) => ({
      beforeRefsMove: () => Promise.reject(error),
      afterRefsMoved: () => Promise.reject(error),
    });
    const known = failing(new AppError("forbidden", { message: "Not here." }));
    expect(await answer(`pre-receive\n${line}end\n`, known)).toBe("say Not here.\nrefuse\n");
    for (const error of [new Error("secret"), new AppError("unavailable", { message: "secret" })]) {
      const refused = await answer(`pre-receive\n${line}end\n`, failing(error));
      expect(refused).toMatch(/^say Forgeline cannot record the push right now.*\nrefuse\n$/);
      expect(await answer(`post-receive\n${line}end\n`, failing(error))).toBe("done\n");
    }
  });

  it("refuse a list that is too long or that cannot be read", async () => {
    const long = line.repeat(Math.ceil((8 * 1024 * 1024) / line.length) + 1);
    for (const list of [long, `${line}what\n`, "certificate x\n"])
      expect(await answer(`pre-receive\n${list}end\n`)).toMatch(/^say The list of refs .*\nrefuse\n$/);
  });
});
