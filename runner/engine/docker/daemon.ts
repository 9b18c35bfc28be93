/**
 * Calls to the Docker daemon that outlive its restarts, and its answers as `EngineError`s. A daemon that does not
 * answer is waited for, five minutes unless told otherwise, since containers and their output continue without it.
 */
import { setTimeout as delay } from "node:timers/promises";
import { messageOf } from "../../message-of.ts";
import { EngineError } from "../engine.ts";

export interface Daemon {
  /** Repeats `call` while the daemon cannot be reached; `call` must bear being repeated. */
  ask<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  /** As `ask`, null when the daemon says there is no such thing. */
  find<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T | null>;
}

const unreachable = new Set(["ECONNREFUSED", "ECONNRESET", "ENOENT", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH"]);

export function statusOf(error: unknown): number | null {
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === "number" ? status : null;
}

/** The daemon's own sentence, without the wrapping of the client. */
export function daemonMessage(error: unknown): string {
  const json = (error as { json?: { message?: unknown } } | null)?.json;
  if (typeof json?.message === "string") return json.message.trim();
  return messageOf(error);
}

export function isUnreachable(error: unknown): boolean {
  if (statusOf(error) !== null) return false;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  return (
    (code !== undefined && unreachable.has(code)) ||
    (error instanceof Error && error.message === "socket hang up")
  );
}

/** What the daemon said in the words of the engine. */
export function engineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const message = daemonMessage(error);
  const options = { cause: error };
  if (/no space left on device/i.test(message))
    return new EngineError("disk_full", `The disk is full: ${message}`, options);
  if (/address pool|no available network|fully subnetted/i.test(message)) {
    return new EngineError(
      "address_pool",
      "The Docker daemon has no address pool left for another network.",
      options,
    );
  }
  if (/exec(utable)?:? .*(not found|no such file)|starting container process.*no such file/i.test(message)) {
    return new EngineError("no_shell", "The image has no `sh`, which a job needs to run its steps.", options);
  }
  if (/setrlimit|setting rlimit/i.test(message)) return limitsError(message, options);
  if (/cgroup.*(not available|not delegated|permission denied|not permitted)/i.test(message))
    return controlGroupsError(message, options);
  if (isUnreachable(error))
    return new EngineError("engine_down", `The Docker daemon is not responding: ${message}`, options);
  return new EngineError("internal", `Docker: ${message}`, options);
}

/** Podman asks for more open files than its own process may have, on machines where not even root may raise that. */
function limitsError(message: string, options: ErrorOptions): EngineError {
  const text = `The runner's container engine may not raise limits of containers: its operator has to set "default_ulimits" in containers.conf to limits that it has (docs/operations/runners.md#podman). It said: ${message}`;
  return new EngineError("not_permitted", text, options);
}

/** Without root, Podman has those control groups only that were given to its user. */
function controlGroupsError(message: string, options: ErrorOptions): EngineError {
  const text = `The runner's container engine may not limit what containers take: its operator has to delegate the control groups cpu, memory and pids to its user (docs/operations/runners.md#podman). It said: ${message}`;
  return new EngineError("not_permitted", text, options);
}

export function createDaemon(patienceMs: number): Daemon {
  async function ask<T>(call: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const startedMs = performance.now();
    for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 2000)) {
      signal?.throwIfAborted();
      try {
        return await call();
      } catch (error) {
        if (!isUnreachable(error) || performance.now() - startedMs + pauseMs > patienceMs) throw error;
      }
      await delay(pauseMs, undefined, signal === undefined ? {} : { signal });
    }
  }
  return {
    ask,
    async find(call, signal) {
      try {
        return await ask(call, signal);
      } catch (error) {
        if (statusOf(error) === 404) return null;
        throw error;
      }
    },
  };
}
