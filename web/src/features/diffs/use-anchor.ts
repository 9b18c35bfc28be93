/** The file or line that the address names; while its file is not there, further files are fetched. */
import { useEffect, useEffectEvent, useMemo } from "react";
import { useLocation } from "react-router";
import { anchorOf, type Anchor } from "./anchors.ts";
import type { ChangedFiles } from "./use-changed-files.ts";

/** The same object for as long as the address stays. */
export function useAnchor(found: ChangedFiles): Anchor | undefined {
  const { hash, key } = useLocation();
  // oxlint-disable-next-line react/exhaustive-deps -- whoever follows a link once more wants to get there once more
  const anchor = useMemo(() => anchorOf(hash), [hash, key]);
  const { files, hasMore } = found;
  const isThere = !anchor || files.some(({ path }) => path === anchor.path);
  const fetchMore = useEffectEvent(found.fetchMore);
  useEffect(() => {
    if (!isThere && hasMore) fetchMore();
  }, [isThere, hasMore, files]);
  return anchor;
}
