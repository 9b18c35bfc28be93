/** Where a Docker daemon is, as its client wants it. */
import type Dockerode from "dockerode";

/** `unix:///path` or `tcp://host:port`. */
export function dockerAddress(address: string): Dockerode.DockerOptions {
  const url = new URL(address);
  if (url.protocol === "unix:") return { socketPath: url.pathname };
  return { protocol: "http", host: url.hostname, port: Number(url.port || "2375") };
}
