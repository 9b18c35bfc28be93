/**
 * Where on the machine's disk containers of a job write, outside of the job's own directory: the layer on top of the image,
 * the daemon's directory of the container (its log; and `/etc/hosts`, `/etc/hostname` and `/etc/resolv.conf`, which are files
 * of it), and the volumes that the image requires.
 *
 * The daemon counts the layer alone, by the sizes that files claim, without directories, and says -1 where it cannot walk it.
 */
import { dirname } from "node:path";
import type Dockerode from "dockerode";
import type { EngineContext } from "./context.ts";
import { label, type ObjectKind } from "./labels.ts";

export interface WrittenPaths {
  containers: readonly string[];
  directories: readonly string[];
  /** Of layers that have no directory of their own, as the daemon says; Infinity where it says nothing. */
  toldBytes: number;
}

type Inspected = Omit<Dockerode.ContainerInspectInfo, "GraphDriver"> & {
  /** Daemons that keep layers in containerd say nothing. */
  GraphDriver?: { Data?: Record<string, string> | null } | null;
};

/** A container that is gone by now has written nothing. Rejects when the daemon does not answer. */
export async function writtenPaths(context: EngineContext, jobKey: string): Promise<WrittenPaths> {
  const { docker, daemon } = context;
  const filters = { label: [`${label.job}=${jobKey}`, `${label.runner}=${context.runnerId}`] };
  const listed = await daemon.ask(() => docker.listContainers({ all: true, filters }));
  const helper: ObjectKind = "helper";
  const ids = listed.filter(({ Labels }) => Labels[label.kind] !== helper).map(({ Id }) => Id);
  const found = await Promise.all(
    ids.map((id) => daemon.find(() => docker.getContainer(id).inspect() as Promise<Inspected>)),
  );
  const infos = found.filter((info) => info !== null);
  const layers = infos.map((info) => [info, layerDirectory(info)] as const);
  const told = await Promise.all(
    layers.filter(([, directory]) => directory === null).map(([{ Id }]) => reportedSize(context, Id)),
  );
  return {
    containers: infos.map(({ Id }) => Id),
    directories: [...new Set(layers.flatMap(([info, layer]) => [...(layer ?? []), ...placesBeside(info)]))],
    toldBytes: told.reduce((sum, bytes) => sum + bytes, 0),
  };
}

/** Whether a directory may have gone while it was counted. */
export async function isAnyContainerGone(
  context: EngineContext,
  { containers }: WrittenPaths,
): Promise<boolean> {
  const { docker, daemon } = context;
  const found = await Promise.all(
    containers.map((id) => daemon.find(() => docker.getContainer(id).inspect())),
  );
  return found.includes(null);
}

function layerDirectory({ GraphDriver }: Inspected): [string] | null {
  const directory = GraphDriver?.Data?.["UpperDir"];
  return directory === undefined || directory === "" ? null : [directory];
}

function placesBeside({ HostsPath, Mounts }: Inspected): string[] {
  const volumes = Mounts.filter(({ Type }) => Type === "volume").map(({ Source }) => Source);
  // A container that was never started has none.
  return HostsPath === "" ? volumes : [dirname(HostsPath), ...volumes];
}

async function reportedSize({ docker, daemon }: EngineContext, id: string): Promise<number> {
  const info = await daemon.find(() => docker.getContainer(id).inspect({ size: true } as object));
  if (info === null) return 0;
  const { SizeRw } = info as { SizeRw?: number };
  return SizeRw !== undefined && SizeRw >= 0 ? SizeRw : Infinity;
}
