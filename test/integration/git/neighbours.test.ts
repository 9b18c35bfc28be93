/** API servers that share a disk, and see of each other neither processes nor network, as in containers. */
import { mkdtemp, realpath, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startApiServer } from "../../support/api-server.ts";
import { eventually } from "../../support/eventually.ts";
import { runDrill } from "../../support/neighbours/drill.ts";
import { createFaultyGit, stoppedHolders } from "../../support/neighbours/faulty-git.ts";
import { startDoomedServer } from "./doomed-server.ts";
import { addressWithToken, createGitClient } from "./git-client.ts";

// Longer than any lock is let be that is nobody's. The same with a thousand pushes: `npm run chaos -- --only neighbours`.
const stoppedForMs = 6_500;

it(
  "a lock stays with its holder however long that is stopped, and a killed one's goes",
  { timeout: 120_000 },
  async () => {
    const size = { pushes: 10, refs: 2, pushers: 1, stops: 1, stopsSide: false, kills: 1, stoppedForMs };
    const figures = await runDrill(size);
    expect(figures).toMatchObject({ held: 1, heldAndRemoved: [], lost: [] });
    expect(figures.acknowledged).toBeGreaterThanOrEqual(10);
    // Where others crowd the machine, one that is in use may stay for so long, too.
    expect(figures.leftMs.length).toBeGreaterThanOrEqual(1);
  },
);

it(
  "a lock of a server that was killed stays as long as its Git, and the push is settled then",
  { timeout: 120_000 },
  async () => {
    const home = await mkdtemp(join(tmpdir(), "forgeline-orphan-"));
    const server = await startApiServer();
    const git = await createGitClient(server.caFile);
    try {
      // Only when it is told to.
      server.container.hosting.pushes.close();
      const faults = await createFaultyGit(home);
      const { token } = await server.person("ada");
      const parts = { server, git, token, path: await faults.pathFor("doomed") };
      const doomed = await startDoomedServer(parts, "push.after-record-before-answer");
      const { json } = await server.api("POST", "/repos", { token, body: { name: "held" } });
      const directory = await realpath(server.container.platform.storage.directory(json.id));
      await faults.order(directory, "stop");
      const tree = await git.workTree();
      const pushing = git.run(["push", addressWithToken(doomed.webUrl, "ada/held", token), "main"], {
        cwd: tree,
      });
      const holder = await eventually(async () => (await stoppedHolders(directory))[0]);
      await doomed.program.kill();
      expect((await pushing).code).not.toBe(0);
      const longAgo = new Date(Date.now() - 60_000);
      await utimes(holder.path, longAgo, longAgo);
      expect(await server.container.hosting.pushes.settleAll()).toBe(0);
      expect(await holder.hasItsLock()).toBe(true);
      holder.wake();
      await eventually(async () => (await server.container.hosting.pushes.settleAll()) === 1);
      const url = addressWithToken(server.webUrl, "ada/held", token);
      expect(await git.ok(["ls-remote", url, "refs/heads/main"])).toContain(holder.after);
    } finally {
      await git.remove();
      await server.stop();
      await rm(home, { recursive: true, force: true });
    }
  },
);
