/** A server that is killed during a push over SSH: nothing acknowledged is lost, nothing is recorded twice. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freeLowPort } from "@forgeline/launcher/free-port.ts";
import { createPushService, type PushService } from "@forgeline/server/domains/hosting/pushes/service.ts";
import type { CrashPoint } from "@forgeline/server/platform/crash-point.ts";
import { createContentRules } from "@forgeline/server/domains/hosting/pushes/content-rules.ts";
import { startApiServer, type ApiServer, type TestPerson } from "../../../support/api-server.ts";
import { eventually } from "../../../support/eventually.ts";
import { startProgram, type Program } from "../../../support/program.ts";
import { createSshClient, type SshClient, type SshKeyFile } from "../../../support/ssh-client.ts";

describe("A server killed during a push over SSH", () => {
  // The server in this process looks and settles; the ones that die are processes of their own.
  let server: ApiServer;
  let client: SshClient;
  let ada: TestPerson;
  let key: SshKeyFile;
  let pushReconciler: PushService;
  let doomed: Program | undefined;
  let followed = 0;

  beforeAll(async () => {
    server = await startApiServer({ env: { FORGELINE_SSH_PORT: "0" } });
    server.container.hosting.pushes.close();
    const { db, storage, presence, logger, git } = server.container.platform;
    const { refGuard } = server.container.hosting;
    pushReconciler = createPushService({
      db,
      storage,
      presence,
      logger,
      refGuard,
      keyHolders: server.container.accounts.keyHolders,
      contentRules: createContentRules({ git, maxFileBytes: 1024 * 1024 }),
      maxRepositoryBytes: 1024 * 1024 * 1024,
      runGit: git.run,
      adoptFirstBranch: () => Promise.resolve([]),
      followers: () => [{ prepare: async () => async (tx) => (tx.afterCommit(() => (followed += 1)), []) }],
      settleAfterMs: 0,
      giveUpAfterMs: 0,
    });
    client = await createSshClient(server);
    ada = await server.person("ada");
    key = await client.keyOf(ada);
  });
  afterEach(async () => {
    await doomed?.kill();
    followed = 0;
  });
  afterAll(async () => {
    await client?.remove();
    await server?.stop();
  });

  async function serverThatDiesAt(point: CrashPoint): Promise<{ sshPort: number; program: Program }> {
    const [httpsPort, sshPort] = [await freeLowPort(), await freeLowPort()];
    const { config } = server;
    const program = startProgram({
      name: `server-${point}`,
      args: ["server/main.ts", "serve"],
      directory: client.git.home,
      env: {
        PATH: process.env["PATH"],
        FORGELINE_DATABASE_URL: config.database.url.reveal(),
        TEMPORAL_ADDRESS: config.temporal.address,
        FORGELINE_HTTPS_PORT: String(httpsPort),
        FORGELINE_SSH_PORT: String(sshPort),
        FORGELINE_TLS_CERT_FILE: config.tls.certFile,
        FORGELINE_TLS_KEY_FILE: config.tls.keyFile,
        FORGELINE_DATA_DIR: server.dataDir,
        FORGELINE_CRASH_AT: point,
      },
    });
    doomed = program;
    await eventually(
      async () => (await client.ssh(key, ["-p", String(sshPort), "-T", "git@localhost"])).code === 1,
      {
        timeoutMs: 30_000,
      },
    );
    return { sshPort, program };
  }

  it.each([
    ["push.after-intent", ["refused"], 0, false],
    ["push.after-refs-before-record", ["recorded"], 1, true],
    ["push.after-record-before-answer", ["recorded"], 0, true],
  ] as const)("at %s", async (point, settled, follows, isThere) => {
    const name = point.replaceAll(/[^a-z]/g, "-");
    const { json } = await server.api("POST", "/repos", { token: ada.token, body: { name } });
    const { sshPort, program } = await serverThatDiesAt(point);
    const tree = await client.git.workTree();
    const answer = await client.git.run(["push", client.address(`ada/${name}`, sshPort), "main"], {
      cwd: tree,
      env: client.env(key),
    });
    expect(await program.exited()).toBeNull();
    expect(answer.code === 0 && !isThere, answer.stderr).toBe(false);
    // The Git of a server that was killed may outlive it for a moment, and until then its push is not looked at.
    await eventually(async () => {
      await Promise.all([pushReconciler.settleOpen(), pushReconciler.settleOpen()]);
      const states = await server.container.platform.db.query<{ state: string }>(
        "select state from pushes where repository_id = $1",
        [json.id],
      );
      expect(states.map(({ state }) => state)).toEqual(settled);
      return true;
    });
    expect(followed).toBe(follows);
    const refs = await client.git.ok(["ls-remote", client.address(`ada/${name}`)], { env: client.env(key) });
    expect(refs.includes("refs/heads/main")).toBe(isThere);
    await client.git.ok(["push", "-q", client.address(`ada/${name}`), "main"], {
      cwd: tree,
      env: client.env(key),
    });
  });
});
