/** What is at a path: a directory's entries, or a file. `/tree` and `/blob` are one page, as links often name the other. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { QueryView } from "../../ui/query-view.tsx";
import { ClonePopup } from "../repositories/clone-popup.tsx";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import { CodePage } from "./code-page.tsx";
import { readmeAmong } from "./file-content.ts";
import { FileList } from "./file-list.tsx";
import { FilePanel } from "./file-panel.tsx";
import { LatestCommit } from "./latest-commit.tsx";
import { NewFile } from "./new-file.tsx";
import { Readme } from "./readme.tsx";
import { useFilePlace, type FilePlace } from "./use-file-place.ts";
import { useLatestCommit } from "./use-latest-commit.ts";

export function FilesPage() {
  const place = useFilePlace();
  return place.path === "" ? <TopDirectory place={place} /> : <AtPath place={place} />;
}

function TopDirectory({ place }: { place: FilePlace }) {
  const files = $api.useQuery("get", "/repos/{owner}/{repo}/contents", {
    params: { path: useRepositoryPath(), query: { ref: place.ref } },
  });
  return (
    <QueryView query={files} lines={8}>
      {(entries) => <Directory entries={entries} place={place} />}
    </QueryView>
  );
}

function AtPath({ place }: { place: FilePlace }) {
  const files = $api.useQuery("get", "/repos/{owner}/{repo}/contents/{path}", {
    params: { path: { ...useRepositoryPath(), path: place.path }, query: { ref: place.ref } },
  });
  return (
    <QueryView query={files} lines={8}>
      {(found) =>
        Array.isArray(found) ? (
          <Directory entries={found} place={place} />
        ) : (
          <CodePage page="blob" gitRef={place.ref} path={place.path}>
            <FilePanel file={found} place={place} key={found.sha} />
          </CodePage>
        )
      }
    </QueryView>
  );
}

function Directory(props: { entries: readonly Schemas["ContentsEntry"][]; place: FilePlace }) {
  const { entries, place } = props;
  const latest = useLatestCommit(place);
  const readme = readmeAmong(entries);
  return (
    <CodePage
      page="tree"
      gitRef={place.ref}
      path={place.path}
      actions={
        <>
          <NewFile place={place} />
          {place.path === "" ? <ClonePopup gitRef={place.ref} /> : null}
        </>
      }
    >
      <FileList entries={entries} gitRef={place.ref} path={place.path}>
        <LatestCommit commit={latest} gitRef={place.ref} path={place.path} />
      </FileList>
      {readme ? <Readme entry={readme} gitRef={place.ref} /> : null}
    </CodePage>
  );
}
