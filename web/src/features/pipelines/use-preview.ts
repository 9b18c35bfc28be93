/** Asks the server what would run. */
import { useMutation } from "@tanstack/react-query";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";

const takesInputs: ReadonlySet<Schemas["PipelinePlan"]["event"]> = new Set([
  "manual",
  "api",
  "schedule",
  "pipeline",
]);

export function usePreview() {
  const path = useRepositoryPath();
  return useMutation({
    mutationFn: async ({ inputs, ...plan }: Schemas["PipelinePlan"]) => {
      // Nobody is asked for inputs when something is pushed.
      const body = takesInputs.has(plan.event ?? "push") && inputs ? { ...plan, inputs } : plan;
      return (await api.POST("/repos/{owner}/{repo}/pipelines/plan", { params: { path }, body })).data;
    },
  });
}
