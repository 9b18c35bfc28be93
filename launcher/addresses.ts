/** Where the server listens, under which names, and how jobs in containers reach it. */
import { networkInterfaces } from "node:os";
import type Docker from "dockerode";
import type { LauncherConfig } from "./config.ts";

/** The name by which containers reach the host; the runner maps it to the bridge's gateway. */
export const containerHostName = "host.docker.internal";

export interface InstanceAddresses {
  listen: string[];
  publicUrl: string;
  jobUrl: string;
  /** Names that the certificate must carry. */
  certificateHosts: string[];
}

export async function findAddresses(
  config: LauncherConfig,
  docker: Docker,
  httpsPort: number,
): Promise<InstanceAddresses> {
  const gateway = await bridgeGateway(docker);
  const listen = config.listen ?? ["127.0.0.1", ...(gateway ? [gateway] : [])];
  const publicUrl = config.publicUrl ?? `https://localhost:${httpsPort}`;
  const own = listen.filter((address) => address !== "0.0.0.0" && address !== "::");
  const hosts = [
    "localhost",
    "127.0.0.1",
    "::1",
    containerHostName,
    new URL(publicUrl).hostname.replace(/^\[|\]$/g, ""),
    ...own,
  ];
  return {
    listen,
    publicUrl,
    jobUrl: `https://${containerHostName}:${httpsPort}`,
    certificateHosts: [...new Set(hosts)],
  };
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
    const isOurs = Object.values(networkInterfaces()).some((list) =>
      list?.some(({ address }) => address === gateway),
    );
    return isOurs ? gateway : undefined;
  } catch {
    return undefined;
  }
}
