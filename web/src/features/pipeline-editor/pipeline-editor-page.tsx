/** Writes a pipeline file in the browser: `?ref=` is the branch, `?file=` one of its pipeline files or a new one. */
import { useSearchParams } from "react-router";
import { isNotFound } from "../../api/problem.ts";
import { text } from "../../text/pipeline-editor.ts";
import { NotFound } from "../../ui/not-found.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { mayRun } from "../pipelines/may-run.ts";
import { singleFile, usePipelineFiles } from "../pipelines/use-pipeline-files.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { Editing } from "./editing.tsx";
import { FileChoice } from "./file-choice.tsx";
import { usePipelineFile } from "./use-pipeline-file.ts";

const fileForm = /^\.forgeline(?:\.yml|\/[^/]+\.ya?ml)$/;

export function PipelineEditorPage() {
  const repository = useRepository();
  const [query] = useSearchParams();
  const ref = query.get("ref") ?? repository.default_branch;
  const files = usePipelineFiles(ref);
  if (!mayRun(repository)) return <NotFound />;
  const wanted = query.get("file");
  return (
    <Page title={files.data?.length === 0 ? text.newTitle : text.title} within={repository.full_name}>
      {isNotFound(files.error) ? (
        <>
          <FileChoice gitRef={ref} file="" files={[]} />
          <Notice tone="warn">{text.noRef(ref)}</Notice>
        </>
      ) : (
        <QueryView query={files} lines={10}>
          {(found) => {
            const file = wanted !== null && fileForm.test(wanted) ? wanted : (found[0] ?? singleFile);
            return (
              <>
                <FileChoice gitRef={ref} file={file} files={found} />
                <Opened key={`${ref}\n${file}`} gitRef={ref} file={file} isThere={found.includes(file)} />
              </>
            );
          }}
        </QueryView>
      )}
    </Page>
  );
}

function Opened({ gitRef, file, isThere }: { gitRef: string; file: string; isThere: boolean }) {
  const opened = usePipelineFile(gitRef, file, isThere);
  return (
    <QueryView query={opened} lines={10}>
      {(content) => <Editing gitRef={gitRef} file={file} content={content} />}
    </QueryView>
  );
}
