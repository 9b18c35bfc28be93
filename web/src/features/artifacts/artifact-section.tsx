/** The artifacts of a run: to look into, to download, and to remove before they expire. */
import { useState } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages, type Pages } from "../../api/use-pages.ts";
import { text } from "../../text/artifacts.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { formatBytes, formatCount } from "../../ui/size.ts";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { mayRun } from "../pipelines/may-run.ts";
import { useRepository } from "../repositories/use-repository.ts";
import styles from "./run-artifacts.module.css";

type Artifact = Schemas["Artifact"];
type ArtifactFile = Schemas["ArtifactFile"];

const one = "/repos/{owner}/{repo}/pipelines/{id}/artifacts/{artifact}";

interface RunPath {
  owner: string;
  repo: string;
  id: string;
}

export function ArtifactSection({ pages, path }: { pages: Pages<Artifact>; path: RunPath }) {
  const mayDelete = mayRun(useRepository());
  const columns: Column<Artifact>[] = [
    { title: text.name, wide: true, cell: ({ name }) => <span className={styles.path}>{name}</span> },
    { title: text.job, cell: ({ job }) => job.label },
    { title: text.filesTitle, align: "end", cell: ({ files_count: count }) => formatCount(count) },
    { title: text.size, align: "end", cell: ({ size }) => formatBytes(size) },
    { title: text.expires, cell: ({ expires_at: at }) => <Time at={at} /> },
    {
      title: "",
      label: text.actions,
      cell: (artifact) => <ArtifactActions artifact={artifact} path={path} mayDelete={mayDelete} />,
    },
  ];
  return (
    <section className={styles.section} aria-labelledby="artifacts">
      <h2 id="artifacts">{text.title}</h2>
      <PagedTable
        pages={pages}
        caption={text.title}
        columns={columns}
        keyOf={({ id }) => id}
        empty={null}
        dense
      />
    </section>
  );
}

function ArtifactActions(props: { artifact: Artifact; path: RunPath; mayDelete: boolean }) {
  const { artifact, path, mayDelete } = props;
  const [isOpen, setOpen] = useState(false);
  const { id, job } = artifact;
  const name = `${artifact.name} (${job.label})`;
  return (
    <RowActions>
      <a
        className={styles.download}
        href={`${addressOf(artifact.url)}/zip`}
        download
        aria-label={text.downloadOf(name)}
      >
        {text.download}
      </a>
      <Button kind="quiet" aria-label={text.browseOf(name)} onClick={() => setOpen(true)}>
        {text.browse}
      </Button>
      {mayDelete ? (
        <ConfirmButton
          label={text.delete}
          name={text.deleteOf(name)}
          title={text.deleteTitle(artifact.name)}
          kind="quiet"
          said={text.deleted}
          run={() => api.DELETE(one, { params: { path: { ...path, artifact: id } } })}
        >
          <p>{text.deleteHint}</p>
        </ConfirmButton>
      ) : null}
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={text.filesOf(artifact.name)} wide>
        <Files artifact={artifact} path={path} />
      </Dialog>
    </RowActions>
  );
}

function Files({ artifact, path }: { artifact: Artifact; path: RunPath }) {
  const pages = usePages(["artifact-files", artifact.id], (query) =>
    api.GET(`${one}/files`, { params: { path: { ...path, artifact: artifact.id }, query } }),
  );
  const columns: Column<ArtifactFile>[] = [
    {
      title: text.path,
      wide: true,
      cell: (file) => (
        <a className={styles.path} href={addressOf(file.download_url)} download>
          {file.path}
        </a>
      ),
    },
    {
      title: text.size,
      align: "end",
      cell: ({ type, size }) => (type === "symlink" ? text.link : formatBytes(size)),
    },
  ];
  const count = artifact.files_count;
  return (
    <>
      <p>{text.files(formatCount(count), count === 1)}</p>
      <PagedTable
        pages={pages}
        caption={text.filesOf(artifact.name)}
        columns={columns}
        keyOf={({ path: file }) => file}
        empty={<p>{text.noFiles}</p>}
        dense
      />
    </>
  );
}

/** On the host that the page came from, whose cookie it needs. */
function addressOf(url: string): string {
  return new URL(url).pathname;
}
