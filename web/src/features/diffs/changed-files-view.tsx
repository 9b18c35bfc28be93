/**
 * All that changed between two states, file by file, with the list of files at the side. What draws it is fetched when the first
 * change is shown.
 */
import { lazy, Suspense } from "react";
import { fetchPart } from "../../api/fetch-part.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { DiffSlots, DiffSource } from "./source.ts";

export interface ChangedFilesViewProps {
  source: DiffSource;
  slots?: DiffSlots;
}

const DiffViewer = lazy(async () => ({
  default: (await fetchPart(() => import("./diff-viewer.tsx"))).DiffViewer,
}));

export function ChangedFilesView(props: ChangedFilesViewProps) {
  return (
    <Suspense fallback={<Skeleton lines={8} />}>
      <DiffViewer key={props.source.key.join(" ")} {...props} />
    </Suspense>
  );
}
