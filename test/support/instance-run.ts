/** What a user and an operator see of a test instance beside REST: the watch socket, and what is in Docker. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type Dockerode from "dockerode";
import type { Pipeline } from "@forgeline/schemas/pipelines/resource.ts";
import { addressWithToken, createGitClient } from "../integration/git/git-client.ts";
import { connectViewer, type TestViewer } from "./log-viewer.ts";
import type { TestInstance, TestRunner } from "./instance.ts";

/** A viewer of run `number` in `lines` on the server at `url` (default: the first). */
export async function watchRun(
  instance: TestInstance,
  run: { number: number },
  query = "",
  url = instance.url,
): Promise<TestViewer> {
  const path = `/api/v1/repos/${instance.adminName}/lines/pipelines/${run.number}/logs/stream${query}`;
  return connectViewer(`${url.replace("https:", "wss:")}${path}`, {
    headers: { Authorization: `Bearer ${instance.adminToken}` },
    ca: await readFile(instance.certificates.caFile, "utf8"),
  });
}

export async function runnerId(runner: TestRunner): Promise<string> {
  return (JSON.parse(await readFile(join(runner.directory, "runner.json"), "utf8")) as { id: string }).id;
}

/** Everything in the daemon that carries the runner's label. */
export async function leftovers(docker: Dockerode, id: string): Promise<string[]> {
  const filters = { label: [`forgeline.runner=${id}`] };
  const [containers, networks, volumes] = await Promise.all([
    docker.listContainers({ all: true, filters }),
    docker.listNetworks({ filters }),
    docker.listVolumes({ filters }),
  ]);
  return [
    ...containers.map((container) => `container ${container.Names.join()}`),
    ...networks.map((network) => `network ${network.Name}`),
    ...(volumes.Volumes ?? []).map((volume) => `volume ${volume.Name}`),
  ];
}

/** Makes a repository with this pipeline file; the push starts its first run, which the returned function reads. */
export async function pushFile(
  instance: TestInstance,
  name: string,
  file: string,
): Promise<() => Promise<Pipeline>> {
  const { adminName, adminToken } = instance;
  await instance.api("POST", "/repos", { name });
  const git = await createGitClient(instance.certificates.caFile);
  try {
    const cwd = await git.workTree({ ".forgeline.yml": file });
    const address = addressWithToken(instance.url, `${adminName}/${name}`, adminToken);
    await git.ok(["push", "-q", address, "HEAD:main"], { cwd });
  } finally {
    await git.remove();
  }
  return () => instance.api<Pipeline>("GET", `/repos/${adminName}/${name}/pipelines/1`);
}
