/** Commits the text of a pipeline file to a branch, which it makes where it is a new one. */
import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { api } from "../../api/client.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import { base64Of } from "./use-pipeline-file.ts";

export interface Commit {
  file: string;
  text: string;
  /** Of what is replaced; null for a new file. */
  sha: string | null;
  message: string;
  /** Where the file was read. */
  ref: string;
  branch: string;
}

export function useCommit(onDone: (commit: Commit) => Promise<void>) {
  const path = useRepositoryPath();
  /** When only the commit failed, another try must not make the branch again. */
  const made = useRef(new Set<string>());
  return useMutation({
    mutationFn: async ({ file, text, sha, message, ref, branch }: Commit) => {
      if (branch !== ref && !made.current.has(branch)) {
        await api.POST("/repos/{owner}/{repo}/branches", { params: { path }, body: { name: branch, ref } });
        made.current.add(branch);
      }
      const body = { message, content: base64Of(text), branch, ...(sha === null ? {} : { sha }) };
      await api.PUT("/repos/{owner}/{repo}/contents/{path}", {
        params: { path: { ...path, path: file } },
        body,
      });
    },
    onSuccess: (_, commit) => onDone(commit),
  });
}
