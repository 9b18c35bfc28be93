/** A fake server and a real runner process beside it, for one test; everything is gone after `close`. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureCertificates } from "@forgeline/launcher/certificates.ts";
import { writeRunnerFile } from "@forgeline/runner/config.ts";
import { programFile } from "./program-bundles.ts";
import { FakeRunnerServer } from "./fake-runner-server.ts";

const program = programFile("test/support/shell-runner.ts");

export class RunnerBed {
  readonly home: string;
  readonly server: FakeRunnerServer;
  #child: ChildProcess | null = null;

  private constructor(home: string, server: FakeRunnerServer) {
    this.home = home;
    this.server = server;
  }

  static async open(capacity = 2): Promise<RunnerBed> {
    const home = await mkdtemp(join(tmpdir(), "forgeline-runner-"));
    const certificates = await ensureCertificates(home, ["localhost", "127.0.0.1"]);
    const server = new FakeRunnerServer({
      key: await readFile(certificates.keyFile, "utf8"),
      cert: await readFile(certificates.certFile, "utf8"),
    });
    await server.start();
    await writeRunnerFile(home, {
      id: "rnr_test",
      credential: "svc_runner_test",
      connect_url: server.url,
      name: "test",
      labels: ["os=linux"],
      capacity,
      ca_file: certificates.caFile,
    });
    return new RunnerBed(home, server);
  }

  startRunner(): void {
    this.#child = spawn(process.execPath, [program, this.home], { stdio: ["ignore", "inherit", "inherit"] });
  }

  /** Sends a signal; resolves with the exit code (null when it was killed). */
  async signal(name: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (!child) return null;
    const exit = new Promise<number | null>((resolve) => child.once("exit", (code) => resolve(code)));
    child.kill(name);
    return exit;
  }

  /** What jobs have left on disk: directories of jobs, spools, checkouts. */
  async leftovers(): Promise<string[]> {
    const lists = ["jobs", "spool", "checkouts"].map((name) =>
      readdir(join(this.home, name)).catch(() => []),
    );
    return (await Promise.all(lists)).flat();
  }

  async close(): Promise<void> {
    if (this.#child && this.#child.exitCode === null && this.#child.signalCode === null)
      await this.signal("SIGKILL");
    await this.server.stop();
    await rm(this.home, { recursive: true, force: true });
  }
}
