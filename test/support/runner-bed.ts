/** A fake server and a real runner process beside it, for one test; everything is gone after `close`, or with the test. */
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureCertificates } from "@forgeline/launcher/certificates.ts";
import { writeRunnerFile } from "@forgeline/runner/config.ts";
import { programFile } from "./program-bundles.ts";
import { FakeRunnerServer } from "./fake-runner-server.ts";
import { guard, type Guard } from "./guard.ts";

const program = programFile("test/support/shell-runner.ts");
/** Ends the runner, and the steps, which outlive it and would wait for a server that is not there any more. */
const cleaning = `kill -s KILL "$(cat "$1/runner.pid")"
for file in "$1"/jobs/*/*.pid; do
  [ -e "\${file%.pid}.exit" ] || kill -s KILL -- "-$(cat "$file")"
done
for file in "$1"/jobs/*/steps/*.pid; do
  [ -e "\${file%.*.pid}.exit" ] || kill -s KILL -- "-$(cat "$file")"
done
rm -rf "$1"`;

export class RunnerBed {
  readonly home: string;
  readonly server: FakeRunnerServer;
  readonly #guard: Guard;
  #child: ChildProcess | null = null;

  private constructor(home: string, server: FakeRunnerServer) {
    this.home = home;
    this.server = server;
    this.#guard = guard(cleaning, home);
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
    this.#start([program, this.home], process.env);
  }

  /** The program that operators start, with the executor that has no containers. */
  startProcessRunner(env: Record<string, string> = {}): void {
    this.#start([programFile("runner/main.ts"), "start", "--dir", this.home], {
      PATH: process.env["PATH"] ?? "",
      FORGELINE_RUNNER_EXECUTOR: "process",
      FORGELINE_RUNNER_PROCESS_AS_ROOT: "true",
      FORGELINE_RUNNER_EGRESS: "open",
      FORGELINE_RUNNER_LOG_LEVEL: "error",
      FORGELINE_RUNNER_MAX_MEMORY: "1Gi",
      ...env,
    });
  }

  #start(words: string[], env: NodeJS.ProcessEnv): void {
    this.#child = spawn(process.execPath, words, { stdio: ["ignore", "inherit", "inherit"], env });
    writeFileSync(join(this.home, "runner.pid"), String(this.#child.pid));
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
  async leftovers(kinds = ["jobs", "spool", "checkouts"]): Promise<string[]> {
    const lists = kinds.map((name) => readdir(join(this.home, name)).catch(() => []));
    return (await Promise.all(lists)).flat();
  }

  async close(): Promise<void> {
    if (this.#child && this.#child.exitCode === null && this.#child.signalCode === null)
      await this.signal("SIGKILL");
    await rm(join(this.home, "runner.pid"), { force: true });
    await this.server.stop();
    await this.#guard.clean();
    await rm(this.home, { recursive: true, force: true });
  }
}
