/**
 * What the start page of a repository asks for. All of it goes out as soon as the address is known, beside the question who is
 * signed in, so that only the README waits for an answer.
 */
import type { LoaderFunctionArgs } from "react-router";
import { $api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { mayBeSignedIn } from "../../api/session.ts";
import { runsByCommit } from "../pipelines/use-runs-by-commit.ts";

interface RepositoryPath {
  owner: string;
  repo: string;
}

export function startPageQueries(path: RepositoryPath) {
  return {
    repository: { params: { path } },
    files: { params: { path } },
    latest: { params: { path, query: { per_page: 1 } } },
    languages: { params: { path } },
  };
}

/** Does not wait: the page shows what is there. */
export function prefetchStartPage({ params }: LoaderFunctionArgs): null {
  const { owner = "", repo = "" } = params;
  const queries = startPageQueries({ owner, repo });
  void queryClient.prefetchQuery($api.queryOptions("get", "/repos/{owner}/{repo}", queries.repository));
  void queryClient.prefetchQuery($api.queryOptions("get", "/repos/{owner}/{repo}/contents", queries.files));
  void queryClient.prefetchQuery($api.queryOptions("get", "/repos/{owner}/{repo}/commits", queries.latest));
  void queryClient.prefetchQuery(
    $api.queryOptions("get", "/repos/{owner}/{repo}/stats/languages", queries.languages),
  );
  if (mayBeSignedIn()) void queryClient.prefetchQuery(runsByCommit({ owner, repo }, ""));
  return null;
}
