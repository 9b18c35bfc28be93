/** What runs the containers of a runner, as its daemon says. */
import { z } from "zod";

export const RunnerEngine = z.enum(["docker", "docker_rootless", "podman", "podman_rootless"]);
export type RunnerEngine = z.infer<typeof RunnerEngine>;
