/** What a reviewer has seen of a merge request that adds `proposed.txt`, and a suggestion for it. */
import type { Driver } from "./driver.ts";

export async function seenAndSuggested(
  { change, server }: Driver,
  by: string,
  path: Record<string, string>,
): Promise<void> {
  const file = "proposed.txt";
  await change("setViewedFile", { by, path, body: { path: file } });
  await change("removeViewedFile", {
    path,
    send: (method, at) => server.api(method, `${at}?path=${file}`, { token: by }),
  });
  const address = `/repos/${path["owner"]}/${path["repo"]}/merge-requests/${path["number"]}`;
  const { json: found } = await server.api("GET", address, { token: by });
  await change("setSeen", { by, path, body: { sha: found.head_sha } });
  const body = { path: file, line: 1, body: "```suggestion\ny\n```" };
  const { json: thread } = await server.api("POST", `${address}/threads`, { token: by, body });
  const { json: listed } = await server.api("GET", `${address}/suggestions`, { token: by });
  const { digest } = listed[0].suggestions[0];
  const suggestions = [{ comment: thread.comments[0].id, digest }];
  await change("applySuggestions", { by, path, body: { suggestions } });
}
