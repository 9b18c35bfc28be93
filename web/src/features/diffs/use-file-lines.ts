/** All lines of a file as it is after the change, fetched when somebody wants to see some that the patch leaves out. */
import { useQuery } from "@tanstack/react-query";
import { splitLines, withUnixEnds } from "../contents/split-lines.ts";
import { canShowLines } from "./fold.ts";
import { pathOf } from "./raw-path.ts";
import type { FileDiff } from "./source.ts";

export function useFileLines(file: FileDiff, isWanted: boolean) {
  const address = file.raw_url === null ? "" : pathOf(file.raw_url);
  return useQuery({
    // The object's id: the same lines wherever they are shown.
    queryKey: ["file-lines", file.sha],
    queryFn: () => fetchLines(address),
    enabled: isWanted && canShowLines(file),
    staleTime: "static",
  });
}

async function fetchLines(address: string): Promise<string[]> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  return splitLines(withUnixEnds(await answer.text()));
}
