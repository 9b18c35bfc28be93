/** A Markdown file, rendered. What renders it is fetched when the first one is shown. */
import { lazy, Suspense } from "react";
import { fetchPart } from "../../../api/fetch-part.ts";
import { Skeleton } from "../../../ui/skeleton.tsx";
import type { MarkdownPlace } from "./links.ts";

const RenderedMarkdown = lazy(async () => ({
  default: (await fetchPart(() => import("./rendered-markdown.tsx"))).RenderedMarkdown,
}));

export function Markdown(props: { source: string; place: MarkdownPlace }) {
  return (
    <Suspense fallback={<Skeleton lines={6} />}>
      <RenderedMarkdown {...props} />
    </Suspense>
  );
}
