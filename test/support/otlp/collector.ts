/** The collector of OpenTelemetry, built once with Go into the cache (two minutes of processor time): for tests at full size only. */
import { spawn, type ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, stat } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";
import { freeLowPort } from "@forgeline/launcher/free-port.ts";
import { run } from "@forgeline/launcher/run.ts";
import { buildFlags } from "@forgeline/launcher/temporal/build.ts";
import { eventually } from "../eventually.ts";
import { ensureGo } from "../go.ts";
import { guard } from "../guard.ts";
import type { DecodedSpan } from "./decode.ts";

/** As the collector writes it, with ids in hexadecimal digits. */
export type CollectedSpan = Omit<DecodedSpan, "status"> & { status?: { code?: number; message?: string } };

export interface Collector {
  /** Base address of OTLP over HTTP; the same each time that it runs. */
  endpoint: string;
  /** Resolves when it answers. */
  start(): Promise<void>;
  /** Whoever calls is refused from then on. */
  stop(): Promise<void>;
  /** All that it has accepted since it was made. */
  spans(): Promise<CollectedSpan[]>;
  remove(): Promise<void>;
}

const sources = join(import.meta.dirname, "collector");

/** The program's path. Throws where it is neither there nor can be built. */
async function ensureCollector(cache: string, say: (line: string) => void): Promise<string> {
  const hash = createHash("sha256");
  for (const name of ["go.mod", "go.sum", "main.go"]) hash.update(await readFile(join(sources, name)));
  const program = join(cache, `otel-collector-${hash.digest("hex").slice(0, 16)}`);
  if (await isThere(program)) return program;
  const go = await ensureGo(cache, say);
  say("building the collector of OpenTelemetry with Go (once, a minute or two)");
  await mkdir(cache, { recursive: true });
  const staging = await mkdtemp(join(cache, "otel-collector-new-"));
  try {
    // Its modules are pinned by go.sum, whatever the machine's owner has set for other builds.
    const env = { ...process.env, CGO_ENABLED: "0", GOFLAGS: "-mod=readonly", GOWORK: "off" };
    await run(go, ["build", ...buildFlags, "-o", join(staging, "collector"), "."], { cwd: sources, env });
    await rename(join(staging, "collector"), program);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return program;
}

const isThere = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  );

/** It does not run yet. */
export async function makeCollector(): Promise<Collector> {
  const program = await ensureCollector(loadLauncherConfig().cache, console.log);
  const directory = await mkdtemp(join(tmpdir(), "forgeline-otel-"));
  const written = join(directory, "spans.jsonl");
  const logFile = join(directory, "collector.log");
  const port = await freeLowPort();
  const config = {
    receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
    exporters: { file: { path: written, append: true, flush_interval: "100ms" } },
    service: { pipelines: { traces: { receivers: ["otlp"], exporters: ["file"] } } },
  };
  let child: ChildProcess | undefined;

  async function stop(): Promise<void> {
    if (child?.exitCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
  }
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async start() {
      const log = openSync(logFile, "a");
      // JSON is YAML too.
      child = spawn(program, [`--config=yaml:${JSON.stringify(config)}`], { stdio: ["ignore", log, log] });
      closeSync(log);
      const { dismiss } = guard('kill -s KILL "$1"', String(child.pid));
      child.once("exit", dismiss);
      await eventually(() => answers(port), { timeoutMs: 60_000 }).catch(async (error: unknown) => {
        throw new Error(`the collector does not answer:\n${await readFile(logFile, "utf8")}`, {
          cause: error,
        });
      });
    },
    stop,
    spans: async () => spansIn((await isThere(written)) ? await readFile(written, "utf8") : ""),
    async remove() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, "127.0.0.1", () => resolve(true));
  socket.on("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}

interface Line {
  resourceSpans: { scopeSpans: { spans: CollectedSpan[] }[] }[];
}

/** The last line may be half written. */
function spansIn(text: string): CollectedSpan[] {
  const lines = text.split("\n").slice(0, -1);
  return lines.flatMap((line) =>
    (JSON.parse(line) as Line).resourceSpans.flatMap((one) => one.scopeSpans.flatMap(({ spans }) => spans)),
  );
}
