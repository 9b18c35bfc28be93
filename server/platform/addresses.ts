/** The addresses under which this instance is reached, made from the configuration and the port in use. */
import type { Config } from "../config/config.ts";

export interface Addresses {
  webUrl: string;
  baseUrl: string;
  graphqlUrl: string;
  authUrl: string;
  docsUrl: string;
  gitHttpsUrl: string;
  /** `ssh://git@HOST:PORT`; null where SSH is not served. */
  gitSshUrl: string | null;
  runnerUrl: string;
  /** As `webUrl`, from inside a job's container. */
  jobUrl: string;
}

type AddressConfig = Pick<Config, "publicUrl" | "jobUrl"> & Partial<Pick<Config, "sshUrl">>;

/** `ports`: those in use; without one for SSH, SSH is not served. */
export function createAddresses(
  config: AddressConfig,
  ports: { https: number; ssh?: number | undefined },
): Addresses {
  const httpsPort = ports.https;
  const webUrl = config.publicUrl ?? `https://localhost:${httpsPort}`;
  const publicPort = new URL(webUrl).port;
  return {
    webUrl,
    baseUrl: `${webUrl}/api/v1`,
    graphqlUrl: `${webUrl}/api/graphql`,
    authUrl: webUrl,
    docsUrl: `${webUrl}/docs`,
    gitHttpsUrl: webUrl,
    gitSshUrl: config.sshUrl ?? sshUrl(new URL(webUrl).hostname, ports.ssh),
    runnerUrl: `${webUrl.replace(/^https:/, "wss:")}/api/v1/runners/connect`,
    jobUrl: config.jobUrl ?? `https://host.docker.internal${publicPort === "" ? "" : `:${publicPort}`}`,
  };
}

const usualSshPort = 22;

function sshUrl(host: string, port: number | undefined): string | null {
  if (port === undefined) return null;
  return `ssh://git@${host}${port === usualSshPort ? "" : `:${port}`}`;
}
