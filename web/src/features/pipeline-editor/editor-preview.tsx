/** What the text in the editor would run, before it is committed. */
import { useRef } from "react";
import { text } from "../../text/run-dialog.ts";
import { ProblemNotice } from "../../ui/notice.tsx";
import { Section } from "../../ui/page.tsx";
import { PreviewButton, type PreviewedEvent } from "../pipelines/preview-button.tsx";
import { RunPreview } from "../pipelines/run-preview.tsx";
import { usePreview } from "../pipelines/use-preview.ts";

type EditorPlan = ReturnType<typeof useEditorPlan>;

/** `textNow`: what stands in the editor. */
export function useEditorPlan(of: { file: string; gitRef: string; textNow: () => string }) {
  const { file, gitRef, textNow } = of;
  const preview = usePreview();
  const isShown = useRef(false);
  const { reset } = preview;
  return {
    preview,
    look(event: PreviewedEvent) {
      isShown.current = true;
      preview.mutate({ ...event, content: textNow(), pipeline: file, ref: gitRef });
    },
    /** What was planned for another text says nothing about this one. */
    edited() {
      if (isShown.current) reset();
      isShown.current = false;
    },
  };
}

export function EditorPreview({ plan: { preview, look } }: { plan: EditorPlan }) {
  return (
    <Section title={text.previewTitle}>
      <PreviewButton onLook={look} busy={preview.isPending} initial="push" />
      {preview.error ? <ProblemNotice error={preview.error} /> : null}
      {preview.data ? (
        <RunPreview plan={preview.data} isCompared={preview.variables?.before !== undefined} />
      ) : null}
    </Section>
  );
}
