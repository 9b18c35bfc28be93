/** Changes a file, or makes a new one, by a commit to a branch: `/edit/BRANCH/PATH` and `/new/BRANCH/DIRECTORY`. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { text } from "../../text/contents.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { NotFound } from "../../ui/not-found.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { EditInFork } from "./edit-in-fork.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { textOf } from "./file-content.ts";
import { FileEditor } from "./file-editor.tsx";
import { useCanCommit } from "./use-can-commit.ts";
import { useFilePlace, type FilePlace } from "./use-file-place.ts";

export function EditPage() {
  const repository = useRepository();
  const place = useFilePlace();
  const canCommit = useCanCommit(place.ref);
  if (place.path === "") return <NotFound />;
  if (!canCommit) return <CannotEdit isKnown={canCommit === false} place={place} />;
  return (
    <Page title={text.editTitle(place.path)} within={repository.full_name}>
      <ExistingFile key={`${place.ref}\0${place.path}`} place={place} />
    </Page>
  );
}

export function NewFilePage() {
  const repository = useRepository();
  const { ref, path } = useFilePlace();
  const canCommit = useCanCommit(ref);
  if (!canCommit) return <CannotEdit isKnown={canCommit === false} />;
  return (
    <Page title={text.newTitle} within={repository.full_name}>
      <FileEditor branch={ref} path={path === "" ? "" : `${path}/`} initial="" sha={undefined} />
    </Page>
  );
}

function CannotEdit({ isKnown, place }: { isKnown: boolean; place?: FilePlace }) {
  if (!isKnown) return <Skeleton lines={8} />;
  return (
    <EmptyState whole title={text.noRight} action={place ? <EditInFork place={place} /> : null}>
      {text.noRightHint}
    </EmptyState>
  );
}

function ExistingFile({ place }: { place: FilePlace }) {
  // Newer versions must not push aside what somebody types; saving finds out about them.
  const file = $api.useQuery(
    "get",
    "/repos/{owner}/{repo}/contents/{path}",
    { params: { path: { ...useRepositoryPath(), path: place.path }, query: { ref: place.ref } } },
    { refetchOnWindowFocus: false },
  );
  return (
    <QueryView query={file} lines={12}>
      {(found) => <Editor file={found} place={place} />}
    </QueryView>
  );
}

function Editor(props: { file: Schemas["FileContents"] | Schemas["ContentsEntry"][]; place: FilePlace }) {
  const { file, place } = props;
  const content = Array.isArray(file) || file.type !== "file" ? undefined : textOf(file);
  if (Array.isArray(file) || !content?.isWhole) return <Notice tone="warn">{text.notEditable}</Notice>;
  return <FileEditor branch={place.ref} path={place.path} initial={content.text} sha={file.sha} />;
}
