/** A pipeline file as it is on a branch, or how a new one begins. */
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/client.ts";
import { firstPipeline } from "../../text/first-run.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";

export interface PipelineFile {
  text: string;
  /** What a new text replaces; null for a new file. */
  sha: string | null;
}

/** Fetched once: somebody else's change must not take the place of what is being written. */
export function usePipelineFile(ref: string, file: string, isThere: boolean) {
  const path = useRepositoryPath();
  return useQuery({
    queryKey: ["pipeline-file", path, ref, file, isThere],
    queryFn: async ({ signal }): Promise<PipelineFile> => {
      if (!isThere) return { text: firstPipeline, sha: null };
      const { data } = await api.GET("/repos/{owner}/{repo}/contents/{path}", {
        params: { path: { ...path, path: file }, query: { ref } },
        signal,
      });
      if (!data || Array.isArray(data)) throw new Error(`${file} is no file`);
      return { text: textOf(data.content ?? ""), sha: data.sha };
    },
    staleTime: Infinity,
    gcTime: 0,
  });
}

function textOf(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (each) => each.charCodeAt(0)));
}

export function base64Of(text: string): string {
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}
