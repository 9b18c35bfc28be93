/** The files that a merge request changes. */
import { useMemo } from "react";
import { api } from "../../api/client.ts";
import { totalOf } from "../../api/total.ts";
import type { DiffSource } from "../diffs/source.ts";
import { ReviewedChanges } from "../reviews/reviewed-changes.tsx";
import { MergeRequestFrame } from "./merge-request-frame.tsx";
import type { MergeRequest } from "./merge-request.ts";
import { useMergeRequestPath } from "./use-merge-request.ts";

export function MergeRequestFilesPage() {
  return <MergeRequestFrame>{(found) => <Files mergeRequest={found} />}</MergeRequestFrame>;
}

function Files({ mergeRequest }: { mergeRequest: MergeRequest }) {
  return <ReviewedChanges mergeRequest={mergeRequest} source={useMergeRequestDiff(mergeRequest)} />;
}

function useMergeRequestDiff({ head_sha: head, merge_base_sha: base }: MergeRequest): DiffSource {
  const { owner, repo, number } = useMergeRequestPath();
  return useMemo(() => {
    const path = { owner, repo, number };
    return {
      key: [owner, repo, `!${number}`, `${base}...${head}`],
      after: head,
      fetchFiles: async (query) => {
        const { data = [], response } = await api.GET("/repos/{owner}/{repo}/merge-requests/{number}/files", {
          params: { path, query },
        });
        const isCut = response.headers.get("X-Files-Truncated") === "true";
        return { files: data, total: totalOf(response), isCut };
      },
      fetchFile: async (query) => {
        const basehead = base === null ? head : `${base}...${head}`;
        const { data } = await api.GET("/repos/{owner}/{repo}/patches/{basehead}", {
          params: { path: { owner, repo, basehead }, query },
        });
        return data as NonNullable<typeof data>;
      },
    };
  }, [owner, repo, number, base, head]);
}
