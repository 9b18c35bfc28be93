/**
 * Is a service ready? `tcp` and `http` are tried from the agent's machine, so that the image needs no tools; where
 * its network cannot be reached from there, from inside the service's container. With a rootless daemon always there: on the
 * machine itself the service's address leads to something else, which may answer.
 */
import { request } from "node:http";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type Dockerode from "dockerode";
import type { PlanService } from "@forgeline/schemas/pipeline-file/plan.ts";
import type { z } from "zod";
import { EngineError } from "../engine.ts";
import type { Daemon } from "./daemon.ts";
import { execInContainer } from "./exec.ts";

type Ready = Exclude<z.infer<typeof PlanService>["ready"], false | null>;

export interface ReadinessRequest {
  docker: Dockerode;
  daemon: Daemon;
  containerId: string;
  service: z.infer<typeof PlanService>;
  hasHealthCheck: boolean;
  /** The service's address means the same on the agent's machine. */
  isReachedFromHere: boolean;
  signal: AbortSignal;
}

type Answer = "yes" | "no" | "unreachable";
const defaults = { timeoutMs: 60_000, intervalMs: 1000 };
const probeTimeoutMs = 5000;

/** `:8080/health`, `8080/health`, `/health` (port 80) or a whole address, of which port and path count. */
export function parseHttpProbe(text: string): { port: number; path: string } {
  const match = /^(?:https?:\/\/[^/:]*)?:?(\d{1,5})?(\/.*)?$/.exec(text);
  if (match === null)
    throw new EngineError(
      "service_not_ready",
      `${JSON.stringify(text)} is not a valid probe; use for example :8080/health`,
    );
  return { port: Number(match[1] ?? 80), path: match[2] ?? "/" };
}

function reachability(error: NodeJS.ErrnoException): Answer {
  return error.code === "EHOSTUNREACH" || error.code === "ENETUNREACH" || error.code === "ETIMEDOUT"
    ? "unreachable"
    : "no";
}

interface Place {
  host: string;
  port: number;
}

function tryTcp(place: Place, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = connect({ ...place, timeout: probeTimeoutMs, signal });
    const answer = (value: Answer): void => {
      socket.destroy();
      resolve(value);
    };
    socket.on("connect", () => answer("yes"));
    socket.on("timeout", () => answer("unreachable"));
    socket.on("error", (error) => answer(reachability(error)));
  });
}

/** A service may say a little now and then forever without an answer, so that the whole exchange has an end of its own. */
function tryHttp(place: Place, path: string, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    const ended = AbortSignal.any([signal, AbortSignal.timeout(probeTimeoutMs)]);
    const call = request({ ...place, path, agent: false, signal: ended }, (response) => {
      const status = response.statusCode ?? 0;
      response.destroy();
      resolve(status >= 200 && status < 300 ? "yes" : "no");
    });
    call.on("error", (error) => resolve(reachability(error)));
    call.end();
  });
}

function insideCommand(ready: Ready): string {
  if (ready.exec !== undefined) return ready.exec;
  if (ready.http !== undefined) {
    const { port, path } = parseHttpProbe(ready.http);
    const address = `'http://127.0.0.1:${String(port)}${path.replaceAll("'", "%27")}'`;
    return `wget -q -O /dev/null ${address} || curl -sf -o /dev/null ${address}`;
  }
  const port = ready.tcp ?? 0;
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  return [
    `nc -z 127.0.0.1 ${String(port)}`,
    `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${String(port)}'`,
    // Not every `nc` knows `-z`: the kernel's list of sockets, of which 0A are those that listen.
    `grep -q ':${hex} [0-9A-F]*:0000 0A ' /proc/net/tcp /proc/net/tcp6`,
  ].join(" || ");
}

async function probe(
  input: ReadinessRequest,
  { ready, address }: { ready: Ready; address: string },
  signal: AbortSignal,
): Promise<boolean> {
  if (ready.exec === undefined && address !== "" && input.isReachedFromHere) {
    const http = ready.http === undefined ? null : parseHttpProbe(ready.http);
    const place = { host: address, port: http?.port ?? ready.tcp ?? 0 };
    const answer = http === null ? await tryTcp(place, signal) : await tryHttp(place, http.path, signal);
    signal.throwIfAborted();
    if (answer !== "unreachable") return answer === "yes";
  }
  const container = input.docker.getContainer(input.containerId);
  const command = ["sh", "-c", insideCommand(ready)];
  return (await execInContainer(input.docker, { container, command, user: null, signal })).code === 0;
}

/** Throws `service_not_ready`: too late, or the container ended. */
export async function whenServiceReady(input: ReadinessRequest): Promise<void> {
  const { service, docker, daemon, containerId } = input;
  const inspect = (signal: AbortSignal) =>
    daemon.ask(() => docker.getContainer(containerId).inspect(), signal);
  if (service.ready === false || (service.ready === null && !input.hasHealthCheck)) return;
  const { timeoutMs, intervalMs } = service.ready ?? defaults;
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([input.signal, deadline]);
  try {
    // Quick at first: most services that are quick to start need not wait a whole interval.
    for (let pauseMs = Math.min(50, intervalMs); ; pauseMs = Math.min(pauseMs * 2, intervalMs)) {
      const info = await inspect(signal);
      if (!info.State.Running) {
        const text = `Service ${service.key} ended with exit code ${String(info.State.ExitCode)} before it was ready.`;
        throw new EngineError("service_not_ready", text);
      }
      const answer = await isReady(input, info, signal).catch(async (error) => {
        // One that ends while it is asked refuses the question; the next look finds with which exit code.
        if ((await inspect(signal)).State.Running) throw error;
        return false;
      });
      if (answer) return;
      await delay(pauseMs, undefined, { signal });
    }
  } catch (error) {
    if (input.signal.aborted) throw input.signal.reason;
    if (!deadline.aborted) throw error;
    const text = `Service ${service.key} was not ready within ${String(timeoutMs / 1000)} s.`;
    throw new EngineError("service_not_ready", text, { cause: error });
  }
}

async function isReady(
  input: ReadinessRequest,
  info: Dockerode.ContainerInspectInfo,
  signal: AbortSignal,
): Promise<boolean> {
  const { ready } = input.service;
  if (ready === false) return true;
  const asksNothing =
    ready !== null && ready.tcp === undefined && ready.http === undefined && ready.exec === undefined;
  if (ready === null || asksNothing) return !input.hasHealthCheck || info.State.Health?.Status === "healthy";
  const address = Object.values(info.NetworkSettings.Networks)[0]?.IPAddress ?? "";
  return probe(input, { ready, address }, signal);
}
