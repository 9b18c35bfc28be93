/** Containers, networks and volumes in the daemon that are none of a runner's business, and whether they were left alone. */
import { randomBytes } from "node:crypto";
import type Dockerode from "dockerode";

export interface UnrelatedContainers {
  /** All are there, and the containers run since they were planted. */
  untouched(): Promise<boolean>;
  remove(): Promise<void>;
}

/** One container without labels, one with those of runner `otherRunner`, and such a network and volume. */
export async function startUnrelatedContainers(
  docker: Dockerode,
  otherRunner: string,
): Promise<UnrelatedContainers> {
  const name = `foreign-${randomBytes(6).toString("hex")}`;
  const Labels = {
    "forgeline.runner": otherRunner,
    "forgeline.job": "forgeline-att_foreign-1",
    "forgeline.lease": "att_foreign-1",
  };
  const network = await docker.createNetwork({ Name: name, Labels });
  await docker.createVolume({ Name: name, Labels });
  const plant = async (labels: Record<string, string>) => {
    const container = await docker.createContainer({
      Image: "forgeline/base:1",
      Cmd: ["sleep", "100000"],
      Labels: labels,
    });
    await container.start();
    return container;
  };
  const containers = [await plant({}), await plant(Labels), await plant({ "forgeline.job": "forgeline-x" })];
  const started = async () =>
    Promise.all(
      containers.map(async (container) => {
        const { State } = await container.inspect();
        return State.Running && State.StartedAt;
      }),
    );
  const before = await started();
  return {
    async untouched() {
      await Promise.all([network.inspect(), docker.getVolume(name).inspect()]);
      return JSON.stringify(await started()) === JSON.stringify(before);
    },
    async remove() {
      await Promise.all(containers.map((container) => container.remove({ force: true })));
      await Promise.all([network.remove(), docker.getVolume(name).remove()]);
    },
  };
}
