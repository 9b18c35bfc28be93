/** What to say of keys of steps and services that have no counterpart. */
import type { Advice } from "../trace.ts";

export const advice: Advice = {
  volumes: [
    "containers have no volumes besides the workspace",
    "keep files in the workspace, or in the image",
  ],
  privileged: [
    "privileged jobs need the consent of an administrator",
    "build images with kaniko or buildah, or write privileged: true into the job",
  ],
  backend_options: [
    "options of the backend are not carried over",
    "resources has cpu, memory and shm of a job",
  ],
  group: [
    "steps of a group ran at the same time, and run one after another here",
    "write those that may run at the same time under parallel",
  ],
  ports: ["", ""],
  dns: ["names are looked up as the runner does"],
  dns_search: ["names are looked up as the runner does"],
  devices: ["jobs have no devices of the machine"],
  network_mode: ["jobs have a network of their own"],
  tty: ["steps have no terminal"],
  extra_hosts: ["names are looked up as the runner does"],
  settings: ["a step with commands has no settings"],
};
