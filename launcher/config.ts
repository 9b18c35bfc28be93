/** Settings of `npm start` and of the test bed. The only file of the launcher that reads the environment. */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";

const port = z.coerce.number().int().min(0).max(65_535);

const Environment = z.object({
  FORGELINE_HOME: z.string().default(".forgeline").describe("Directory of all data of this instance."),
  FORGELINE_CACHE: z
    .string()
    .optional()
    .describe("Directory of downloaded and built programs; shared by instances."),
  FORGELINE_HTTPS_PORT: port.default(8443).describe("HTTPS port; 0 picks a free one."),
  FORGELINE_HTTP_PORT: port
    .optional()
    .describe(
      "Port that refuses plain HTTP in clear words (8080, or a free one where that is taken); 0 picks a free one.",
    ),
  FORGELINE_SSH_PORT: port
    .optional()
    .describe("Port of Git over SSH (2222, or a free one where that is taken); 0 picks a free one."),
  FORGELINE_LISTEN: z.string().optional().describe("Addresses to listen on, separated by commas."),
  FORGELINE_PUBLIC_URL: z
    .url({ protocol: /^https$/, error: "must be https://HOST or https://HOST:PORT" })
    .optional()
    .describe("Address under which people reach this instance."),
  FORGELINE_DEMO_IMAGE: z
    .string()
    .default("docker.io/library/busybox:1.36")
    .describe("Image that becomes forgeline/base:1, where a registry can be reached."),
  TEMPORAL_ADDRESS: z
    .string()
    .optional()
    .describe("An existing Temporal server, host:port; none is started then."),
  DOCKER_HOST: z.string().optional().describe("An existing Docker (or Podman) daemon."),
  XDG_CACHE_HOME: z.string().optional(),
});

/** What servers prepare and several homes share. */
export const serverCache = ({ cache }: Pick<LauncherConfig, "cache">): string => join(cache, "server");

export type LauncherConfig = ReturnType<typeof loadLauncherConfig>;

export function loadLauncherConfig(env: NodeJS.ProcessEnv = process.env) {
  // An empty variable counts as not set.
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const parsed = Environment.safeParse(set);
  if (!parsed.success)
    throw new Error(
      `invalid settings:\n${parsed.error.issues.map((i) => `  ${i.path.join(".")}: ${i.message}`).join("\n")}`,
    );
  const e = parsed.data;
  return {
    home: resolve(e.FORGELINE_HOME),
    cache: resolve(e.FORGELINE_CACHE ?? `${e.XDG_CACHE_HOME ?? `${homedir()}/.cache`}/forgeline`),
    httpsPort: e.FORGELINE_HTTPS_PORT,
    httpPort: e.FORGELINE_HTTP_PORT,
    sshPort: e.FORGELINE_SSH_PORT,
    listen: e.FORGELINE_LISTEN?.split(",").map((a) => a.trim()),
    publicUrl: e.FORGELINE_PUBLIC_URL === undefined ? undefined : new URL(e.FORGELINE_PUBLIC_URL).origin,
    demoImage: e.FORGELINE_DEMO_IMAGE,
    temporalAddress: e.TEMPORAL_ADDRESS,
    dockerHost: e.DOCKER_HOST,
    /** What child processes inherit: PATH, HOME and the like. */
    inherited: env,
  };
}
