/** Where the server listens, under which names, and how jobs in containers reach it. */
import { createServer, isIPv6 } from "node:net";
import type Docker from "dockerode";
import type { LauncherConfig } from "./config.ts";
import { localRequest } from "./https-client.ts";

/** The name by which containers reach the host; the runner maps it to the bridge's gateway. */
export const containerHostName = "host.docker.internal";

export interface InstanceAddresses {
  listen: string[];
  /** Under which people reach this instance. */
  publicUrl: string;
  /** Under which programs on this machine reach it, whatever the public name is. */
  localUrl: string;
  jobUrl: string;
  /** Names that the certificate must carry. */
  certificateHosts: string[];
}

/** What was asked for; else loopback, and the Docker bridge's gateway, so that jobs reach the server. */
export async function listenAddresses(config: LauncherConfig, docker: Docker): Promise<string[]> {
  if (config.listen) return config.listen;
  const gateway = await bridgeGateway(docker);
  return ["127.0.0.1", ...(gateway ? [gateway] : [])];
}

export function findAddresses(
  config: LauncherConfig,
  listen: readonly string[],
  httpsPort: number,
): InstanceAddresses {
  const publicUrl = config.publicUrl ?? `https://localhost:${httpsPort}`;
  const own = listen.filter((address) => !everywhere.has(address));
  const hosts = [
    "localhost",
    "127.0.0.1",
    "::1",
    containerHostName,
    new URL(publicUrl).hostname.replace(/^\[|\]$/g, ""),
    ...own,
  ];
  return {
    listen: [...listen],
    publicUrl,
    localUrl: `https://${localHost(listen)}:${httpsPort}`,
    jobUrl: `https://${containerHostName}:${httpsPort}`,
    certificateHosts: [...new Set(hosts)],
  };
}

const everywhere = new Set(["0.0.0.0", "::"]);
const loopback = new Set(["127.0.0.1", "::1", "localhost", ...everywhere]);

function localHost(listen: readonly string[]): string {
  const [first] = listen;
  if (first === undefined || listen.some((address) => loopback.has(address))) return "localhost";
  return isIPv6(first) ? `[${first}]` : first;
}

/** The public address where it leads back to this server from this machine; else the local one. */
export async function addressForPrograms(addresses: InstanceAddresses, caFile: string): Promise<string> {
  const { publicUrl, localUrl } = addresses;
  if (publicUrl === localUrl) return publicUrl;
  const answers = await localRequest(`${publicUrl}/healthz`, { caFile }).then(
    ({ status }) => status === 200,
    () => false,
  );
  return answers ? publicUrl : localUrl;
}

/** Undefined where the daemon has no bridge of its own, as rootless ones do. */
export async function bridgeGateway(docker: Docker): Promise<string | undefined> {
  try {
    const bridge = (await docker.getNetwork("bridge").inspect()) as {
      IPAM?: { Config?: { Gateway?: string; Subnet?: string }[] };
    };
    const config = bridge.IPAM?.Config?.[0];
    // Older daemons leave the gateway out; it is the first address of the subnet.
    const gateway = config?.Gateway ?? config?.Subnet?.replace(/\d+\/\d+$/, "1");
    // A daemon on another machine, or in one, has its bridge there.
    return gateway && (await isLocalAddress(gateway)) ? gateway : undefined;
  } catch {
    return undefined;
  }
}

/** Whether one can listen there. Node's list of interfaces lacks a bridge as long as no container is on it. */
function isLocalAddress(address: string): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once("error", () => resolve(false));
    probe.listen(0, address, () => probe.close(() => resolve(true)));
  });
}
