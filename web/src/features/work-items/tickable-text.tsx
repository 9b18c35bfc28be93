/** A text whose tasks those who may edit it can tick. What somebody else has changed meanwhile is not overwritten. */
import { useId, useState } from "react";
import { queryClient } from "../../api/query-client.ts";
import { text } from "../../text/work-items.ts";
import { showProblem } from "../../ui/toasts.tsx";
import { useChange } from "../../ui/use-change.ts";
import { MarkdownText } from "../markdown/markdown-text.tsx";
import type { MarkdownPlace } from "../markdown/targets.ts";

export interface TickableTextProps {
  body: string;
  place: MarkdownPlace;
  mayEdit: boolean;
  newest: () => Promise<string>;
  save: (body: string, previous: string) => Promise<unknown>;
}

export function TickableText({ body, place, mayEdit, newest, save }: TickableTextProps) {
  const change = useChange(
    async ({ before, after }: { before: string; after: string }) => {
      if ((await newest()) !== before) throw new Error(text.tickedMeanwhile);
      await save(after, before);
    },
    { inOrder: useId() },
  );
  // Shown at once, until the page has it; what is ticked next counts on top of it.
  const [ticked, setTicked] = useState<string>();
  const shown = ticked ?? body;
  const tick = (after: string) => {
    setTicked(after);
    // Both are called for the last one only.
    change.mutate(
      { before: shown, after },
      {
        onError: (error) => {
          showProblem(error);
          void queryClient.invalidateQueries();
        },
        onSettled: () => setTicked(undefined),
      },
    );
  };
  return <MarkdownText source={shown} place={place} onToggle={mayEdit ? tick : undefined} />;
}
