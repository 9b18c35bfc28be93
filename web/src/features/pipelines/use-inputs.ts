/** Which inputs a pipeline file declares at a branch, tag or commit. */
import { skipToken, useQuery } from "@tanstack/react-query";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";

type Inputs = Schemas["PipelineInput"][];
const none: Inputs = [];

/** Those of before until the new ones are there; `file` undefined: nothing is asked. A file with errors declares none. */
export function useInputs(ref: string, file: string | undefined): Inputs {
  const path = useRepositoryPath();
  const ask = async (pipeline: string, signal: AbortSignal): Promise<Inputs> => {
    const body = { event: "manual", ref, pipeline } as const;
    const { data } = await api.POST("/repos/{owner}/{repo}/pipelines/plan", {
      params: { path },
      body,
      signal,
    });
    return data?.inputs ?? none;
  };
  const found = useQuery<Inputs>({
    queryKey: ["pipeline-inputs", path, ref, file],
    queryFn: file === undefined ? skipToken : ({ signal }) => ask(file, signal),
    // Fields that are the same there keep what was typed.
    placeholderData: (before) => before,
  });
  return found.data ?? none;
}
