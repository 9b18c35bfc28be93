/** The shells of one job, and whether its container is kept for one when it fails. */
import type { LeaseSpec } from "@forgeline/schemas/runner-protocol/lease.ts";
import type { Logger } from "pino";
import { messageOf } from "../message-of.ts";
import type { JobEnvironment } from "../engine/engine.ts";
import { hiddenValues } from "../job/job-secrets.ts";
import type { JobSettings } from "../job/job-context.ts";
import { jobEnvironment } from "../job/job-environment.ts";
import { secretEncodings } from "../logs/secret-encodings.ts";
import type { ConnectShell } from "./connect-shell.ts";
import { runShell, type ShellSession } from "./shell-session.ts";

/** The server allows fewer. */
const maxShells = 20;

export interface WantedShell {
  shellId: string;
  columns: number;
  rows: number;
}

export class JobShells {
  readonly #spec: LeaseSpec;
  readonly #settings: Pick<JobSettings, "caFile">;
  readonly #connect: ConnectShell | null;
  readonly #logger: Logger;
  readonly #open = new Map<string, Promise<ShellSession | null>>();
  readonly #ended = new AbortController();
  #environment: JobEnvironment | null = null;
  #keepMs: number | null;
  #release: () => void = () => undefined;

  constructor(
    spec: LeaseSpec,
    job: { settings: Pick<JobSettings, "caFile">; connect: ConnectShell | null; logger: Logger },
  ) {
    this.#spec = spec;
    this.#settings = job.settings;
    this.#connect = job.connect;
    this.#logger = job.logger;
    this.#keepMs = spec.keepOpenMs;
  }

  /** Shells can be opened from now on. Those of an agent that died are ended first. */
  async begin(environment: JobEnvironment, isResumed: boolean): Promise<void> {
    if (this.#connect === null) return;
    if (isResumed)
      await environment.endShells().catch((error: unknown) => {
        this.#logger.warn({ err: error }, "shells of an earlier process may be left in a job");
      });
    this.#environment = environment;
  }

  /** The server asks again until the shell is there or it gives up. */
  open(wanted: WantedShell): void {
    const environment = this.#environment;
    if (!environment || this.#connect === null || this.#ended.signal.aborted) return;
    if (this.#open.has(wanted.shellId) || this.#open.size >= maxShells) return;
    const opening = this.#begin(wanted, environment, this.#connect).catch((error: unknown) => {
      this.#logger.warn(
        { shell_id: wanted.shellId, reason: messageOf(error) },
        "a shell could not be opened",
      );
      return null;
    });
    this.#open.set(wanted.shellId, opening);
    void opening.then((session) => session?.finished).then(() => this.#open.delete(wanted.shellId));
  }

  async #begin(
    { shellId, columns, rows }: WantedShell,
    environment: JobEnvironment,
    connect: ConnectShell,
  ): Promise<ShellSession> {
    const socket = await connect(shellId);
    try {
      const env = jobEnvironment(this.#spec, this.#settings);
      const shell = await environment.openShell({ env, columns, rows }, this.#ended.signal);
      const session = runShell(socket, shell, secretEncodings(hiddenValues(this.#spec)));
      this.#logger.info({ shell_id: shellId }, "a shell was opened in a job");
      return session;
    } catch (error) {
      const message = `The runner could not open a shell in the container: ${messageOf(error)}`;
      socket.send(JSON.stringify({ t: "exited", exitCode: null, message: message.slice(0, 1_000) }));
      socket.close(1000);
      throw error;
    } finally {
      socket.resume();
    }
  }

  /** null: the container is not kept any more. */
  setKeepOpen(ms: number | null): void {
    this.#keepMs = ms;
    if (ms === null) this.#release();
  }

  /** For how long the container would be kept now; null: not at all. */
  get keepMs(): number | null {
    return this.#connect === null ? null : this.#keepMs;
  }

  /** Resolves when the container need not be kept any more. */
  keep(forMs: number, stopped: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, forMs);
      this.#release = () => {
        clearTimeout(timer);
        resolve();
      };
      if (stopped.aborted) this.#release();
      stopped.addEventListener("abort", this.#release, { once: true });
    });
  }

  /** Ends all for good: the job is over. */
  async end(): Promise<void> {
    this.#ended.abort(new Error("the job has ended"));
    const endings = [...this.#open.values()].map(async (opening) => {
      await (await opening)?.end("The job has ended.");
    });
    await Promise.all(endings);
  }
}
