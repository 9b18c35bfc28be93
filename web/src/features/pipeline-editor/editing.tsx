/** The text of one file: written, checked as it is written, and committed. */
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useCallback, useRef, useState } from "react";
import { useNavigate } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { fetchPart } from "../../api/fetch-part.ts";
import { text } from "../../text/pipeline-editor.ts";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { pipelinesKey } from "../pipelines/use-pipelines.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { CommitForm } from "./commit-form.tsx";
import { EditorPreview, useEditorPlan } from "./editor-preview.tsx";
import styles from "./pipeline-editor.module.css";
import { ProblemList } from "./problem-list.tsx";
import type { PipelineFile } from "./use-pipeline-file.ts";
import { useCommit } from "./use-commit.ts";
import type { EditorControls } from "./yaml-editor.tsx";

type Diagnostic = Schemas["Diagnostic"];

const YamlEditor = lazy(async () => ({
  default: (await fetchPart(() => import("./yaml-editor.tsx"))).YamlEditor,
}));

export interface EditingProps {
  gitRef: string;
  file: string;
  content: PipelineFile;
}

export function Editing({ gitRef, file, content }: EditingProps) {
  const repository = useRepository();
  const navigate = useNavigate();
  const client = useQueryClient();
  const controls = useRef<EditorControls>(null);
  const written = useRef(content.text);
  const isDirty = useRef(false);
  const plan = useEditorPlan({ file, gitRef, textNow: () => written.current });
  const { problems, check } = useCheck(file, content.sha === null ? undefined : gitRef);
  const commit = useCommit(async ({ branch }) => {
    isDirty.current = false;
    await Promise.all([
      client.invalidateQueries({ queryKey: [pipelinesKey] }),
      client.invalidateQueries({ queryKey: ["pipeline-files"] }),
    ]);
    showToast(text.committed(branch));
    await navigate(`/${repository.full_name}/pipelines`);
  });
  return (
    <div className={styles.layout}>
      <Suspense fallback={<Skeleton lines={10} />}>
        <YamlEditor
          label={text.editor(file)}
          initial={content.text}
          onChange={(now) => {
            written.current = now;
            isDirty.current = now !== content.text;
            plan.edited();
          }}
          check={check}
          controls={controls}
        />
      </Suspense>
      <p className={styles.hint}>
        {text.editorHint}
        <a href="/docs/pipelines/file" target="_blank" rel="noreferrer">
          {text.documentation}
        </a>
      </p>
      <ProblemList problems={problems} onGoTo={({ line, column }) => controls.current?.goTo(line, column)} />
      <EditorPreview plan={plan} />
      <CommitForm
        file={file}
        gitRef={gitRef}
        isNew={content.sha === null}
        isBroken={problems?.some(({ severity }) => severity === "error") ?? false}
        state={commit}
        onCommit={({ message, branch }) =>
          commit.mutate({ file, text: written.current, sha: content.sha, message, ref: gitRef, branch })
        }
      />
      <LeaveGuard isDirty={() => isDirty.current} />
    </div>
  );
}

/** A mistake in a template is shown where the template is used. */
function inThisFile(found: Diagnostic): Diagnostic {
  const [use] = found.used_by ?? [];
  if (!use) return found;
  const { line, column } = use;
  const message = `${found.file}:${found.line}: ${found.message}`;
  return { ...found, file: use.file, line, column, end_line: line, end_column: column + 1, message };
}

/** What the server says of the text; without a connection what it said last. */
function useCheck(file: string, ref: string | undefined) {
  const path = useRepositoryPath();
  const [problems, setProblems] = useState<readonly Diagnostic[] | null>(null);
  const last = useRef<readonly Diagnostic[]>([]);
  const { owner, repo } = path;
  const check = useCallback(
    async (content: string) => {
      try {
        const params = { path: { owner, repo } };
        const answer = await api.POST("/repos/{owner}/{repo}/pipelines/lint", {
          params,
          body: { content, file, ...(ref === undefined ? {} : { ref }) },
        });
        last.current = (answer.data?.diagnostics ?? []).map(inThisFile);
        setProblems(last.current);
      } catch {
        // The frame tells what is lost; the next letter asks again.
      }
      return last.current;
    },
    [owner, repo, file, ref],
  );
  return { problems, check };
}
