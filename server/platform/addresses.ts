/** The addresses under which this instance is reached, made from the configuration and the port in use. */
import type { Config } from "../config.ts";

export interface Addresses {
  webUrl: string;
  baseUrl: string;
  graphqlUrl: string;
  authUrl: string;
  docsUrl: string;
  gitHttpsUrl: string;
  runnerUrl: string;
  /** As `webUrl`, from inside a job's container. */
  jobUrl: string;
}

export function createAddresses(config: Pick<Config, "publicUrl" | "jobUrl">, httpsPort: number): Addresses {
  const webUrl = config.publicUrl ?? `https://localhost:${httpsPort}`;
  const publicPort = new URL(webUrl).port;
  return {
    webUrl,
    baseUrl: `${webUrl}/api/v1`,
    graphqlUrl: `${webUrl}/api/graphql`,
    authUrl: webUrl,
    docsUrl: `${webUrl}/docs`,
    gitHttpsUrl: webUrl,
    runnerUrl: `${webUrl.replace(/^https:/, "wss:")}/api/v1/runners/connect`,
    jobUrl: config.jobUrl ?? `https://host.docker.internal${publicPort === "" ? "" : `:${publicPort}`}`,
  };
}
