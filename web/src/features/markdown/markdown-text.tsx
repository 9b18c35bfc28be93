/** A text in Markdown, rendered. What renders it is fetched when the first one is shown. */
import { lazy, Suspense } from "react";
import { fetchPart } from "../../api/fetch-part.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { MarkdownPlace } from "./targets.ts";

const RenderedText = lazy(async () => ({
  default: (await fetchPart(() => import("./rendered-text.tsx"))).RenderedText,
}));

export interface MarkdownTextProps {
  source: string;
  place: MarkdownPlace;
  /** Tasks can be ticked: called with the text as it is then. `source` stays what it is until the caller changes it. */
  onToggle?: ((newText: string) => void) | undefined;
}

export function MarkdownText(props: MarkdownTextProps) {
  return (
    <Suspense fallback={<Skeleton lines={6} />}>
      <RenderedText {...props} />
    </Suspense>
  );
}
