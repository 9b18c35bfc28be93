/** Saves what the editor holds by a commit: to its branch, or to a new one that begins there. */
import { useState } from "react";
import { api } from "../../api/client.ts";
import { text } from "../../text/contents.ts";
import { useChange } from "../../ui/use-change.ts";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import { toBase64 } from "./file-content.ts";

export interface Version {
  path: string;
  message: string;
  content: string;
  /** The object that is replaced; undefined for a new file. */
  sha: string | undefined;
  /** Name of the new branch; undefined: the commit goes to that of the page. */
  newBranch: string | undefined;
}

export function useSaveFile(branch: string, onSaved: (saved: Version) => unknown) {
  const place = useRepositoryPath();
  // Where the commit is refused, the next try finds the branch there already.
  const [made, setMade] = useState<string>();
  const change = useChange(
    async (version: Version) => {
      const { path, message, content, sha, newBranch } = version;
      if (newBranch !== undefined && made !== newBranch) {
        const body = { name: newBranch, ref: branch };
        await api.POST("/repos/{owner}/{repo}/branches", { params: { path: place }, body });
        setMade(newBranch);
      }
      const target = newBranch ?? branch;
      const body = {
        message,
        content: toBase64(content),
        branch: target,
        ...(sha === undefined ? {} : { sha }),
      };
      await api.PUT("/repos/{owner}/{repo}/contents/{path}", { params: { path: { ...place, path } }, body });
      return version;
    },
    { said: text.isSaved, onDone: onSaved },
  );
  const wanted = change.variables?.newBranch;
  return { ...change, isBranchTaken: wanted !== undefined && wanted !== made };
}

/** Asks for the version that is there now, so that the next save replaces it. */
export function useSaveOver(branch: string, onFound: (sha: string | undefined) => void) {
  const place = useRepositoryPath();
  return useChange(
    async (path: string) => {
      const { data } = await api.GET("/repos/{owner}/{repo}/contents/{path}", {
        params: { path: { ...place, path }, query: { ref: branch } },
      });
      return Array.isArray(data) ? undefined : data?.sha;
    },
    { onDone: onFound },
  );
}
